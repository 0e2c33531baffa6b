// plan_gate.h - C interface of plan-gate.
//
// The gate answers one question for a host that runs a model's tool calls: may this call run now?
// Until the user has approved a plan the answer is deny for everything but reading.
//
// Failure     Every call fails closed. An answer that is one integer is zero-is-deny, and only a call
//             that succeeded can hold PLAN_GATE_VERDICT_ALLOW in its low byte. Out-pointers are written
//             on every path, null or empty first. A panic inside the library is caught and reported as
//             PLAN_GATE_STATUS_PANIC; if it was inside a session, that session and its sub-agents deny
//             everything from then on, and all others live.
// Threads     Any function may be called from any thread. Calls on one session and its sub-agents run
//             one after another under their own lock. A gate is immutable and may be shared. A *_free or
//             *_close call must not race another call on the same pointer. The library starts no thread,
//             takes no callback, installs no panic hook, keeps no global state, and does no I/O unless
//             the configuration asks for `resolveSymlinks`. Handles do not survive fork() without
//             exec(). Do not unload the library.
// Memory      What a *_new or *_open function gives you, you free once with the *_free function of the
//             same type; NULL is ignored. A plan_gate_buf is freed with plan_gate_buf_free, never with
//             free(). The library keeps no pointer you pass in after the call returns. Sessions keep
//             their gate alive, so they may be freed in any order.
// Strings in  UTF-8, pointer and length in bytes, no closing 0 needed, 0 bytes allowed. (NULL, 0) is the
//             empty string; NULL with another length is an error. Longer than PLAN_GATE_MAX_INPUT (for a
//             request, which wraps an input, eight times that) is refused, never cut.
// Strings out A static text (const char *, never NULL, never freed) or a plan_gate_buf. A buffer is
//             overwritten, not freed, by the call that fills it.
// Numbers     A value is never reused or renumbered within an ABI version. New values may appear: treat
//             an unknown verdict as deny, an unknown status as an error.
//
// Generated from crates/ffi by its header test (PLAN_GATE_BLESS=1 rewrites it). Do not edit by hand.


#ifndef PLAN_GATE_H
#define PLAN_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef PLAN_GATE_API
#if defined(_WIN32) && !defined(PLAN_GATE_STATIC)
#define PLAN_GATE_API __declspec(dllimport)
#else
#define PLAN_GATE_API
#endif
#endif

#ifndef PLAN_GATE_MUST_USE
#if defined(__GNUC__) || defined(__clang__)
#define PLAN_GATE_MUST_USE __attribute__((warn_unused_result))
#else
#define PLAN_GATE_MUST_USE
#endif
#endif

// Major, minor and patch of the library this header belongs to.
#define PLAN_GATE_VERSION_MAJOR 0
#define PLAN_GATE_VERSION_MINOR 1
#define PLAN_GATE_VERSION_PATCH 0

// A plan_gate_buf that holds nothing.
#define PLAN_GATE_BUF_INIT {NULL, 0, 0}


// Bumped when anything in this header changes meaning, size or signature.
#define PLAN_GATE_ABI_VERSION 1

// Largest input, in bytes (4 MiB); a request may have eight times that. Longer is refused, which is a
// deny.
#define PLAN_GATE_MAX_INPUT 4194304

// The call succeeded.
#define PLAN_GATE_STATUS_OK 0

// A required pointer is null.
#define PLAN_GATE_STATUS_NULL_ARGUMENT 100

// The input is not UTF-8.
#define PLAN_GATE_STATUS_INVALID_UTF8 101

// The input is larger than its limit.
#define PLAN_GATE_STATUS_TOO_LARGE 102

// A number stands for nothing this version knows.
#define PLAN_GATE_STATUS_UNKNOWN_NUMBER 103

// Not JSON, a duplicate key, or nested too deep.
#define PLAN_GATE_STATUS_INVALID_JSON 110

// JSON, but not a request of this shape.
#define PLAN_GATE_STATUS_INVALID_REQUEST 111

// The configuration is not usable.
#define PLAN_GATE_STATUS_INVALID_CONFIG 120

// The tool profile is not usable.
#define PLAN_GATE_STATUS_INVALID_PROFILE 121

// The plan has faults.
#define PLAN_GATE_STATUS_INVALID_PLAN 130

// A snapshot is damaged, newer, or of another configuration; the session is closed.
#define PLAN_GATE_STATUS_INVALID_SNAPSHOT 131

// The session already has another place in the family.
#define PLAN_GATE_STATUS_LINEAGE_CONFLICT 140

// A session cannot descend from itself.
#define PLAN_GATE_STATUS_LINEAGE_CYCLE 141

// Nothing with this id waits for an answer now.
#define PLAN_GATE_STATUS_NOTHING_TO_SETTLE 142

// A sub-agent cannot do this.
#define PLAN_GATE_STATUS_CHILD_NOT_ALLOWED 143

// Plan mode refuses this.
#define PLAN_GATE_STATUS_PLAN_MODE 150

// The gate failed inside. If it was inside a session, that session is closed for good.
#define PLAN_GATE_STATUS_PANIC 190

// An earlier failure closed this session.
#define PLAN_GATE_STATUS_POISONED 191

// The call must not run.
#define PLAN_GATE_VERDICT_DENY 0

// The call may run.
#define PLAN_GATE_VERDICT_ALLOW 1

// Deny: the question could not be answered; see the status.
#define PLAN_GATE_REASON_UNAVAILABLE 0

// Allow: the call only reads.
#define PLAN_GATE_REASON_READ_ONLY 10

// Allow: the approved plan covers every effect of the call.
#define PLAN_GATE_REASON_IN_SCOPE 11

// Allow: `allowTools` names the tool.
#define PLAN_GATE_REASON_ALLOWED_TOOL 12

// Allow: `exemptDelegated` frees sub-agents.
#define PLAN_GATE_REASON_EXEMPT_DELEGATED 13

// Allow: the tool by which the model proposes a plan or leaves plan mode.
#define PLAN_GATE_REASON_CONTROL_TOOL 14

// Deny: no plan is approved.
#define PLAN_GATE_REASON_CLOSED 20

// Deny: a plan waits for the user.
#define PLAN_GATE_REASON_AWAITING_APPROVAL 21

// Deny: the user agreed and added something; the model revises.
#define PLAN_GATE_REASON_AMENDMENT_REQUIRED 22

// Deny, held: outside the approved plan; ask the user.
#define PLAN_GATE_REASON_OUTSIDE 23

// Deny: another call is held; its question comes first.
#define PLAN_GATE_REASON_QUESTION_OPEN 24

// Deny: the session claims a parent nobody knows.
#define PLAN_GATE_REASON_UNKNOWN_PARENT 25

// A sub-agent cannot propose a plan.
#define PLAN_GATE_REASON_CHILD_CANNOT_PROPOSE 26

// Deny: the arguments are not a JSON object.
#define PLAN_GATE_REASON_ARGUMENTS_NOT_OBJECT 30

// Deny: a key stands twice in the arguments.
#define PLAN_GATE_REASON_DUPLICATE_KEY 31

// Deny: a path, command or URL is missing.
#define PLAN_GATE_REASON_ARGUMENT_MISSING 32

// Deny: a path, command or URL has the wrong type.
#define PLAN_GATE_REASON_ARGUMENT_TYPE 33

// Deny: the path cannot be judged.
#define PLAN_GATE_REASON_PATH_UNUSABLE 34

// Deny: the arguments are larger or deeper than the limits.
#define PLAN_GATE_REASON_ARGUMENTS_TOO_LARGE 35

// Deny: the call reads, but its arguments are not understood.
#define PLAN_GATE_REASON_READ_NOT_UNDERSTOOD 36

// Deny: the patch cannot be read with certainty.
#define PLAN_GATE_REASON_PATCH_UNREADABLE 37

// Deny: no plan can ever grant this tool.
#define PLAN_GATE_REASON_NEVER_GRANTABLE 40

// Deny: the file belongs to the gate or the host.
#define PLAN_GATE_REASON_PROTECTED_FILE 41

// Deny: an error inside the gate closed this session.
#define PLAN_GATE_REASON_POISONED 50

// Who wrote a message. Only the user's is a reply.
#define PLAN_GATE_SOURCE_USER 1

// The model.
#define PLAN_GATE_SOURCE_ASSISTANT 2

// A tool.
#define PLAN_GATE_SOURCE_TOOL 3

// A plug-in.
#define PLAN_GATE_SOURCE_PLUGIN 4

// The harness.
#define PLAN_GATE_SOURCE_SYSTEM 5

// Another agent.
#define PLAN_GATE_SOURCE_AGENT 6

// What one effect of a call is: reading a file.
#define PLAN_GATE_EFFECT_READ 1

// Changing a file.
#define PLAN_GATE_EFFECT_WRITE 2

// Running a command line.
#define PLAN_GATE_EFFECT_EXECUTE 3

// Reaching the network.
#define PLAN_GATE_EFFECT_FETCH 4

// Starting a sub-agent.
#define PLAN_GATE_EFFECT_DELEGATE 5

// Whatever the tool's name says.
#define PLAN_GATE_EFFECT_OTHER 6

// How a reply was read (bits 0-7 of a reply's answer): neither of the two.
#define PLAN_GATE_REPLY_OTHER 0

// A plain yes.
#define PLAN_GATE_REPLY_APPROVE 1

// A yes with something added.
#define PLAN_GATE_REPLY_AMEND 2

// What a reply did (bits 8-15 of its answer): nothing.
#define PLAN_GATE_SETTLED_IGNORED 0

// The draft is approved.
#define PLAN_GATE_SETTLED_DRAFT_APPROVED 1

// The held call joined the approved scope.
#define PLAN_GATE_SETTLED_HELD_APPROVED 2

// An amendment: the model revises.
#define PLAN_GATE_SETTLED_AMENDED 3

// Everything is cleared.
#define PLAN_GATE_SETTLED_CLEARED 4

// A question that clears nothing.
#define PLAN_GATE_SETTLED_KEPT 5

// An approval for something that is not current any more.
#define PLAN_GATE_SETTLED_STALE 6

// The draft was rejected by a button.
#define PLAN_GATE_SETTLED_DRAFT_REJECTED 7

// The held call was rejected by a button.
#define PLAN_GATE_SETTLED_HELD_REJECTED 8

// A gate: a compiled configuration, immutable, and the sessions that live under it. May be shared
// between threads. Sessions keep it alive, so gate and sessions may be freed in any order.
typedef struct plan_gate plan_gate;

// Plan mode of one agent: guidance and a reviewed exit. It never blocks a call, and knows nothing of
// any gate.
typedef struct plan_gate_plan_mode plan_gate_plan_mode;

// One conversation. Calls on one session and its sub-agents run one after another under their own
// lock; different families do not wait for each other.
typedef struct plan_gate_session plan_gate_session;

// One of PLAN_GATE_STATUS_*. Zero is success; an unknown value is an error.
typedef uint32_t plan_gate_status;

// Bytes owned by the library: free them with plan_gate_buf_free, never with free(). `data` is null
// after an answer without text, and otherwise `data[len]` is 0.
typedef struct {
  // The bytes, UTF-8.
  char *data;
  // Their number, without the closing 0.
  size_t len;
  // For the library; leave alone.
  size_t cap;
} plan_gate_buf;

// An answer packed into one integer: bits 0-7 a verdict, bits 8-23 a reason, bits 24-39 a status, the
// rest zero. Zero is deny. The value is exact in a double.
typedef uint64_t plan_gate_decision;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// ABI version of the loaded library. Compare it with PLAN_GATE_ABI_VERSION first; when they differ,
// make no other call and let nothing act.
PLAN_GATE_API uint32_t plan_gate_abi_version(void);

// "major.minor.patch" of the loaded library. Static.
PLAN_GATE_API const char *plan_gate_version(void);

// A short English text for a status. Static; an unknown status gets a text too.
PLAN_GATE_API const char *plan_gate_status_text(plan_gate_status status);

// Frees the bytes and empties the struct; a second call does nothing. NULL is ignored.
//
// Pointers:
// `buf` is null or was filled by this library and its fields were not changed since.
PLAN_GATE_API void plan_gate_buf_free(plan_gate_buf *buf);

// Compiles a configuration, a JSON object; (NULL, 0) means the defaults. On failure `*gate_out` is NULL
// and `error_out`, if not NULL, holds `{"error":{"kind","status","message"}}` that names the key.
//
// Pointers:
// `config_json` points to `config_json_len` bytes; `gate_out` and `error_out` may be written to.
PLAN_GATE_MUST_USE PLAN_GATE_API plan_gate_status plan_gate_new(
    const char *config_json,
    size_t config_json_len,
    plan_gate **gate_out,
    plan_gate_buf *error_out);

// Frees the handle. NULL is ignored. Open sessions stay usable.
//
// Pointers:
// `gate` is null, or came from plan_gate_new, was not freed, and no other call uses it now.
PLAN_GATE_API void plan_gate_free(plan_gate *gate);

// Answers one request that needs no session: one JSON object in, one out; `op` says what is asked
// (classify, match, schema, profiles). On failure the answer is `{"error":…}`.
//
// Pointers:
// `gate` is a live handle; `request_json` points to `request_json_len` bytes; `answer_out` may be
// written to.
PLAN_GATE_MUST_USE PLAN_GATE_API plan_gate_status plan_gate_request(
    const plan_gate *gate,
    const char *request_json,
    size_t request_json_len,
    plan_gate_buf *answer_out);

// A handle on the session `id`, whatever its place; a new root session, closed, when there is none.
// The id is any UTF-8 text of 1 to 1024 bytes.
//
// Pointers:
// `gate` is a live handle; `id` points to `id_len` bytes; `session_out` may be written to.
PLAN_GATE_MUST_USE PLAN_GATE_API plan_gate_status plan_gate_session_open(
    const plan_gate *gate,
    const char *id,
    size_t id_len,
    plan_gate_session **session_out);

// A handle on the sub-agent `id` of the session `parent`. It lives under the root's approval, live,
// never a copy. A parent nobody knows makes a session that may only read, for ever.
// LINEAGE_CONFLICT and LINEAGE_CYCLE change nothing.
//
// Pointers:
// `gate` is a live handle; `id` and `parent` point to as many bytes as said; `session_out` may be
// written to.
PLAN_GATE_MUST_USE PLAN_GATE_API plan_gate_status plan_gate_session_open_child(
    const plan_gate *gate,
    const char *id,
    size_t id_len,
    const char *parent,
    size_t parent_len,
    plan_gate_session **session_out);

// Frees the handle; the session lives on in its gate and can be opened again. NULL is ignored.
//
// Pointers:
// `session` is null, or came from this library, was not freed, and no other call uses it now.
PLAN_GATE_API void plan_gate_session_free(plan_gate_session *session);

// Ends the session and frees the handle. The approval of a root is gone, for its sub-agents too. Other
// handles on it stay valid and deny. NULL is ignored.
//
// Pointers:
// As plan_gate_session_free.
PLAN_GATE_API void plan_gate_session_close(plan_gate_session *session);

// Hot path: may this tool call run now? `args_json` is the JSON of the arguments, byte for byte as the
// host will use them. A call outside the approved plan is held: the same call again answers the same.
// For the words, send the same call as op "check" to plan_gate_session_request.
//
// Pointers:
// `session` is a live handle; `tool` and `args_json` point to as many bytes as said.
PLAN_GATE_MUST_USE PLAN_GATE_API plan_gate_decision plan_gate_session_check(
    const plan_gate_session *session,
    const char *tool,
    size_t tool_len,
    const char *args_json,
    size_t args_json_len);

// The same as one bool: true only for an allowed call, false for all else.
//
// Pointers:
// As plan_gate_session_check.
PLAN_GATE_MUST_USE PLAN_GATE_API bool plan_gate_session_allows(
    const plan_gate_session *session,
    const char *tool,
    size_t tool_len,
    const char *args_json,
    size_t args_json_len);

// Hot path for a host that knows the one effect of its call: no JSON, no tool profile. `kind` is one
// of PLAN_GATE_EFFECT_*, `value` the path, command line, URL or agent kind. The tool must still be in
// the plan's tools.
//
// Pointers:
// `session` is a live handle; `tool` and `value` point to as many bytes as said.
PLAN_GATE_MUST_USE PLAN_GATE_API plan_gate_decision plan_gate_session_check_effect(
    const plan_gate_session *session,
    const char *tool,
    size_t tool_len,
    uint32_t kind,
    const char *value,
    size_t value_len);

// Hot path: somebody wrote this. `source` is one of PLAN_GATE_SOURCE_*; only a user's message in a root
// session is a reply. Answers bits 0-7 PLAN_GATE_REPLY_*, bits 8-15 PLAN_GATE_SETTLED_*, bits 24-39 a
// status.
//
// `shown_id`, 32 hex digits, is the id of the draft or held call that was on screen when the message
// was sent; (NULL, 0) means the current one. A host that queues messages must pass it, or an old "ok"
// could approve a plan nobody saw. A user's text that cannot be read (bad UTF-8, too long) withdraws
// the approval, since it may have said stop.
//
// Pointers:
// `session` is a live handle; `text` and `shown_id` point to as many bytes as said.
PLAN_GATE_MUST_USE PLAN_GATE_API uint64_t plan_gate_session_reply(
    const plan_gate_session *session,
    uint32_t source,
    const char *text,
    size_t text_len,
    const char *shown_id,
    size_t shown_id_len);

// Everything a session can do, text included: one JSON object in, one out; `op` says what is asked
// (check, explain, reply, propose, settle, state, render, export, import, close). On failure the answer is
// `{"error":{"kind","status","message"}}`.
//
// Pointers:
// `session` is a live handle; `request_json` points to `request_json_len` bytes; `answer_out` may be
// written to.
PLAN_GATE_MUST_USE PLAN_GATE_API plan_gate_status plan_gate_session_request(
    const plan_gate_session *session,
    const char *request_json,
    size_t request_json_len,
    plan_gate_buf *answer_out);

// Makes the plan mode of one agent from a configuration, a JSON object with the key `section`. On
// failure `*plan_mode_out` is NULL and `error_out`, if not NULL, holds `{"error":…}`.
//
// Pointers:
// `config_json` points to `config_json_len` bytes; `plan_mode_out` and `error_out` may be written to.
PLAN_GATE_MUST_USE PLAN_GATE_API plan_gate_status plan_gate_plan_mode_new(
    const char *config_json,
    size_t config_json_len,
    plan_gate_plan_mode **plan_mode_out,
    plan_gate_buf *error_out);

// Frees the handle. NULL is ignored.
//
// Pointers:
// `plan_mode` is null, or came from plan_gate_plan_mode_new, was not freed, and no other call uses it
// now.
PLAN_GATE_API void plan_gate_plan_mode_free(plan_gate_plan_mode *plan_mode);

// Reports what happened to the agent, or asks: one JSON object in, one out; `op` says what. On failure
// the answer is `{"error":…}`.
//
// Pointers:
// `plan_mode` is a live handle; `request_json` points to `request_json_len` bytes; `answer_out` may be
// written to.
PLAN_GATE_MUST_USE PLAN_GATE_API plan_gate_status plan_gate_plan_mode_request(
    const plan_gate_plan_mode *plan_mode,
    const char *request_json,
    size_t request_json_len,
    plan_gate_buf *answer_out);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PLAN_GATE_H */
