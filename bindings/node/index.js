// plan-gate for Node: may this tool call run now?
//
// A thin layer over the C addon. Every call is synchronous: it is shorter than a hop to another
// thread. Objects belong to the thread that made them; a worker makes its own.
import { createRequire } from 'node:module'
import { reasons, replyKinds, settlements, sources, statuses } from './numbers.js'

export { effects, reasons, replyKinds, settlements, sources, statuses } from './numbers.js'

/** Number of the C interface this package is written for. */
export const abiVersion = 1

/** What the library reports. `code` is a name of {@link statuses}, or `closed` for a closed object. */
export class PlanGateError extends Error {
  name = 'PlanGateError'

  constructor(code, message, answer) {
    super(message)
    this.code = code
    /** The library's answer in JSON, where it gave one. */
    this.answer = answer
  }
}

const native = load()

/** Version of the loaded library, `major.minor.patch`. */
export const version = native.version()

/** A library of another contract answers other questions, so nothing of it is used. */
function load() {
  const addon = createRequire(import.meta.url)('./build/plan_gate.node')
  const found = addon.abiVersion()
  if (found === abiVersion) return addon
  const age = found < abiVersion ? 'older' : 'newer'
  throw new PlanGateError('abi_mismatch',
    `the plan gate library is ${age} than this package (interface ${found}, expected ${abiVersion}): install both from one release, and let nothing act until then`)
}

const named = numbers => new Map(Object.entries(numbers).map(([name, number]) => [number, name]))
const reasonNames = named(reasons)
const replyNames = named(replyKinds)
const settlementNames = named(settlements)
const statusNames = named(statuses)

// Packed answers are below 2^40: too large for bit operators, exact as numbers.
const bits = (packed, from, count) => Math.floor(packed / 2 ** from) % 2 ** count

/** Whether a packed decision lets the call run; zero and anything unknown do not. */
export const allows = decision => decision % 256 === 1

/** A packed decision in words. */
export const readDecision = decision => ({
  allows: allows(decision),
  reason: reasonNames.get(bits(decision, 8, 16)) ?? 'unavailable',
  status: statusNames.get(bits(decision, 24, 16)) ?? 'unknown_number',
})

/** A packed reply in words. */
export const readReply = reply => ({
  kind: replyNames.get(bits(reply, 0, 8)) ?? 'other',
  settlement: settlementNames.get(bits(reply, 8, 8)) ?? 'ignored',
  status: statusNames.get(bits(reply, 24, 16)) ?? 'unknown_number',
})

/** Calls the library; what it reports becomes a PlanGateError. */
function call(body) {
  try {
    return body()
  } catch (error) {
    throw translated(error)
  }
}

function translated(error) {
  if (error.code === 'ERR_CLOSED') return new PlanGateError('closed', 'this object was closed')
  const status = Number(error.code)
  if (!Number.isInteger(status)) return error
  if (error.message === '') return new PlanGateError(statusNames.get(status) ?? 'unknown', native.statusText(status))
  const { kind, message } = JSON.parse(error.message).error
  return new PlanGateError(kind, message, error.message)
}

const json = value => typeof value === 'string' ? value : JSON.stringify(value)

/** A compiled configuration, and the sessions that live under it. */
export class Gate {
  #handle

  /** @param config the configuration, an object or its JSON; unknown keys are errors that name the key */
  constructor(config = {}) {
    this.#handle = call(() => native.gateNew(json(config)))
  }

  /** The session with this id, whatever its place; a new one, closed, when there is none. */
  session(id) {
    return Session.from(this, call(() => native.sessionOpen(this.#handle, id)))
  }

  /** The sub-agent `id` of `parent`: it lives under its root's approval. */
  child(id, parent) {
    return Session.from(this, call(() => native.sessionOpenChild(this.#handle, id, parent)))
  }

  /** One request that needs no session: `classify`, `match`, `schema`, `profiles`. */
  request(request) {
    return JSON.parse(this.requestText(JSON.stringify(request)))
  }

  /** The same with JSON text on both sides, as the library takes and gives it. */
  requestText(text) {
    return call(() => native.gateRequest(this.#handle, text))
  }

  /** Name, description and JSON Schema of `propose_plan`, in `zh` or `en`. */
  schema(language = 'en') {
    return this.request({ op: 'schema', language })
  }

  /** Frees the gate; open sessions stay usable. A second call does nothing. */
  close() {
    native.gateClose(this.#handle)
  }
}

/** One conversation, made by {@link Gate.session} or {@link Gate.child}. */
export class Session {
  #gate
  #handle

  static from(gate, handle) {
    const session = new Session()
    session.#gate = gate
    session.#handle = handle
    return session
  }

  /** The gate it lives under. */
  get gate() {
    return this.#gate
  }

  /**
   * May this call run now? The packed decision, for {@link allows} and {@link readDecision}. A call
   * outside the approved plan is held: the same call again answers the same.
   *
   * `args` is the JSON of the arguments (string or UTF-8 bytes) as the host will use them.
   */
  check(tool, args) {
    try {
      return native.sessionCheck(this.#handle, tool, args)
    } catch (error) {
      throw translated(error)
    }
  }

  /** {@link Session.check} as a boolean. */
  allows(tool, args) {
    return allows(this.check(tool, args))
  }

  /** For a host that knows the one effect of its call; `kind` is one of {@link effects}. */
  checkEffect(tool, kind, value) {
    return call(() => native.sessionCheckEffect(this.#handle, tool, kind, value))
  }

  /**
   * Somebody wrote this; only the user's own words are a reply. The packed answer, for
   * {@link readReply}. `shown` is the id that was on screen when the message was sent: a host whose
   * messages can queue must pass it, or an old "ok" could approve a plan nobody saw.
   */
  reply(text, shown, source = sources.user) {
    return call(() => native.sessionReply(this.#handle, source, text, shown))
  }

  /** One request of this session: `check`, `reply`, `propose`, `settle`, `state`, `render`, `export`, `import`. */
  request(request) {
    return JSON.parse(this.requestText(JSON.stringify(request)))
  }

  /** The same with JSON text on both sides, as the library takes and gives it. */
  requestText(text) {
    return call(() => native.sessionRequest(this.#handle, text))
  }

  /** {@link Session.check} with reason, id, what is outside, and the words for the model. */
  answer(tool, args) {
    return this.request({ op: 'check', tool, argsText: args })
  }

  /** The model proposes: the arguments of `propose_plan`, whatever they are. */
  propose(plan) {
    return this.request({ op: 'propose', plan: plan ?? null })
  }

  /** Where the session stands. */
  state() {
    return this.request({ op: 'state' })
  }

  /** Ends the session, for every handle on it and for its sub-agents, and closes this one. */
  end() {
    native.sessionEnd(this.#handle)
  }

  /** Frees the handle; the session lives on in its gate. A second call does nothing. */
  close() {
    native.sessionClose(this.#handle)
  }
}

/** Plan mode, the soft half: guidance and a reviewed exit for one agent. It never refuses a call. */
export class PlanMode {
  #handle

  /** @param config `{section}`, the guidance text; an object or its JSON */
  constructor(config) {
    this.#handle = call(() => native.planModeNew(json(config)))
  }

  /** One report or question, `{op, …}`; see the table in docs. */
  request(request) {
    return JSON.parse(this.requestText(JSON.stringify(request)))
  }

  /** The same with JSON text on both sides, as the library takes and gives it. */
  requestText(text) {
    return call(() => native.planModeRequest(this.#handle, text))
  }

  /** Frees it. A second call does nothing. */
  close() {
    native.planModeClose(this.#handle)
  }
}
