/* Every function of the header, in order and out of it. Run plain, under AddressSanitizer and valgrind. */
#include "check.h"

static void versions(void) {
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", PLAN_GATE_VERSION_MAJOR, PLAN_GATE_VERSION_MINOR,
           PLAN_GATE_VERSION_PATCH);
  CHECK(plan_gate_abi_version() == PLAN_GATE_ABI_VERSION);
  CHECK(strcmp(plan_gate_version(), version) == 0);
  CHECK(strcmp(plan_gate_status_text(PLAN_GATE_STATUS_OK), "success") == 0);
  CHECK(strcmp(plan_gate_status_text(4000000000u), "unknown status") == 0);
}

static void conversation(void) {
  plan_gate *gate = new_gate();
  plan_gate_session *session = open_session(gate, "main");
  plan_gate_decision decision = plan_gate_session_check(session, TEXT("read"), TEXT("{\"file_path\":\"x\"}"));
  CHECK(VERDICT(decision) == PLAN_GATE_VERDICT_ALLOW && REASON(decision) == PLAN_GATE_REASON_READ_ONLY);
  decision = plan_gate_session_check(session, TEXT("write"), TEXT(WRITE_A));
  CHECK(VERDICT(decision) == PLAN_GATE_VERDICT_DENY && REASON(decision) == PLAN_GATE_REASON_CLOSED);
  plan_gate_session_free(session);

  session = open_approved(gate, "main");
  plan_gate_session *child = NULL;
  CHECK(plan_gate_session_open_child(gate, TEXT("child"), TEXT("main"), &child) == PLAN_GATE_STATUS_OK);
  CHECK(plan_gate_session_allows(session, TEXT("write"), TEXT(WRITE_A)));
  CHECK(plan_gate_session_allows(child, TEXT("write"), TEXT(WRITE_A)));
  decision = plan_gate_session_check_effect(session, TEXT("write"), PLAN_GATE_EFFECT_WRITE, TEXT("src/a"));
  CHECK(REASON(decision) == PLAN_GATE_REASON_IN_SCOPE);
  CHECK(!plan_gate_session_allows(child, TEXT("write"), TEXT(WRITE_B)));

  /* Handles may be freed in any order. */
  plan_gate_free(gate);
  CHECK(STATUS(plan_gate_session_reply(session, PLAN_GATE_SOURCE_USER, TEXT("ok"), NULL, 0)) == 0);
  CHECK(plan_gate_session_allows(session, TEXT("write"), TEXT(WRITE_B)));
  plan_gate_session_close(session);
  CHECK(!plan_gate_session_allows(child, TEXT("write"), TEXT(WRITE_A)));
  plan_gate_session_free(child);
}

static void the_door_ends_a_session(void) {
  plan_gate *gate = new_gate();
  plan_gate_session *session = open_approved(gate, "s");
  CHECK(ask(session, "{\"op\":\"close\"}") == PLAN_GATE_STATUS_OK);
  CHECK(!plan_gate_session_allows(session, TEXT("write"), TEXT(WRITE_A)));
  plan_gate_session_free(session);
  plan_gate_free(gate);
}

static void plan_mode(void) {
  plan_gate_plan_mode *mode = NULL;
  plan_gate_buf answer = PLAN_GATE_BUF_INIT;
  CHECK(plan_gate_plan_mode_new(TEXT("{\"section\":\"Read.\\n\"}"), &mode, &answer) == PLAN_GATE_STATUS_OK);
  CHECK(answer.data == NULL);
  CHECK(plan_gate_plan_mode_request(mode, TEXT("{\"op\":\"get\"}"), &answer) == PLAN_GATE_STATUS_OK);
  CHECK(strcmp(answer.data, "{\"active\":false,\"pending\":null}") == 0);
  plan_gate_buf_free(&answer);
  plan_gate_buf_free(&answer);
  plan_gate_plan_mode_free(mode);
}

static void nulls(void) {
  plan_gate *gate = NULL;
  plan_gate_session *session = NULL;
  plan_gate_plan_mode *mode = NULL;
  plan_gate_buf answer = PLAN_GATE_BUF_INIT;
  const plan_gate_status null = PLAN_GATE_STATUS_NULL_ARGUMENT;
  plan_gate_free(NULL);
  plan_gate_session_free(NULL);
  plan_gate_session_close(NULL);
  plan_gate_plan_mode_free(NULL);
  plan_gate_buf_free(NULL);
  plan_gate_buf_free(&answer);
  CHECK(plan_gate_new(NULL, 3, &gate, NULL) == null && gate == NULL);
  CHECK(plan_gate_new(NULL, 0, NULL, NULL) == null);
  CHECK(plan_gate_session_open(NULL, TEXT("s"), &session) == null && session == NULL);
  CHECK(plan_gate_plan_mode_new(NULL, 0, NULL, NULL) == null);
  CHECK(plan_gate_plan_mode_new(NULL, 0, &mode, NULL) != PLAN_GATE_STATUS_OK && mode == NULL);
  CHECK(plan_gate_request(NULL, TEXT("{}"), &answer) == null && answer.data != NULL);
  plan_gate_buf_free(&answer);
  CHECK(plan_gate_session_request(NULL, TEXT("{}"), NULL) == null);
  CHECK(plan_gate_plan_mode_request(NULL, TEXT("{}"), NULL) == null);
  CHECK(STATUS(plan_gate_session_check(NULL, TEXT("write"), TEXT("{}"))) == null);
  CHECK(STATUS(plan_gate_session_check_effect(NULL, TEXT("write"), 1, TEXT("a"))) == null);
  CHECK(STATUS(plan_gate_session_reply(NULL, 1, TEXT("ok"), NULL, 0)) == null);
  CHECK(!plan_gate_session_allows(NULL, TEXT("write"), TEXT("{}")));
}

/* Inputs at the end of their allocation: a read past them is seen by the sanitizers. */
static void exact_inputs(void) {
  plan_gate *gate = new_gate();
  plan_gate_session *session = open_approved(gate, "s");
  for (size_t len = 0; len <= strlen(WRITE_A); len++) {
    char *args = malloc(len ? len : 1), *tool = malloc(5);
    CHECK(args != NULL && tool != NULL);
    memcpy(args, WRITE_A, len);
    memcpy(tool, "write", 5);
    const bool allowed = plan_gate_session_allows(session, tool, 5, args, len);
    CHECK(allowed == (len == strlen(WRITE_A)));
    free(tool);
    free(args);
  }
  CHECK(STATUS(plan_gate_session_check(session, "\xff", 1, TEXT("{}"))) == PLAN_GATE_STATUS_INVALID_UTF8);
  CHECK(STATUS(plan_gate_session_check(session, TEXT("write"), "x", PLAN_GATE_MAX_INPUT + 1)) ==
        PLAN_GATE_STATUS_TOO_LARGE);
  CHECK(plan_gate_session_allows(session, TEXT("write"), TEXT(WRITE_A)));
  /* What cannot be read may have said stop. */
  CHECK(STATUS(plan_gate_session_reply(session, PLAN_GATE_SOURCE_USER, "\xc3", 1, NULL, 0)) == 0);
  CHECK(!plan_gate_session_allows(session, TEXT("write"), TEXT(WRITE_A)));
  plan_gate_session_free(session);
  plan_gate_free(gate);
}

int main(void) {
  versions();
  conversation();
  the_door_ends_a_session();
  plan_mode();
  nulls();
  exact_inputs();
  puts("smoke: passed");
  return 0;
}
