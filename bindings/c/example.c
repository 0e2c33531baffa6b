/* A host in C: refused, planned, approved, done. The model is a script; put your client in its place.
 *   cc example.c $(pkg-config --cflags --libs plan_gate)
 */
#include <plan_gate.h>
#include <stdio.h>
#include <string.h>

static void print_answer(const plan_gate_session *session, const char *request) {
  plan_gate_buf answer = PLAN_GATE_BUF_INIT;
  const plan_gate_status status = plan_gate_session_request(session, request, strlen(request), &answer);
  printf("%s: %s\n", plan_gate_status_text(status), answer.data ? answer.data : "");
  plan_gate_buf_free(&answer);
}

/* The gate is asked before each call, with the arguments as the tool will get them. */
static void call_tool(const plan_gate_session *session, const char *tool, const char *args) {
  if (!plan_gate_session_allows(session, tool, strlen(tool), args, strlen(args))) {
    printf("not run: %s %s\n", tool, args);
    return;
  }
  printf("run: %s %s\n", tool, args); /* your tool here */
}

int main(void) {
  const char *config = "{\"profile\":\"dsh\"}";
  const char *write = "{\"file_path\":\"src/login.ts\",\"content\":\"new\"}";
  const char *other = "{\"file_path\":\"src/db.ts\",\"content\":\"new\"}";
  plan_gate *gate = NULL;
  plan_gate_session *session = NULL;
  plan_gate_buf error = PLAN_GATE_BUF_INIT;

  if (plan_gate_abi_version() != PLAN_GATE_ABI_VERSION) {
    fprintf(stderr, "the plan gate library does not fit this program; no tool may act\n");
    return 1;
  }
  if (plan_gate_new(config, strlen(config), &gate, &error) != PLAN_GATE_STATUS_OK) {
    fprintf(stderr, "%s\n", error.data);
    plan_gate_buf_free(&error);
    return 1;
  }
  if (plan_gate_session_open(gate, "s1", 2, &session) != PLAN_GATE_STATUS_OK) {
    plan_gate_free(gate);
    return 1;
  }

  call_tool(session, "read", "{\"file_path\":\"src/login.ts\"}");
  call_tool(session, "write", write);
  print_answer(session, "{\"op\":\"propose\",\"plan\":{\"title\":\"SMS login\",\"plan\":\"Rewrite the form.\","
                        "\"tools\":[\"write\"],\"files\":[\"src/login.ts\"]}}");
  print_answer(session, "{\"op\":\"render\"}"); /* show this to the user */

  /* Only what a person typed goes in here. */
  if (plan_gate_session_reply(session, PLAN_GATE_SOURCE_USER, "ok", 2, NULL, 0) >> 24 != PLAN_GATE_STATUS_OK)
    printf("the reply was not read; nothing is approved\n");
  call_tool(session, "write", write);
  call_tool(session, "write", other);

  plan_gate_session_close(session);
  plan_gate_free(gate);
  return 0;
}
