// The numbers of plan_gate.h by their stable names; a test compares them with the header.

/** Status of a call itself; 0 is success. */
export const statuses = Object.freeze({
  ok: 0,
  null_argument: 100,
  invalid_utf8: 101,
  too_large: 102,
  unknown_number: 103,
  invalid_json: 110,
  invalid_request: 111,
  invalid_config: 120,
  invalid_profile: 121,
  invalid_plan: 130,
  invalid_snapshot: 131,
  lineage_conflict: 140,
  lineage_cycle: 141,
  nothing_to_settle: 142,
  child_not_allowed: 143,
  plan_mode: 150,
  panic: 190,
  poisoned: 191,
})

/** Why a call may or may not run. */
export const reasons = Object.freeze({
  unavailable: 0,
  read_only: 10,
  in_scope: 11,
  allowed_tool: 12,
  exempt_delegated: 13,
  control_tool: 14,
  closed: 20,
  awaiting_approval: 21,
  amendment_required: 22,
  outside: 23,
  question_open: 24,
  unknown_parent: 25,
  child_cannot_propose: 26,
  arguments_not_object: 30,
  duplicate_key: 31,
  argument_missing: 32,
  argument_type: 33,
  path_unusable: 34,
  arguments_too_large: 35,
  read_not_understood: 36,
  patch_unreadable: 37,
  never_grantable: 40,
  protected_file: 41,
  poisoned: 50,
})

/** How a reply was read. */
export const replyKinds = Object.freeze({
  other: 0,
  approve: 1,
  amend: 2,
})

/** What a reply did. */
export const settlements = Object.freeze({
  ignored: 0,
  draft_approved: 1,
  held_approved: 2,
  amended: 3,
  cleared: 4,
  kept: 5,
  stale: 6,
  draft_rejected: 7,
  held_rejected: 8,
})

/** Who wrote a message; only the user's is a reply. */
export const sources = Object.freeze({
  user: 1,
  assistant: 2,
  tool: 3,
  plugin: 4,
  system: 5,
  agent: 6,
})

/** What one effect of a call is. */
export const effects = Object.freeze({
  read: 1,
  write: 2,
  execute: 3,
  fetch: 4,
  delegate: 5,
  other: 6,
})
