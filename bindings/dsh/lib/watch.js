// Every session of the host, seen through its log, and the gate's answer to every call.
import path from 'node:path'
import { Gate, allows } from './library.js'
import { controlTool } from './propose-plan.js'
import { Follower } from './follower.js'

/** Calls made outside any agent belong to nobody, so nobody can approve anything for them. */
const NOBODY = 'plan-gate: calls without an agent'
/** The directory where no session matters: the top of the file system. */
const NOWHERE = path.parse(process.cwd()).root

export class Watch {
  #settings
  #liveSession
  #livesOn
  #log
  /** One gate per working directory: relative paths mean something else in each. */
  #gates = new Map()
  /** Session id to its seat in a gate; kept while the process lives, so that a family stays whole. */
  #seats = new Map()
  #followers = new Map()

  /**
   * @param settings the library's configuration without `root`
   * @param liveSession session id to the host's live session, or undefined
   * @param livesOn whether the tool of a call is a shell that lives on between calls
   */
  constructor(settings, { liveSession, livesOn }, log) {
    this.#settings = settings
    this.#liveSession = liveSession
    this.#livesOn = livesOn
    this.#log = log
    // Now rather than at the first call: a bad configuration must stop the boot.
    this.#gate(NOWHERE)
  }

  close() {
    for (const gate of this.#gates.values()) gate.close()
  }

  /** Description and JSON Schema of `propose_plan`, in the language the configuration fixes. */
  schema() {
    return this.#gate(NOWHERE).schema(this.#settings.locale === 'zh' ? 'zh' : 'en')
  }

  /** Why a call must not run, or undefined if it may. Never throws. */
  refusal(exec) {
    try {
      const broken = this.#follower(exec.agent)?.broken
      if (broken !== undefined) return `plan-gate (unavailable): ${broken}`
      const seat = this.#seat(exec.agent)
      // What the host will run is the parsed value, so the gate judges that and not the model's text.
      const args = JSON.stringify(this.#livesOn(exec) ? withState(exec.arguments) : exec.arguments) ?? 'null'
      if (allows(seat.check(exec.name, args))) return undefined
      const { reason, text } = seat.answer(exec.name, args)
      return `plan-gate (${reason}): ${text}`
    } catch (error) {
      return `plan-gate (unavailable): ${error.message}`
    }
  }

  /**
   * Puts a plan before the user: the words for the model and the card for the user. Throws with every
   * fault if it is not a plan.
   */
  propose(args, exec) {
    if (exec.agent === undefined) throw new Error('plan-gate (unavailable): a plan belongs to a session, and this call has none')
    const seat = this.#seat(exec.agent)
    const answer = seat.propose(args ?? null)
    if (!answer.ok) throw new Error(`plan-gate (${answer.reason ?? 'invalid_plan'}): ${answer.text}`)
    if (this.#settings.debug) this.#log.info(`session ${exec.agent.session.id}: plan ${answer.id} waits for the user`)
    return { text: answer.text, card: answer.rendered }
  }

  /** One event of a session's log. Never throws: the host would only log it and keep the old state. */
  follow(session, event) {
    if (isChild(session)) return
    try {
      this.#seatOf(session)
      this.#followers.get(session.id).take(session, event)
    } catch (error) {
      this.#log.warn(`session ${session.id} cannot be followed: ${error.message}`)
      this.#followers.get(session.id)?.shut(error)
    }
  }

  #follower(agent) {
    for (let session = agent?.session, depth = 0; session !== undefined && depth < 100; depth++) {
      if (!isChild(session)) return this.#followers.get(session.id)
      session = this.#liveSession(session.header.parentSession)
    }
    return undefined
  }

  #seat(agent) {
    if (agent === undefined) return this.#gate(NOWHERE).session(NOBODY)
    return this.#seatOf(agent.session)
  }

  #seatOf(session) {
    return this.#seats.get(session.id) ?? (isChild(session) ? this.#childSeat(session) : this.#rootSeat(session))
  }

  #rootSeat(session) {
    const seat = this.#gate(session.header.cwd ?? process.cwd()).session(session.id)
    const follower = new Follower(seat, this.#settings.debug ? text => this.#log.info(`session ${session.id}: ${text}`) : undefined)
    this.#seats.set(session.id, seat)
    this.#followers.set(session.id, follower)
    follower.replay(session, this.#trustedFrom(session.header))
    return seat
  }

  /**
   * A sub-agent sits under its parent by the header, not by the host's ownership: background ones have
   * no owner, and are made again under the same id. Where the parent is unknown, so is the approval,
   * and the library lets such a session read at most.
   */
  #childSeat(session, below = new Set()) {
    const { parentSession, cwd } = session.header
    if (below.has(session.id)) throw new Error(`session ${session.id} is its own ancestor`)
    const parent = this.#liveSession(parentSession)
    if (!this.#seats.has(parentSession) && parent !== undefined) {
      if (isChild(parent)) this.#childSeat(parent, below.add(session.id))
      else this.#rootSeat(parent)
    }
    // Relative paths of a sub-agent elsewhere would be read against the wrong directory; in a gate of
    // its own directory it has no parent.
    const parentSeat = this.#seats.get(parentSession)
    const own = this.#gate(cwd ?? process.cwd())
    const seat = own.child(session.id, parentSeat?.gate === own ? parentSession : `elsewhere: ${parentSession}`)
    this.#seats.set(session.id, seat)
    return seat
  }

  /**
   * The first event whose words can be a person's. A fork by the user carries the log of what it was
   * forked from; if that was a sub-agent, or nobody knows any more, a model wrote its messages.
   */
  #trustedFrom(header) {
    for (let { parentSession } = header, depth = 0; parentSession !== undefined; depth++) {
      const parent = this.#liveSession(parentSession)
      if (parent === undefined || isChild(parent) || depth > 100) return header.seedLength ?? Infinity
      parentSession = parent.header.parentSession
    }
    return 0
  }

  #gate(root) {
    let gate = this.#gates.get(root)
    if (gate === undefined) {
      gate = new Gate({ ...this.#settings, root, controlTools: [controlTool] })
      this.#gates.set(root, gate)
    }
    return gate
  }
}

/**
 * What a line does in a shell that lives on depends on all that was typed into it before: the directory,
 * functions, a program that reads the next line as its input. No entry says that, so the call carries an
 * argument that no profile knows, and each one needs a yes of its own.
 */
const withState = args => args !== null && typeof args === 'object' && !Array.isArray(args) ? { ...args, 'state of the shell': true } : args

const isChild = session => session.header.origin === 'subagent'
