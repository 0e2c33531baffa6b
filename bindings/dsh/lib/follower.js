// Reads the log of one root session: what the user said, and what was on screen when they said it.
import { controlTool } from './propose-plan.js'

/** An id that no plan and no held call has: an approval that carries it is stale. */
const NOTHING = '0'.repeat(32)

export class Follower {
  /** Set when the gate itself failed here; every call of the family is refused from then on. */
  broken
  #seat
  #debug
  #next = 0
  #session
  /** Slash commands under way. Text that rides on one (`/plan ok`) speaks to the command, not to us. */
  #commands = new Set()
  /** Message id to what was on screen when it was sent. */
  #shown = new Map()
  /** Proposals of a replayed log whose result was not read yet. */
  #proposals = new Map()

  /** `debug` takes a line for every reply, if it is given. */
  constructor(seat, debug) {
    this.#seat = seat
    this.#debug = debug
  }

  /**
   * Brings the gate to where a recorded session left it. Events before `from` are passed over: their
   * words are not a person's.
   */
  replay(session, from) {
    this.#session = session
    for (const event of session.events) {
      this.#guarded(() => {
        if (event.seq >= from) this.#recorded(event)
      })
    }
    this.#next = session.events.length
    this.#proposals.clear()
    // Commands do not survive the process that ran them.
    this.#commands.clear()
  }

  /** One event as it happens. */
  take(session, event) {
    // Resumed in this process, from a log that may have lost its last events.
    if (session !== this.#session) this.#next = Math.min(this.#next, event.seq)
    this.#session = session
    if (event.seq < this.#next) return
    // A gap: events were appended while nobody listened.
    const missed = event.seq > this.#next ? session.events.slice(this.#next, event.seq) : []
    this.#next = event.seq + 1
    for (const each of [...missed, event]) this.#guarded(() => this.#spoken(each))
  }

  /** Closes the session: whatever an earlier reply had opened must not outlive an error. */
  shut(error) {
    try {
      // An empty message is neither approval nor amendment: everything is cleared.
      this.#seat.request({ op: 'reply', text: '' })
    } catch {
      this.broken = `the gate failed and stays closed in this session: ${error.message}`
    }
  }

  #guarded(read) {
    try {
      read()
    } catch (error) {
      this.shut(error)
    }
  }

  /** What a live call does arrives through the guard; in a recorded log it is read from the log. */
  #recorded({ type, data, ...event }) {
    if (type === 'tool/call') {
      if (data.name === controlTool) this.#proposals.set(data.callId, data.arguments)
      else this.#seat.check(data.name, JSON.stringify(parsed(data.arguments)))
    } else if (type === 'tool/result') {
      const [{ toolCallId, isError }] = data.message.content
      const proposal = this.#proposals.get(toolCallId)
      this.#proposals.delete(toolCallId)
      if (proposal !== undefined && !isError) this.#seat.propose(parsed(proposal))
    } else {
      this.#spoken({ type, data, ...event })
    }
  }

  #spoken({ type, data }) {
    switch (type) {
      case 'command/run': this.#commands.add(data.commandId); break
      case 'command/done': this.#commands.delete(data.commandId); break
      case 'agent/inbox/spliced': {
        for (const { id, source } of data.inserted) if (source.kind === 'user') this.#shown.set(id, this.#onScreen())
        break
      }
      case 'user/message': if (data.source.kind === 'user') this.#reply(data)
    }
  }

  #onScreen() {
    if (this.#commands.size > 0) return NOTHING
    const { held, draft } = this.#seat.state()
    return held?.id ?? draft?.id ?? NOTHING
  }

  #reply({ id, content }) {
    const shown = this.#shown.get(id) ?? NOTHING
    this.#shown.delete(id)
    const text = content.filter(block => block.type === 'text').map(block => block.text).join('\n')
    const attachments = content.some(block => block.type !== 'text')
    const answer = this.#seat.request({ op: 'reply', text, shown, attachments })
    this.#debug?.(`reply read: ${JSON.stringify(answer)}`)
  }
}

/** As the host reads a model's arguments: empty text is an empty object, what is not JSON is a string. */
function parsed(text) {
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
