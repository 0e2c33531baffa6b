// Drives DSH headless through the turns of a case: any number of user turns, several sessions at
// once, steered and queued messages, resume and fork (the shipped headless profile takes one task).
//
//   DRIVER_JOB  file with {turns: [...], sessions: {name: id}}; `sessions` are resumed, others made
//   DRIVER_OUT  file that gets {sessions: {name: id}, results: [...], calls: [...]}
//
// A turn is {user, session = "main", via = "followup" | "steer" | "inject", wait = true, source,
// fork, command, orphan, repeat}; README.md says what they mean. Nothing is imported from the host: a linked package cannot see its packages.
import { randomUUID } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export const name = 'plan-gate-test-driver'
export const inject = ['agents', 'agentDefaultModel', 'sessions', 'sessionPersistence', 'tools', 'commands']

export function apply(ctx) {
  const job = JSON.parse(readFileSync(process.env.DRIVER_JOB, 'utf8'))
  const out = { sessions: { ...job.sessions }, results: [], cards: [] }
  // A rival plug-in that stands in front and lets everything through.
  if (job.rival) ctx.on('tools/pre-execute', async () => ({ kind: 'allow' }), { prepend: true })
  ctx.on('tools/result', (exec, result) => {
    out.results.push({
      session: exec.agent?.session.id ?? null,
      callId: exec.callId,
      tool: exec.name,
      failed: result.isError,
      text: textOf(result.content ?? []),
      files: snapshot(process.cwd()),
    })
  })
  // What the web interface shows for a result, made as it makes it.
  ctx.on('session/event', (session, { type, data }) => {
    if (type !== 'tool/result') return
    const [{ content, isError }] = data.message.content
    const call = session.events.findLast(event => event.type === 'tool/call' && event.data.callId === data.message.source.callId)
    if (call?.data.name !== 'propose_plan') return
    const args = JSON.parse(call.data.arguments)
    const view = ctx.tools.get('propose_plan').presentResult(args, { content, isError, meta: data.meta })
    if (view !== undefined) out.cards.push({ callId: call.data.callId, title: view.title, text: textOf(view.content) })
  })
  const children = []
  ctx.on('agent/created', ({ agent }) => {
    if (agent.session.header.origin === 'subagent') children.push(agent.session)
  })
  const exit = ctx.get('appExit')
  const finish = (code) => {
    writeFileSync(process.env.DRIVER_OUT, JSON.stringify(out, null, 1))
    exit(code)
  }
  play(ctx, job, out, children).then(() => finish(0), (error) => {
    process.stderr.write(`driver: ${error.stack ?? error}\n`)
    finish(1)
  })
}

async function play(ctx, job, out, children) {
  await ctx.get('loader')?.await()
  const { provider, model } = ctx.agentDefaultModel.currentSelection()
  const agentOptions = { provider, model }
  const agents = new Map()
  const open = async (name) => {
    const resumeSessionId = job.sessions?.[name]
    const { agent } = resumeSessionId
      ? await ctx.agents.resume({ resumeSessionId, agentOptions })
      : await ctx.agents.create({ sessionId: `session-${randomUUID()}`, meta: { cwd: process.cwd() }, agentOptions })
    await agent.whenIdle()
    out.sessions[name] = agent.session.id
    agents.set(name, agent)
    return agent
  }
  for (const turn of job.turns) {
    const name = turn.session ?? 'main'
    if (turn.fork) {
      const source = turn.fork === 'child' ? children.at(-1) : agents.get(turn.fork).session
      const { agent } = await fork(ctx, source, agentOptions)
      out.sessions[name] = agent.session.id
      agents.set(name, agent)
    }
    const agent = agents.get(name) ?? await open(name)
    if (turn.pause) await new Promise(done => setTimeout(done, turn.pause))
    if (turn.orphan) await callWithoutAgent(ctx, turn.orphan, out)
    if (turn.command) await ctx.commands.execute(agent, turn.command, [], new AbortController().signal)
    else agent[turn.via ?? 'followup'](message(turn))
    if (turn.wait === false) continue
    await settle(ctx)
    for (const live of agents.values()) await ctx.sessions.flush(live.session)
  }
  await settle(ctx)
}

const message = ({ user, repeat = 1, source = { kind: 'user' } }) =>
  ({ id: randomUUID(), role: 'user', content: [{ type: 'text', text: user.repeat(repeat) }], source })

/** What the web interface does when a user forks a session: a root of its own, seeded, no origin. */
async function fork(ctx, source, agentOptions) {
  const seed = source.events.slice()
  return ctx.agents.create({
    sessionId: `session-${randomUUID()}`,
    seed,
    meta: { cwd: process.cwd(), parentSession: source.id, seedLength: seed.length },
    agentOptions,
  })
}

/** Another plug-in's call, made outside any agent. */
async function callWithoutAgent(ctx, { tool, args }, out) {
  const result = await ctx.tools.execute({
    name: tool, arguments: args, callId: 'orphan', rootCallId: 'orphan', signal: new AbortController().signal,
  }).catch(error => ({ isError: true, content: [{ type: 'text', text: `thrown: ${error.message}` }] }))
  out.orphan = { failed: result.isError, text: textOf(result.content ?? []) }
}

/** Wait until no agent works any more; background sub-agents outlive the turn that started them. */
async function settle(ctx) {
  for (let round = 0; round < 50; round++) {
    const busy = ctx.agents.list().filter(agent => agent.status === 'running')
    await Promise.all(ctx.agents.list().map(agent => agent.whenIdle()))
    if (busy.length === 0) return
  }
}

const textOf = blocks => blocks.map(block => block.text ?? (block.content ? textOf(block.content) : '')).join('')

/** Every small file below the working directory, with its text. */
function snapshot(root) {
  const files = {}
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const full = path.join(entry.parentPath, entry.name)
    files[path.relative(root, full)] = readFileSync(full, 'utf8')
  }
  return files
}
