/* Plays every conversation through the C interface: one gate by the JSON door, one by the typed calls.
 * It reads the flat file that `cargo run -p plan-gate-tests --bin flat FILE` writes: C has no JSON reader.
 * Layout of the file: tests/src/flat.rs.
 */
#include "check.h"
#include <inttypes.h>

typedef struct {
  const char *data; /* NULL: absent */
  size_t len;
} field;

static const char *position, *end;

static field next_field(void) {
  field found = {NULL, 0};
  CHECK(position < end);
  if (*position == '-') {
    position += 2;
    return found;
  }
  char *after;
  found.len = strtoul(position, &after, 10);
  CHECK(*after == '\n' && found.len < (size_t)(end - after) - 1);
  found.data = after + 1;
  position = found.data + found.len + 1;
  return found;
}

static bool is(field text, const char *word) {
  return text.len == strlen(word) && memcmp(text.data, word, text.len) == 0;
}

static size_t number(field text) {
  CHECK(text.data != NULL);
  return strtoul(text.data, NULL, 10);
}

static uint64_t digest = 0xcbf29ce484222325u;

static void add(const char *bytes, size_t len) {
  for (size_t index = 0; index < len; index++)
    digest = (digest ^ (unsigned char)bytes[index]) * 0x100000001b3u;
}

typedef struct {
  field doing, session, parent, request, tool, args, source, text, shown, typed, answer;
} step;

static step next_step(void) {
  step read;
  read.doing = next_field();
  read.session = next_field();
  read.parent = next_field();
  read.request = next_field();
  read.tool = next_field();
  read.args = next_field();
  read.source = next_field();
  read.text = next_field();
  read.shown = next_field();
  read.typed = next_field();
  read.answer = next_field();
  return read;
}

/* What a step came to. */
typedef struct {
  bool has_typed;
  uint64_t typed;
  plan_gate_buf answer;
} outcome;

/* Both gates of a conversation, in the same state. */
typedef struct {
  plan_gate *door, *typed;
} gates;

/* An answer of the runner's own, in a buffer of the library so that all are freed alike. The library has no
 * call that makes one, so its text stands beside it. */
static char own_answer[64];

static void answer_status(plan_gate_status status) {
  snprintf(own_answer, sizeof own_answer, "{\"status\":%" PRIu32 "}", status);
}

static void play_gate(gates *both, const step *now, outcome *out) {
  plan_gate *door = NULL, *typed = NULL;
  if (plan_gate_new(now->request.data, now->request.len, &door, &out->answer) != PLAN_GATE_STATUS_OK)
    return;
  CHECK(plan_gate_new(now->request.data, now->request.len, &typed, NULL) == PLAN_GATE_STATUS_OK);
  plan_gate_free(both->door);
  plan_gate_free(both->typed);
  both->door = door;
  both->typed = typed;
  strcpy(own_answer, "{}");
}

static void play_spawn(const gates *both, const step *now) {
  plan_gate_session *door = NULL, *typed = NULL;
  const field id = now->session, parent = now->parent;
  const plan_gate_status status =
      plan_gate_session_open_child(both->door, id.data, id.len, parent.data, parent.len, &door);
  CHECK(plan_gate_session_open_child(both->typed, id.data, id.len, parent.data, parent.len, &typed) == status);
  CHECK((door != NULL) == (status == PLAN_GATE_STATUS_OK));
  plan_gate_session_free(door);
  plan_gate_session_free(typed);
  answer_status(status);
}

/* Whether the packed integer says the same as the door's answer. Answers begin with fixed keys, and a quote
 * inside a string is escaped, so the words below cannot stand in a user's text. */
static bool agree(const step *now, uint64_t typed, const char *answer) {
  char words[64];
  if (is(now->doing, "check")) {
    const char *verdict = VERDICT(typed) == PLAN_GATE_VERDICT_ALLOW ? "allow" : "deny";
    snprintf(words, sizeof words, "\"verdict\":\"%s\",", verdict);
    const char *code = strstr(answer, "\"code\":");
    return strstr(answer, words) != NULL && code != NULL && typed >> 24 == 0 &&
           strtoul(code + strlen("\"code\":"), NULL, 10) == REASON(typed);
  }
  static const char *const kinds[] = {"other", "approve", "amend"};
  static const char *const settled[] = {"ignored", "draft_approved", "held_approved", "amended", "cleared",
                                        "kept", "stale", "draft_rejected", "held_rejected"};
  const uint64_t kind = typed & 0xff, settlement = typed >> 8 & 0xff;
  if (kind >= sizeof kinds / sizeof *kinds || settlement >= sizeof settled / sizeof *settled || typed >> 16)
    return false;
  snprintf(words, sizeof words, "\"kind\":\"%s\",", kinds[kind]);
  if (strstr(answer, words) == NULL)
    return false;
  snprintf(words, sizeof words, "\"settlement\":\"%s\",", settled[settlement]);
  return strstr(answer, words) != NULL;
}

static bool play_session(const gates *both, const step *now, outcome *out) {
  plan_gate_session *door = NULL, *typed = NULL;
  CHECK(plan_gate_session_open(both->door, now->session.data, now->session.len, &door) == PLAN_GATE_STATUS_OK);
  CHECK(plan_gate_session_open(both->typed, now->session.data, now->session.len, &typed) == PLAN_GATE_STATUS_OK);
  bool agrees = true;
  if (is(now->doing, "close")) {
    plan_gate_session_close(door);
    plan_gate_session_close(typed);
    strcpy(own_answer, "{}");
    return true;
  }
  const plan_gate_status status =
      plan_gate_session_request(door, now->request.data, now->request.len, &out->answer);
  if (now->tool.data != NULL) {
    out->has_typed = true;
    out->typed = plan_gate_session_check(typed, now->tool.data, now->tool.len, now->args.data, now->args.len);
    CHECK(plan_gate_session_allows(typed, now->tool.data, now->tool.len, now->args.data, now->args.len) ==
          (VERDICT(out->typed) == PLAN_GATE_VERDICT_ALLOW));
  } else if (now->text.data != NULL) {
    out->typed = plan_gate_session_reply(typed, (uint32_t)number(now->source), now->text.data, now->text.len,
                                         now->shown.data, now->shown.len);
    out->has_typed = STATUS(out->typed) == PLAN_GATE_STATUS_OK;
  } else {
    plan_gate_buf other = PLAN_GATE_BUF_INIT;
    agrees = plan_gate_session_request(typed, now->request.data, now->request.len, &other) == status &&
             other.len == out->answer.len && memcmp(other.data, out->answer.data, other.len) == 0;
    plan_gate_buf_free(&other);
  }
  if (out->has_typed)
    agrees = agree(now, out->typed, out->answer.data);
  plan_gate_session_free(door);
  plan_gate_session_free(typed);
  return agrees;
}

/* One step, into the digest; whether it came out as the facade says. */
static bool record(field id, size_t index, const step *now, outcome *out, bool agrees) {
  char line[64], typed[32] = "-";
  if (out->has_typed)
    snprintf(typed, sizeof typed, "%" PRIu64, out->typed);
  const char *answer = out->answer.data != NULL ? out->answer.data : own_answer;
  const size_t len = strlen(answer);
  add(id.data, id.len);
  add(line, (size_t)snprintf(line, sizeof line, "\t%zu\t%s\t", index, typed));
  add(answer, len);
  add("\n", 1);
  const bool same_typed = now->typed.data == NULL ? !out->has_typed : is(now->typed, typed);
  const bool good = agrees && same_typed && len == now->answer.len && memcmp(answer, now->answer.data, len) == 0;
  if (!good)
    fprintf(stderr, "%.*s step %zu: %.*s\n  expected %.*s %.*s\n  answered %s %s\n", (int)id.len, id.data, index,
            (int)now->doing.len, now->doing.data, (int)now->typed.len, now->typed.data ? now->typed.data : "",
            (int)now->answer.len, now->answer.data, typed, answer);
  plan_gate_buf_free(&out->answer);
  return good;
}

static int play_plan_mode(field id, field config, size_t steps) {
  plan_gate_plan_mode *mode = NULL;
  CHECK(plan_gate_plan_mode_new(config.data, config.len, &mode, NULL) == PLAN_GATE_STATUS_OK);
  int failed = 0;
  for (size_t index = 0; index < steps; index++) {
    const step now = next_step();
    outcome out = {false, 0, PLAN_GATE_BUF_INIT};
    (void)!plan_gate_plan_mode_request(mode, now.request.data, now.request.len, &out.answer);
    failed += !record(id, index, &now, &out, true);
  }
  plan_gate_plan_mode_free(mode);
  return failed;
}

static int play_gates(field id, field config, size_t steps) {
  gates both = {NULL, NULL};
  CHECK(plan_gate_new(config.data, config.len, &both.door, NULL) == PLAN_GATE_STATUS_OK);
  CHECK(plan_gate_new(config.data, config.len, &both.typed, NULL) == PLAN_GATE_STATUS_OK);
  int failed = 0;
  for (size_t index = 0; index < steps; index++) {
    const step now = next_step();
    outcome out = {false, 0, PLAN_GATE_BUF_INIT};
    bool agrees = true;
    if (is(now.doing, "gate"))
      play_gate(&both, &now, &out);
    else if (is(now.doing, "spawn"))
      play_spawn(&both, &now);
    else if (is(now.doing, "request"))
      (void)!plan_gate_request(both.door, now.request.data, now.request.len, &out.answer);
    else
      agrees = play_session(&both, &now, &out);
    failed += !record(id, index, &now, &out, agrees);
  }
  plan_gate_free(both.door);
  plan_gate_free(both.typed);
  return failed;
}

static char *read_file(const char *path, size_t *len) {
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  CHECK(fseek(file, 0, SEEK_END) == 0);
  const long size = ftell(file);
  CHECK(size > 0 && fseek(file, 0, SEEK_SET) == 0);
  char *bytes = malloc((size_t)size + 1);
  CHECK(bytes != NULL && fread(bytes, 1, (size_t)size, file) == (size_t)size);
  bytes[size] = 0;
  fclose(file);
  *len = (size_t)size;
  return bytes;
}

int main(int count, char **arguments) {
  static const char magic[] = "plan-gate flat 1\n";
  CHECK(count == 2);
  size_t len;
  char *bytes = read_file(arguments[1], &len);
  CHECK(len > strlen(magic) && memcmp(bytes, magic, strlen(magic)) == 0);
  position = bytes + strlen(magic);
  end = bytes + len;
  size_t passed = 0, failed = 0;
  for (size_t left = number(next_field()); left > 0; left--) {
    const field world = next_field(), id = next_field(), config = next_field();
    const size_t steps = number(next_field());
    const int bad = is(world, "gate") ? play_gates(id, config, steps) : play_plan_mode(id, config, steps);
    passed += bad == 0;
    failed += (size_t)bad;
  }
  CHECK(position == end);
  free(bytes);
  printf("conformance: %zu passed, %zu failed\ndigest: %016" PRIx64 "\n", passed, failed, digest);
  return failed == 0 ? 0 : 1;
}
