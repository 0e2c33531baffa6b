/** One of the stable names of the C header, with its number. */
type Numbers<Names extends string> = Readonly<Record<Names, number>>

export type Status =
  | 'ok' | 'null_argument' | 'invalid_utf8' | 'too_large' | 'unknown_number' | 'invalid_json' | 'invalid_request'
  | 'invalid_config' | 'invalid_profile' | 'invalid_plan' | 'invalid_snapshot' | 'lineage_conflict' | 'lineage_cycle'
  | 'nothing_to_settle' | 'child_not_allowed' | 'plan_mode' | 'panic' | 'poisoned'

export type Reason =
  | 'unavailable' | 'read_only' | 'in_scope' | 'allowed_tool' | 'exempt_delegated' | 'control_tool'
  | 'closed' | 'awaiting_approval' | 'amendment_required' | 'outside' | 'question_open' | 'unknown_parent'
  | 'child_cannot_propose' | 'arguments_not_object' | 'duplicate_key' | 'argument_missing' | 'argument_type'
  | 'path_unusable' | 'arguments_too_large' | 'read_not_understood' | 'patch_unreadable' | 'never_grantable'
  | 'protected_file' | 'poisoned'

export type ReplyKind = 'other' | 'approve' | 'amend'

export type Settlement =
  | 'ignored' | 'draft_approved' | 'held_approved' | 'amended' | 'cleared' | 'kept' | 'stale'
  | 'draft_rejected' | 'held_rejected'

export type Source = 'user' | 'assistant' | 'tool' | 'plugin' | 'system' | 'agent'
export type EffectKind = 'read' | 'write' | 'execute' | 'fetch' | 'delegate' | 'other'
export type Language = 'zh' | 'en'

export const statuses: Numbers<Status>
export const reasons: Numbers<Reason>
export const replyKinds: Numbers<ReplyKind>
export const settlements: Numbers<Settlement>
export const sources: Numbers<Source>
export const effects: Numbers<EffectKind>

/** Number of the C interface this package is written for. */
export const abiVersion: number
/** Version of the loaded library, `major.minor.patch`. */
export const version: string

/** What the library reports; `message` says what is wrong where. */
export class PlanGateError extends Error {
  /** A {@link Status}, `closed` for a closed object, or `abi_mismatch`. */
  readonly code: Status | 'closed' | 'abi_mismatch' | (string & {})
  /** The library's answer in JSON, where it gave one. */
  readonly answer?: string
  constructor(code: string, message: string, answer?: string)
}

/** An answer packed into a number below 2^40; zero is deny. */
export type Decision = number
/** A reading packed into a number below 2^40; zero is "other, nothing done". */
export type Reply = number

export function allows(decision: Decision): boolean
export function readDecision(decision: Decision): { allows: boolean; reason: Reason; status: Status }
export function readReply(reply: Reply): { kind: ReplyKind; settlement: Settlement; status: Status }

/** The configuration; every key has a default, unknown keys are errors. */
export interface Config {
  locale?: 'auto' | Language
  exemptDelegated?: boolean
  debug?: boolean
  allowTools?: string[]
  gateTools?: string[]
  approvalWords?: string[]
  /** A shipped profile's name, or a profile. */
  profile?: string | object
  /** The working directory, absolute. */
  root?: string
  pathStyle?: 'auto' | 'posix' | 'macos' | 'windows'
  commandCase?: 'fold' | 'exact'
  shell?: string
  keepOnQuestion?: boolean
  /** Resolve symbolic links before comparing; needs `root`. */
  resolveSymlinks?: boolean
  /** Files and directories that no plan can ever cover. */
  protectedFiles?: string[]
  /** Names under which `propose_plan` is offered. */
  controlTools?: string[]
}

/** The arguments of `propose_plan`. */
export interface Plan {
  title: string
  plan: string
  tools?: string[]
  files?: string[]
  commands?: string[]
  urls?: string[]
  agents?: string[]
}

export interface Outside {
  kind: EffectKind
  value: string
  why: string
  nearest: string | null
}

export interface CallAnswer {
  decision: 'allow' | 'hold' | 'refuse'
  verdict: 'allow' | 'deny'
  reason: Reason
  code: number
  /** The held call. */
  id: string | null
  outside: Outside[]
  /** The sub-agent that made it. */
  child: string | null
  /** The words for the model. */
  text: string
}

export interface ProposalAnswer {
  ok: boolean
  id: string | null
  faults: { place: string; code: string; detail: string; text: string }[]
  reason: Reason | null
  warnings: { list: string; index: number; code: string; text: string }[]
  /** The plan as the user is to see it. */
  rendered: string | null
  /** The words for the model. */
  text: string
}

export interface State {
  role: 'root' | 'child' | 'orphan'
  phase: 'closed' | 'proposed' | 'revising' | 'approved'
  draft: { id: string; title: string } | null
  held: { id: string; child: string | null; outside: Outside[] } | null
  amendment: string | null
  title: string | null
  scope: Omit<Required<Plan>, 'title' | 'plan'> | null
  granted: Outside[]
  language: Language
}

/** A compiled configuration, and the sessions that live under it. */
export class Gate {
  constructor(config?: Config | string)
  /** The session with this id; a new one, closed, when there is none. */
  session(id: string): Session
  /** The sub-agent `id` of `parent`: it lives under its root's approval. */
  child(id: string, parent: string): Session
  /** `classify`, `match`, `schema`, `profiles`. */
  request(request: { op: string; [field: string]: unknown }): any
  /** The same with JSON text on both sides. */
  requestText(text: string): string
  /** The `propose_plan` tool. */
  schema(language?: Language): { name: string; description: string; parameters: object }
  /** Frees the gate; open sessions stay usable. */
  close(): void
}

/** One conversation, made by a {@link Gate}. */
export class Session {
  private constructor()
  readonly gate: Gate
  /** May this call run now? `args` is the arguments' JSON as the host will use them. */
  check(tool: string, args: string | Uint8Array): Decision
  allows(tool: string, args: string | Uint8Array): boolean
  /** For a host that knows the one effect of its call; `kind` is one of {@link effects}. */
  checkEffect(tool: string, kind: number, value: string): Decision
  /** `shown` is the id that was on screen when the message was sent; `source` one of {@link sources}. */
  reply(text: string | Uint8Array, shown?: string, source?: number): Reply
  /** `check`, `reply`, `propose`, `settle`, `state`, `render`, `export`, `import`. */
  request(request: { op: string; [field: string]: unknown }): any
  /** The same with JSON text on both sides. */
  requestText(text: string): string
  /** {@link Session.check} with everything there is to say. */
  answer(tool: string, args: string): CallAnswer
  /** The model proposes: the arguments of `propose_plan`, whatever they are. */
  propose(plan: Plan | unknown): ProposalAnswer
  state(): State
  /** Ends the session, for every handle on it and for its sub-agents, and closes this one. */
  end(): void
  /** Frees the handle; the session lives on in its gate. */
  close(): void
}

/** Plan mode, the soft half: guidance and a reviewed exit for one agent. It never refuses a call. */
export class PlanMode {
  constructor(config: { section: string } | string)
  request(request: { op: string; [field: string]: unknown }): any
  /** The same with JSON text on both sides. */
  requestText(text: string): string
  close(): void
}
