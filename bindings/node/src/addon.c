/*
 * Node's door to plan_gate.h: N-API 8, nothing but Node's own headers.
 *
 * Nothing here is static or per process, so the addon works in worker threads as on the main one;
 * each thread has handles of its own. A handle is an external that begins with a mark and its kind:
 * anything else in its place throws, and so does one that was closed. (An object with a type tag would
 * say the same for ten times the cost of the call; nobody but index.js ever holds a handle.) Strings
 * are copied to a buffer on the stack, larger ones to the heap; bytes (Uint8Array) are read in place.
 *
 * What the library reports is thrown as an Error whose `code` is the status and whose message is the
 * library's JSON, or empty. check(), checkEffect() and reply() do not throw for it: they return the
 * library's packed integer, which is exact in a double and in which zero is deny.
 */
#define NAPI_VERSION 8
#include <node_api.h>
#include <plan_gate.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most tool calls fit; a write with a whole file in it goes to the heap. */
#define STACK_TEXT 2048
#define MAX_ARGS 4

/* ---- errors --------------------------------------------------------------- */

/* Throws unless something is thrown already; NULL, to hand on. */
static napi_value fail(napi_env env, const char *message) {
  bool pending = false;
  napi_is_exception_pending(env, &pending);
  if (!pending) napi_throw_type_error(env, "ERR_INVALID_ARG_TYPE", message);
  return NULL;
}

static napi_value refuse(napi_env env, plan_gate_status status, plan_gate_buf *words) {
  char code[16];
  snprintf(code, sizeof code, "%u", (unsigned)status);
  napi_throw_error(env, code, words->data == NULL ? "" : words->data);
  plan_gate_buf_free(words);
  return NULL;
}

/* ---- text in and out ------------------------------------------------------ */

typedef struct text {
  const char *data;
  size_t len;
  char *heap; /* to be freed, or NULL */
  char stack[STACK_TEXT];
} text;

static void text_free(text *t) {
  free(t->heap);
}

/* A string too long for the stack. */
static bool text_read_long(napi_env env, napi_value value, text *t) {
  size_t len;
  if (napi_get_value_string_utf8(env, value, NULL, 0, &len) != napi_ok) return false;
  t->heap = malloc(len + 1);
  if (t->heap == NULL) {
    napi_throw_error(env, "ERR_MEMORY_ALLOCATION_FAILED", "no memory for the text");
    return false;
  }
  t->data = t->heap;
  return napi_get_value_string_utf8(env, value, t->heap, len + 1, &t->len) == napi_ok;
}

/* Reads a string, or the bytes of a Uint8Array; false, with an exception pending, for anything else. */
static bool text_read(napi_env env, napi_value value, const char *complaint, text *t) {
  t->heap = NULL;
  t->data = t->stack;
  if (napi_get_value_string_utf8(env, value, t->stack, STACK_TEXT, &t->len) == napi_ok) {
    /* A cut never splits a character, so it can leave up to three bytes unused. */
    if (t->len < STACK_TEXT - 4 || text_read_long(env, value, t)) return true;
  } else {
    bool is_typed_array = false;
    napi_typedarray_type type = napi_int8_array;
    void *bytes = NULL;
    napi_is_typedarray(env, value, &is_typed_array);
    if (is_typed_array &&
        napi_get_typedarray_info(env, value, &type, &t->len, &bytes, NULL, NULL) == napi_ok &&
        type == napi_uint8_array) {
      t->data = bytes;
      return true;
    }
  }
  text_free(t);
  fail(env, complaint);
  return false;
}

static napi_value text_out(napi_env env, plan_gate_buf *answer) {
  napi_value result = NULL;
  if (napi_create_string_utf8(env, answer->data == NULL ? "" : answer->data, answer->len, &result) != napi_ok) {
    fail(env, "the answer does not fit a string");
  }
  plan_gate_buf_free(answer);
  return result;
}

static napi_value number_out(napi_env env, uint64_t number) {
  napi_value result = NULL;
  if (napi_create_double(env, (double)number, &result) != napi_ok) return fail(env, "no number");
  return result;
}

/* ---- handles -------------------------------------------------------------- */

enum kind { GATE, SESSION, PLAN_MODE };

#define MARK UINT64_C(0x6a8e3d0f51c24b77)

typedef struct handle {
  uint64_t mark;
  enum kind kind;
  void *object; /* NULL once closed */
} handle;

static void handle_release(handle *h) {
  void *object = h->object;
  h->object = NULL;
  switch (h->kind) {
    case GATE: plan_gate_free(object); break;
    case SESSION: plan_gate_session_free(object); break;
    case PLAN_MODE: plan_gate_plan_mode_free(object); break;
  }
}

/* The garbage collector's net for what was not closed. */
static void handle_finalize(napi_env env, void *data, void *hint) {
  (void)env;
  (void)hint;
  handle_release(data);
  free(data);
}

/* Takes `object` over, whatever happens. */
static napi_value handle_wrap(napi_env env, enum kind kind, void *object) {
  napi_value result = NULL;
  handle *h = malloc(sizeof *h);
  if (h == NULL) {
    handle_release(&(handle){MARK, kind, object});
    napi_throw_error(env, "ERR_MEMORY_ALLOCATION_FAILED", "no memory for the handle");
    return NULL;
  }
  *h = (handle){MARK, kind, object};
  if (napi_create_external(env, h, handle_finalize, NULL, &result) == napi_ok) return result;
  handle_finalize(env, h, NULL);
  return fail(env, "the handle cannot be made");
}

static handle *handle_read(napi_env env, napi_value value, enum kind kind) {
  void *data = NULL;
  if (napi_get_value_external(env, value, &data) == napi_ok && data != NULL) {
    handle *h = data;
    if (h->mark == MARK && h->kind == kind) return h;
  }
  fail(env, "not a handle of this kind");
  return NULL;
}

/* The live object behind a handle; NULL, with an exception pending, if there is none. */
static void *object_read(napi_env env, napi_value value, enum kind kind) {
  handle *h = handle_read(env, value, kind);
  if (h == NULL) return NULL;
  if (h->object == NULL) napi_throw_error(env, "ERR_CLOSED", "closed");
  return h->object;
}

/* ---- functions ------------------------------------------------------------ */

/* The arguments of a call; absent ones are undefined. */
static bool args_read(napi_env env, napi_callback_info info, napi_value *args) {
  size_t count = MAX_ARGS;
  if (napi_get_cb_info(env, info, &count, args, NULL, NULL) == napi_ok) return true;
  fail(env, "the arguments cannot be read");
  return false;
}

typedef plan_gate_status (*new_function)(const char *, size_t, void **, plan_gate_buf *);
typedef plan_gate_status (*request_function)(const void *, const char *, size_t, plan_gate_buf *);

static napi_value new_from_config(napi_env env, napi_callback_info info, enum kind kind, new_function new) {
  napi_value args[MAX_ARGS];
  text config;
  void *object = NULL;
  plan_gate_buf words = PLAN_GATE_BUF_INIT;
  if (!args_read(env, info, args) || !text_read(env, args[0], "the configuration must be a string", &config)) return NULL;
  plan_gate_status status = new(config.data, config.len, &object, &words);
  text_free(&config);
  return status == PLAN_GATE_STATUS_OK ? handle_wrap(env, kind, object) : refuse(env, status, &words);
}

static plan_gate_status gate_new_any(const char *config, size_t len, void **out, plan_gate_buf *words) {
  plan_gate *gate = NULL;
  plan_gate_status status = plan_gate_new(config, len, &gate, words);
  *out = gate;
  return status;
}

static plan_gate_status plan_mode_new_any(const char *config, size_t len, void **out, plan_gate_buf *words) {
  plan_gate_plan_mode *mode = NULL;
  plan_gate_status status = plan_gate_plan_mode_new(config, len, &mode, words);
  *out = mode;
  return status;
}

static napi_value gate_new(napi_env env, napi_callback_info info) {
  return new_from_config(env, info, GATE, gate_new_any);
}

static napi_value plan_mode_new(napi_env env, napi_callback_info info) {
  return new_from_config(env, info, PLAN_MODE, plan_mode_new_any);
}

static napi_value request(napi_env env, napi_callback_info info, enum kind kind, request_function ask) {
  napi_value args[MAX_ARGS];
  text question;
  plan_gate_buf answer = PLAN_GATE_BUF_INIT;
  if (!args_read(env, info, args)) return NULL;
  void *object = object_read(env, args[0], kind);
  if (object == NULL || !text_read(env, args[1], "the request must be a string", &question)) return NULL;
  plan_gate_status status = ask(object, question.data, question.len, &answer);
  text_free(&question);
  return status == PLAN_GATE_STATUS_OK ? text_out(env, &answer) : refuse(env, status, &answer);
}

static plan_gate_status gate_request_any(const void *object, const char *json, size_t len, plan_gate_buf *answer) {
  return plan_gate_request(object, json, len, answer);
}

static plan_gate_status session_request_any(const void *object, const char *json, size_t len, plan_gate_buf *answer) {
  return plan_gate_session_request(object, json, len, answer);
}

static plan_gate_status plan_mode_request_any(const void *object, const char *json, size_t len, plan_gate_buf *answer) {
  return plan_gate_plan_mode_request(object, json, len, answer);
}

static napi_value gate_request(napi_env env, napi_callback_info info) {
  return request(env, info, GATE, gate_request_any);
}

static napi_value session_request(napi_env env, napi_callback_info info) {
  return request(env, info, SESSION, session_request_any);
}

static napi_value plan_mode_request(napi_env env, napi_callback_info info) {
  return request(env, info, PLAN_MODE, plan_mode_request_any);
}

static napi_value opened(napi_env env, plan_gate_status status, plan_gate_session *session) {
  plan_gate_buf none = PLAN_GATE_BUF_INIT;
  return status == PLAN_GATE_STATUS_OK ? handle_wrap(env, SESSION, session) : refuse(env, status, &none);
}

static napi_value session_open(napi_env env, napi_callback_info info) {
  napi_value args[MAX_ARGS];
  text id;
  plan_gate_session *session = NULL;
  if (!args_read(env, info, args)) return NULL;
  plan_gate *gate = object_read(env, args[0], GATE);
  if (gate == NULL || !text_read(env, args[1], "the session id must be a string", &id)) return NULL;
  plan_gate_status status = plan_gate_session_open(gate, id.data, id.len, &session);
  text_free(&id);
  return opened(env, status, session);
}

static napi_value session_open_child(napi_env env, napi_callback_info info) {
  napi_value args[MAX_ARGS];
  text id;
  text parent;
  plan_gate_session *session = NULL;
  if (!args_read(env, info, args)) return NULL;
  plan_gate *gate = object_read(env, args[0], GATE);
  if (gate == NULL || !text_read(env, args[1], "the session id must be a string", &id)) return NULL;
  if (!text_read(env, args[2], "the parent's id must be a string", &parent)) {
    text_free(&id);
    return NULL;
  }
  plan_gate_status status = plan_gate_session_open_child(gate, id.data, id.len, parent.data, parent.len, &session);
  text_free(&id);
  text_free(&parent);
  return opened(env, status, session);
}

static napi_value session_check(napi_env env, napi_callback_info info) {
  napi_value args[MAX_ARGS];
  text tool;
  text arguments;
  if (!args_read(env, info, args)) return NULL;
  plan_gate_session *session = object_read(env, args[0], SESSION);
  if (session == NULL || !text_read(env, args[1], "the tool's name must be a string", &tool)) return NULL;
  if (!text_read(env, args[2], "the arguments must be JSON text, as a string or a Uint8Array", &arguments)) {
    text_free(&tool);
    return NULL;
  }
  uint64_t decision = plan_gate_session_check(session, tool.data, tool.len, arguments.data, arguments.len);
  text_free(&tool);
  text_free(&arguments);
  return number_out(env, decision);
}

static napi_value session_check_effect(napi_env env, napi_callback_info info) {
  napi_value args[MAX_ARGS];
  text tool;
  text value;
  uint32_t kind = 0;
  if (!args_read(env, info, args)) return NULL;
  plan_gate_session *session = object_read(env, args[0], SESSION);
  if (session == NULL) return NULL;
  if (napi_get_value_uint32(env, args[2], &kind) != napi_ok) return fail(env, "the kind of effect must be a number");
  if (!text_read(env, args[1], "the tool's name must be a string", &tool)) return NULL;
  if (!text_read(env, args[3], "the effect's value must be a string", &value)) {
    text_free(&tool);
    return NULL;
  }
  uint64_t decision = plan_gate_session_check_effect(session, tool.data, tool.len, kind, value.data, value.len);
  text_free(&tool);
  text_free(&value);
  return number_out(env, decision);
}

/* reply(session, source, text, shown?) */
static napi_value session_reply(napi_env env, napi_callback_info info) {
  napi_value args[MAX_ARGS];
  napi_valuetype shown_type = napi_undefined;
  text words;
  text shown;
  uint32_t source = 0;
  shown.data = shown.heap = NULL; /* the buffer stays as it is */
  shown.len = 0;
  if (!args_read(env, info, args)) return NULL;
  plan_gate_session *session = object_read(env, args[0], SESSION);
  if (session == NULL) return NULL;
  if (napi_get_value_uint32(env, args[1], &source) != napi_ok) return fail(env, "the source must be a number");
  if (napi_typeof(env, args[3], &shown_type) != napi_ok) return fail(env, "the arguments cannot be read");
  if (!text_read(env, args[2], "the message must be a string or a Uint8Array", &words)) return NULL;
  if (shown_type != napi_undefined && !text_read(env, args[3], "the id on screen must be a string", &shown)) {
    text_free(&words);
    return NULL;
  }
  uint64_t answer = plan_gate_session_reply(session, source, words.data, words.len, shown.data, shown.len);
  text_free(&words);
  text_free(&shown);
  return number_out(env, answer);
}

/* Ends the session itself, for every handle on it. */
static napi_value session_end(napi_env env, napi_callback_info info) {
  napi_value args[MAX_ARGS];
  if (!args_read(env, info, args)) return NULL;
  handle *h = handle_read(env, args[0], SESSION);
  if (h == NULL) return NULL;
  plan_gate_session *session = h->object;
  h->object = NULL;
  plan_gate_session_close(session);
  return NULL;
}

static napi_value close_kind(napi_env env, napi_callback_info info, enum kind kind) {
  napi_value args[MAX_ARGS];
  if (!args_read(env, info, args)) return NULL;
  handle *h = handle_read(env, args[0], kind);
  if (h != NULL) handle_release(h);
  return NULL;
}

static napi_value gate_close(napi_env env, napi_callback_info info) {
  return close_kind(env, info, GATE);
}

static napi_value session_close(napi_env env, napi_callback_info info) {
  return close_kind(env, info, SESSION);
}

static napi_value plan_mode_close(napi_env env, napi_callback_info info) {
  return close_kind(env, info, PLAN_MODE);
}

static napi_value abi_version(napi_env env, napi_callback_info info) {
  (void)info;
  return number_out(env, plan_gate_abi_version());
}

static napi_value version(napi_env env, napi_callback_info info) {
  napi_value result = NULL;
  (void)info;
  if (napi_create_string_utf8(env, plan_gate_version(), NAPI_AUTO_LENGTH, &result) != napi_ok) return NULL;
  return result;
}

static napi_value status_text(napi_env env, napi_callback_info info) {
  napi_value args[MAX_ARGS];
  napi_value result = NULL;
  uint32_t status = 0;
  if (!args_read(env, info, args)) return NULL;
  if (napi_get_value_uint32(env, args[0], &status) != napi_ok) return fail(env, "a status is a number");
  if (napi_create_string_utf8(env, plan_gate_status_text(status), NAPI_AUTO_LENGTH, &result) != napi_ok) return NULL;
  return result;
}

NAPI_MODULE_INIT() {
  static const struct {
    const char *name;
    napi_callback call;
  } functions[] = {
      {"abiVersion", abi_version},
      {"version", version},
      {"statusText", status_text},
      {"gateNew", gate_new},
      {"gateRequest", gate_request},
      {"gateClose", gate_close},
      {"sessionOpen", session_open},
      {"sessionOpenChild", session_open_child},
      {"sessionCheck", session_check},
      {"sessionCheckEffect", session_check_effect},
      {"sessionReply", session_reply},
      {"sessionRequest", session_request},
      {"sessionEnd", session_end},
      {"sessionClose", session_close},
      {"planModeNew", plan_mode_new},
      {"planModeRequest", plan_mode_request},
      {"planModeClose", plan_mode_close},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    napi_value function = NULL;
    if (napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].call, NULL, &function) != napi_ok ||
        napi_set_named_property(env, exports, functions[i].name, function) != napi_ok) {
      return fail(env, "the addon cannot be set up");
    }
  }
  return exports;
}
