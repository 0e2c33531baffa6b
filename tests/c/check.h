/* One assertion that stays in release builds, and calls with their lengths. */
#ifndef PLAN_GATE_TEST_CHECK_H
#define PLAN_GATE_TEST_CHECK_H

#include <plan_gate.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);          \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

#define TEXT(text) (text), strlen(text)
#define VERDICT(decision) ((decision) & 0xff)
#define REASON(decision) ((decision) >> 8 & 0xffff)
#define STATUS(answer) ((answer) >> 24 & 0xffff)

static const char WRITE_A[] = "{\"file_path\":\"src/a\",\"content\":\"x\"}";
static const char WRITE_B[] = "{\"file_path\":\"src/b\",\"content\":\"x\"}";
static const char PROPOSE[] = "{\"op\":\"propose\",\"plan\":{\"title\":\"A\",\"plan\":\"Do it.\","
                              "\"tools\":[\"write\"],\"files\":[\"src/a\"]}}";

static inline plan_gate *new_gate(void) {
  plan_gate *gate = NULL;
  CHECK(plan_gate_new(TEXT("{\"profile\":\"dsh\",\"locale\":\"en\"}"), &gate, NULL) == PLAN_GATE_STATUS_OK);
  return gate;
}

static inline plan_gate_session *open_session(const plan_gate *gate, const char *id) {
  plan_gate_session *session = NULL;
  CHECK(plan_gate_session_open(gate, TEXT(id), &session) == PLAN_GATE_STATUS_OK);
  return session;
}

static inline plan_gate_status ask(const plan_gate_session *session, const char *request) {
  plan_gate_buf answer = PLAN_GATE_BUF_INIT;
  const plan_gate_status status = plan_gate_session_request(session, TEXT(request), &answer);
  CHECK(answer.data == NULL || answer.data[answer.len] == 0);
  plan_gate_buf_free(&answer);
  return status;
}

/* A session in which writing src/a is approved. */
static inline plan_gate_session *open_approved(const plan_gate *gate, const char *id) {
  plan_gate_session *session = open_session(gate, id);
  CHECK(ask(session, PROPOSE) == PLAN_GATE_STATUS_OK);
  const uint64_t reply = plan_gate_session_reply(session, PLAN_GATE_SOURCE_USER, TEXT("ok"), NULL, 0);
  CHECK(reply == (PLAN_GATE_REPLY_APPROVE | PLAN_GATE_SETTLED_DRAFT_APPROVED << 8));
  return session;
}

#endif
