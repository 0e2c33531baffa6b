/* Many threads on one family, on other families, and on the gate. Run plain, under AddressSanitizer and
 * under helgrind. */
#include "check.h"
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 50 };

static plan_gate *gate;
static plan_gate_session *shared;
static plan_gate_plan_mode *mode;

static void *work(void *argument) {
  const int number = (int)(intptr_t)argument;
  char id[32];
  for (int round = 0; round < ROUNDS; round++) {
    /* One session that all share: it allows or, while another thread's "stop" holds, denies. */
    const plan_gate_decision decision = plan_gate_session_check(shared, TEXT("write"), TEXT(WRITE_A));
    CHECK(STATUS(decision) == 0);
    CHECK((VERDICT(decision) == PLAN_GATE_VERDICT_ALLOW) == (REASON(decision) == PLAN_GATE_REASON_IN_SCOPE));
    if (round % 10 == number) {
      CHECK(STATUS(plan_gate_session_reply(shared, PLAN_GATE_SOURCE_USER, TEXT("stop"), NULL, 0)) == 0);
      CHECK(ask(shared, PROPOSE) == PLAN_GATE_STATUS_OK);
      CHECK(STATUS(plan_gate_session_reply(shared, PLAN_GATE_SOURCE_USER, TEXT("ok"), NULL, 0)) == 0);
    }
    /* A session of its own, made, used and ended here: nobody else's state shows through. */
    snprintf(id, sizeof id, "own-%d-%d", number, round);
    plan_gate_session *own = open_session(gate, id);
    CHECK(!plan_gate_session_allows(own, TEXT("write"), TEXT(WRITE_A)));
    plan_gate_session_free(own);
    own = open_approved(gate, id);
    CHECK(plan_gate_session_allows(own, TEXT("write"), TEXT(WRITE_A)));
    CHECK(!plan_gate_session_allows(own, TEXT("write"), TEXT(WRITE_B)));
    /* A sub-agent of the shared session, opened by all threads at once. */
    plan_gate_session *child = NULL;
    CHECK(plan_gate_session_open_child(gate, TEXT("child"), TEXT("shared"), &child) == PLAN_GATE_STATUS_OK);
    CHECK(STATUS(plan_gate_session_check(child, TEXT("write"), TEXT(WRITE_A))) == 0);
    plan_gate_session_free(child);
    plan_gate_session_close(own);
    CHECK(plan_gate_plan_mode_request(mode, TEXT("{\"op\":\"get\"}"), NULL) == PLAN_GATE_STATUS_OK);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  gate = new_gate();
  shared = open_approved(gate, "shared");
  CHECK(plan_gate_plan_mode_new(TEXT("{\"section\":\"Read.\\n\"}"), &mode, NULL) == PLAN_GATE_STATUS_OK);
  for (intptr_t number = 0; number < THREADS; number++)
    CHECK(pthread_create(&threads[number], NULL, work, (void *)number) == 0);
  for (int number = 0; number < THREADS; number++)
    CHECK(pthread_join(threads[number], NULL) == 0);
  plan_gate_plan_mode_free(mode);
  plan_gate_session_free(shared);
  plan_gate_free(gate);
  puts("threads: passed");
  return 0;
}
