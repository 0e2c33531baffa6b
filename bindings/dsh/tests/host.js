// As much of DSH as the plug-in touches, for what the real one cannot be made to do on demand. The
// rest is tested with the real one, see tests/dsh.
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import * as plugin from '../index.js'

export const home = path.join(os.tmpdir(), 'plan-gate-no-such-home')

export class Host {
  warnings = []
  notes = []
  tools = new Map()
  guards = []
  listeners = new Map()
  sessions = new Map()
  disposers = []

  constructor({ config, register, home: place = home } = {}) {
    const host = this
    const log = { warn: text => host.warnings.push(text), info: text => host.notes.push(text) }
    plugin.apply({
      baseUrl: `${pathToFileURL(path.join(place, 'profiles', 'test')).href}/`,
      get: name => name === 'dshHomePath' ? () => place : undefined,
      logger: () => log,
      effect: body => host.disposers.push(body()),
      on: (name, listener) => host.listeners.set(name, listener),
      sessions: { get: id => host.sessions.get(id) },
      tools: {
        register: register ?? (tool => host.tools.set(tool.name, tool)),
        guard: guard => host.guards.push(guard),
        get: name => host.tools.get(name),
      },
    }, config)
  }

  /** A session with an empty log; `header` as DSH writes it. */
  session(id, header = {}, events = []) {
    const session = { id, header: { version: 0, id, cwd: '/shop', ...header }, events: [] }
    this.sessions.set(id, session)
    for (const { type, data } of events) session.events.push({ type, data, seq: session.events.length })
    return session
  }

  append(session, type, data) {
    const event = { type, data, seq: session.events.length }
    session.events = [...session.events, event]
    this.listeners.get('session/event')(session, event)
  }

  /** A message from sending to its place in the conversation. */
  say(session, text, source = { kind: 'user' }) {
    const message = { id: `m${session.events.length}`, role: 'user', content: [{ type: 'text', text }], source }
    this.append(session, 'agent/inbox/spliced', { inserted: [message] })
    this.append(session, 'user/message', message)
  }

  exec(session, name, args) {
    return { name, arguments: args, callId: 'c', agent: session && { id: session.id, session }, concludeTurn: () => { this.concluded = true } }
  }

  /** The reason in a refusal; undefined for a call that may run. */
  refusal(session, name, args) {
    const said = this.guards.map(guard => guard(this.exec(session, name, args))).find(text => text !== undefined)
    return said === undefined ? undefined : /^plan-gate \((\w+)\): ./s.exec(said)[1]
  }

  propose(session, plan = { title: 'Hello', plan: 'Write it.', tools: ['write'], files: ['hello.txt'] }) {
    return this.tools.get('propose_plan').execute(plan, this.exec(session, 'propose_plan', plan))
  }
}

export const hello = ['write', { file_path: 'hello.txt', content: 'hi' }]
