import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as plugin from '../index.js'
import { hello, home, Host } from './host.js'

async function approved(options, header) {
  const host = new Host(options)
  const session = host.session('s', header)
  host.say(session, 'make hello.txt')
  await host.propose(session)
  host.say(session, 'ok')
  assert.equal(host.refusal(session, ...hello), undefined)
  return { host, session }
}

test('the exports are those the host reads', () => {
  assert.equal(plugin.name, 'plan-gate')
  assert.equal(plugin.default, undefined)
})

test('a proposal ends the turn and shows a card', async () => {
  const host = new Host()
  const session = host.session('s')
  const args = { title: 'Hello', plan: 'Write it.', tools: ['write'], files: ['hello.txt'] }
  const shown = await host.propose(session, args)
  assert.equal(host.concluded, true)
  assert.equal(host.refusal(session, ...hello), 'awaiting_approval')
  const tool = host.tools.get('propose_plan')
  assert.equal(tool.output.render(args, shown)[0].text, shown.text)
  assert.equal(tool.presentCall(args).title, 'Hello')
  const card = tool.presentResult(args, { isError: false, meta: tool.output.presentationMeta(args, shown) })
  assert.equal(card.title, 'Hello')
  assert.match(card.content[0].text, /Write it\.[^]*hello\.txt/)
  assert.equal(tool.presentCall({ title: 5 }), undefined)
  assert.equal(tool.presentResult(args, { isError: true }), undefined)
})

test('an event that cannot be handled withdraws the approval', async () => {
  for (const data of [null, {}, { source: { kind: 'user' } }, { id: 'x', source: { kind: 'user' }, content: [null] }]) {
    const { host, session } = await approved()
    host.append(session, 'user/message', data)
    assert.equal(host.refusal(session, ...hello), 'closed', JSON.stringify(data))
  }
})

test('a message with no recorded insertion approves nothing, and can still close', async () => {
  const host = new Host()
  const session = host.session('s')
  await host.propose(session)
  host.append(session, 'user/message', { id: 'never inserted', source: { kind: 'user' }, content: [{ type: 'text', text: 'ok' }] })
  assert.equal(host.refusal(session, ...hello), 'awaiting_approval')
  host.append(session, 'user/message', { id: 'nor this', source: { kind: 'user' }, content: [{ type: 'text', text: 'stop' }] })
  assert.equal(host.refusal(session, ...hello), 'closed')
})

test('images alone are no reply, images with a yes are', async () => {
  const host = new Host()
  const session = host.session('s')
  await host.propose(session)
  const message = (id, ...content) => {
    const data = { id, source: { kind: 'user' }, content }
    host.append(session, 'agent/inbox/spliced', { inserted: [data] })
    host.append(session, 'user/message', data)
  }
  message('a', { type: 'image' })
  assert.equal(host.refusal(session, ...hello), 'awaiting_approval')
  message('b', { type: 'image' }, { type: 'text', text: 'ok' })
  assert.equal(host.refusal(session, ...hello), undefined)
})

test('text that rides on a slash command does not approve', async () => {
  const host = new Host()
  const session = host.session('s')
  await host.propose(session)
  host.append(session, 'command/run', { commandId: 'c1', name: 'plan' })
  const data = { id: 'a', source: { kind: 'user' }, content: [{ type: 'text', text: 'ok' }] }
  host.append(session, 'agent/inbox/spliced', { inserted: [data] })
  host.append(session, 'command/done', { commandId: 'c1', kind: 'success' })
  host.append(session, 'user/message', data)
  assert.equal(host.refusal(session, ...hello), 'awaiting_approval')
  host.say(session, 'ok')
  assert.equal(host.refusal(session, ...hello), undefined)
})

test('a tool that cannot be registered turns the gate off, with a warning', () => {
  const host = new Host({ register: () => { throw new Error('tool "propose_plan" is already registered') } })
  assert.deepEqual(host.guards, [])
  assert.equal(host.warnings.length, 1)
  assert.match(host.warnings[0], /GATE IS OFF.*already registered/)
})

test('debug writes down every reply', async () => {
  const { host } = await approved({ config: { debug: true } })
  assert.match(host.notes.at(-1), /^session s: reply read: .*draft_approved/)
  assert.deepEqual((await approved()).host.notes, [])
})

test('a configuration the library refuses stops the boot', () => {
  for (const [config, words] of [[{ alowTools: [] }, /alowTools/], [{ locale: 'fr' }, /locale/], [{ root: '/' }, /root/], [[], /mapping/], [{ approvalWords: ['不'] }, /不/]]) {
    assert.throws(() => new Host({ config }), words)
  }
})

test('a library that does not load stops the boot and says so', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'plan-gate-plugin-'))
  const source = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
  for (const file of ['index.js', 'lib', 'package.json']) cpSync(path.join(source, file), path.join(folder, file), { recursive: true })
  await assert.rejects(import(pathToFileURL(path.join(folder, 'index.js'))), new RegExp(`library for ${process.platform}-${process.arch} does not load`))
  rmSync(folder, { recursive: true })
})

test('sub-agents sit under their parent by the header, however deep, and nowhere else', async () => {
  const { host, session } = await approved()
  const child = host.session('child', { origin: 'subagent', parentSession: 's' })
  const grandchild = host.session('grandchild', { origin: 'subagent', parentSession: 'child' })
  assert.equal(host.refusal(grandchild, ...hello), undefined)
  assert.equal(host.refusal(child, ...hello), undefined)
  for (const [id, header] of [
    ['no parent', { origin: 'subagent' }],
    ['unknown parent', { origin: 'subagent', parentSession: 'gone' }],
    ['elsewhere', { origin: 'subagent', parentSession: 's', cwd: '/other' }],
  ]) {
    const orphan = host.session(id, header)
    assert.notEqual(host.refusal(orphan, ...hello), undefined, id)
  }
  const fork = host.session('fork', { parentSession: 's' })
  assert.equal(host.refusal(fork, ...hello), 'closed')
  host.say(child, 'stop')
  assert.equal(host.refusal(child, ...hello), undefined, 'a sub-agent has no user')
  host.say(session, 'stop')
  for (const each of [session, child, grandchild]) assert.equal(host.refusal(each, ...hello), 'closed')
})

test('a session that is its own ancestor is refused', () => {
  const host = new Host()
  host.session('a', { origin: 'subagent', parentSession: 'b' })
  host.session('b', { origin: 'subagent', parentSession: 'a' })
  assert.notEqual(host.refusal(host.sessions.get('a'), ...hello), undefined)
})

test('a recorded session comes back as it was, a fork of a sub-agent does not', async () => {
  const { session } = await approved()
  const plan = { title: 'Hello', plan: 'Write it.', tools: ['write'], files: ['hello.txt'] }
  const message = (id, text) => ({ id, source: { kind: 'user' }, content: [{ type: 'text', text }] })
  const log = (last, between = []) => [
    { type: 'tool/call', data: { callId: '1', name: 'propose_plan', arguments: JSON.stringify(plan) } },
    { type: 'tool/result', data: { message: { content: [{ toolCallId: '1', isError: false }] } } },
    ...between,
    ...last ? [{ type: 'agent/inbox/spliced', data: { inserted: [message('m', last)] } }, { type: 'user/message', data: message('m', last) }] : [],
  ]
  assert.ok(session)
  const cases = [
    ['waiting', log(), {}, 'awaiting_approval'],
    ['approved', log('ok'), {}, undefined],
    ['stopped', log('stop'), {}, 'closed'],
    ['failed proposal', log('ok').map(event => event.type === 'tool/result' ? { ...event, data: { message: { content: [{ toolCallId: '1', isError: true }] } } } : event), {}, 'closed'],
    ['broken log', log('ok', [{ type: 'tool/result', data: {} }]), {}, 'closed'],
    ['fork of a root', log('ok'), { parentSession: 'root', seedLength: 4 }, undefined],
    ['fork of a sub-agent', log('ok'), { parentSession: 'child', seedLength: 4 }, 'closed'],
    ['fork of a fork of a sub-agent', log('ok'), { parentSession: 'fork', seedLength: 4 }, 'closed'],
    ['fork of nobody', log('ok'), { parentSession: 'gone', seedLength: 4 }, 'closed'],
    ['its own words in a fork of nobody', log('ok'), { parentSession: 'gone', seedLength: 0 }, undefined],
  ]
  for (const [id, events, header, expected] of cases) {
    const host = new Host()
    host.session('root')
    host.session('child', { origin: 'subagent', parentSession: 'root' })
    host.session('fork', { parentSession: 'child', seedLength: 4 })
    assert.equal(host.refusal(host.session(id, header, events), ...hello), expected, id)
  }
})

test('what would unload the gate is in no plan', async () => {
  const host = new Host()
  const session = host.session('s')
  const plugin_ = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
  for (const file of [path.join(home, 'cordis.patch.yml'), path.join(home, 'profiles', 'test', 'cordis.patch.yml'), path.join(plugin_, 'index.js')]) {
    await assert.rejects(async () => host.propose(session, { title: 't', plan: 'p', tools: ['write'], files: [file] }), /plan-gate \(invalid_plan\)/)
    await host.propose(session, { title: 't', plan: 'p', tools: ['write', 'bash'], files: ['/'], commands: ['printf *'] })
    host.say(session, 'ok')
    assert.equal(host.refusal(session, 'write', { file_path: file, content: '' }), 'protected_file')
    assert.equal(host.refusal(session, 'bash', { command: `printf x > ${file}`, description: 'x' }), 'protected_file')
  }
})

test('a shell that lives on needs a yes for every line, one that does not follows the plan', async () => {
  const bash = ['bash', { command: 'npm test' }]
  for (const [properties, expected] of [[{ command: {}, workdir: {} }, undefined], [{ command: {} }, 'outside']]) {
    const host = new Host()
    host.tools.set('bash', { name: 'bash', parameters: { type: 'object', properties } })
    const session = host.session('s')
    await host.propose(session, { title: 't', plan: 'p', tools: ['bash'], commands: ['npm *'] })
    host.say(session, 'ok')
    assert.equal(host.refusal(session, ...bash), expected)
    if (expected === undefined) continue
    host.say(session, 'yes')
    assert.equal(host.refusal(session, ...bash), undefined, 'this line was allowed')
    assert.equal(host.refusal(session, 'bash', { command: 'npm run x' }), 'outside')
  }
})

test('an event nobody heard is read when the next one comes', async () => {
  const { host, session } = await approved()
  const message = { id: 'missed', source: { kind: 'user' }, content: [{ type: 'text', text: 'stop' }] }
  session.events = [...session.events, { type: 'user/message', seq: session.events.length, data: message }]
  host.append(session, 'step/start', { turn: 1, step: 1 })
  assert.equal(host.refusal(session, ...hello), 'closed')
})

test('a session resumed in the same process is read on, also where its log lost the end', async () => {
  const { host, session } = await approved()
  const copy = { ...session, events: session.events.slice(0, 1) }
  host.sessions.set('s', copy)
  host.say(copy, 'stop')
  assert.equal(host.refusal(copy, ...hello), 'closed')
})

test('a log with rubbish in it comes back closed', () => {
  const host = new Host()
  const plan = JSON.stringify({ title: 'Hello', plan: 'Write it.', tools: ['write'], files: ['hello.txt'] })
  const message = (id, text) => ({ id, source: { kind: 'user' }, content: [{ type: 'text', text }] })
  const session = host.session('s', {}, [
    { type: 'tool/call', data: { callId: '1', name: 'propose_plan', arguments: plan } },
    { type: 'tool/result', data: { message: { content: [{ toolCallId: '1', isError: false }] } } },
    { type: 'agent/inbox/spliced', data: { inserted: [message('m', 'ok')] } },
    { type: 'user/message', data: message('m', 'ok') },
  ])
  session.events.push(null, { type: 'user/message', seq: 5, data: message('n', 'why?') })
  assert.equal(host.refusal(session, ...hello), 'closed')
})

test('a proposal without a session is refused', async () => {
  const host = new Host()
  await assert.rejects(() => host.propose(undefined), /belongs to a session/)
})

test('unloading frees the gate, and what still asks is refused', async () => {
  const { host, session } = await approved()
  host.disposers.forEach(dispose => dispose())
  assert.equal(host.refusal(host.session('new'), ...hello), 'unavailable')
  assert.ok(session)
})
