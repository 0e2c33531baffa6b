import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allows, Gate, PlanGateError, PlanMode, readDecision, readReply, sources, version } from '../index.js'

const write = file => JSON.stringify({ file_path: file, content: 'x' })
const plan = { title: 'SMS login', plan: 'Rewrite the form.', tools: ['write'], files: ['src/login.js'] }
const open = (config = {}) => new Gate({ profile: 'dsh', root: '/shop', ...config })
const reason = (session, tool, args) => readDecision(session.check(tool, args)).reason
const settled = (session, text, shown, source) => readReply(session.reply(text, shown, source)).settlement

test('a conversation: refused, proposed, amended, proposed, approved, held, granted', () => {
  const session = open().session('s')
  assert.equal(reason(session, 'read', JSON.stringify({ file_path: 'src/login.js' })), 'read_only')
  assert.equal(reason(session, 'write', write('src/login.js')), 'closed')
  assert.equal(session.propose(plan).ok, true)
  assert.equal(reason(session, 'write', write('src/login.js')), 'awaiting_approval')
  assert.equal(settled(session, '同意，但还要加个日志'), 'amended')
  const refused = session.answer('write', write('src/login.js'))
  assert.equal(refused.reason, 'amendment_required')
  assert.match(refused.text, /还要加个日志/)
  session.propose(plan)
  assert.equal(settled(session, '同意'), 'draft_approved')
  assert.equal(session.allows('write', write('src/login.js')), true)
  const held = session.answer('write', write('src/db.js'))
  assert.deepEqual([held.decision, held.outside[0].value], ['hold', 'src/db.js'])
  assert.equal(session.state().held.id, held.id)
  assert.equal(settled(session, 'yes', held.id), 'held_approved')
  assert.equal(session.allows('write', write('src/db.js')), true)
})

test('an approval names what was on screen', () => {
  const session = open().session('s')
  const first = session.propose(plan).id
  session.propose({ ...plan, files: ['/'] })
  assert.equal(settled(session, 'ok', first), 'stale')
  assert.equal(session.allows('write', write('a')), false)
})

test('only the user replies', () => {
  const session = open().session('s')
  session.propose(plan)
  for (const [name, source] of Object.entries(sources)) {
    if (name !== 'user') assert.equal(settled(session, 'ok', undefined, source), 'ignored', name)
  }
  assert.equal(session.state().phase, 'proposed')
})

test('a sub-agent lives under its parent, and an orphan reads', () => {
  const gate = open()
  const root = gate.session('root')
  const child = gate.child('child', 'root')
  const orphan = gate.child('orphan', 'nobody')
  root.propose(plan)
  root.reply('ok')
  assert.equal(child.allows('write', write('src/login.js')), true)
  assert.equal(reason(orphan, 'write', write('src/login.js')), 'unknown_parent')
  root.reply('stop')
  assert.equal(child.allows('write', write('src/login.js')), false)
  assert.throws(() => gate.child('root', 'child'), error => error instanceof PlanGateError && /lineage/.test(error.code))
})

test('arguments reach the library as they are', () => {
  const session = open().session('s')
  session.propose({ ...plan, files: ['目录'] })
  session.reply('ok')
  const long = JSON.stringify({ file_path: '目录/文件', content: '汉'.repeat(5000) })
  for (const length of [2040, 2043, 2044, 2045, 2046, 2047, 2048, 2049]) {
    const args = JSON.stringify({ file_path: '目录/a', content: '' })
    const padded = args.slice(0, -2) + 'x'.repeat(length - Buffer.byteLength(args)) + '"}'
    assert.equal(Buffer.byteLength(padded), length)
    assert.equal(session.allows('write', padded), true, `${length} bytes`)
  }
  assert.equal(session.allows('write', long), true)
  assert.equal(session.allows('write', Buffer.from(long)), true)
  assert.equal(session.allows('write', new Uint8Array(Buffer.from(long))), true)
  assert.equal(reason(session, 'write', '{"file_path":"目录/a","file_path":"/etc/x","content":""}'), 'duplicate_key')
  assert.equal(reason(session, 'write', ''), 'argument_missing', 'no text is an empty object')
  assert.equal(reason(session, 'write', Buffer.from([0x7b, 0xff, 0x7d])), 'arguments_not_object')
  assert.equal(session.allows('write', '{"file_path":"目录/\ud800","content":""}'), true, 'a lone surrogate is replaced, not dropped')
  assert.equal(session.allows('write', JSON.stringify({ file_path: '目录/a', content: 'x'.repeat(5 << 20) })), false)
})

test('a reply that cannot be read withdraws the approval', () => {
  for (const text of [Buffer.from([0xff]), 'x'.repeat((4 << 20) + 1)]) {
    const session = open().session('s')
    session.propose(plan)
    session.reply('ok')
    session.reply(text)
    assert.equal(session.state().phase, 'closed')
  }
})

test('a gate that knows the effect', () => {
  const session = open().session('s')
  session.propose(plan)
  session.reply('ok')
  assert.equal(allows(session.checkEffect('write', 2, 'src/login.js')), true)
  assert.equal(readDecision(session.checkEffect('write', 99, 'src/login.js')).status, 'unknown_number')
})

test('errors say what is wrong where', () => {
  const failing = [
    [() => new Gate({ alowTools: [] }), 'invalid_config', /alowTools/],
    [() => new Gate('{"locale":"fr"}'), 'invalid_config', /locale/],
    [() => open().session(''), 'invalid_request', /./],
    [() => open().session('s').request({ op: 'dance' }), 'invalid_request', /dance/],
    [() => open().requestText('{'), 'invalid_json', /./],
    [() => open().session('s').request({ op: 'settle', id: '0'.repeat(32), approve: true }), 'nothing_to_settle', /./],
  ]
  for (const [body, code, message] of failing) {
    assert.throws(body, error => error instanceof PlanGateError && error.code === code && message.test(error.message))
  }
})

test('arguments of the wrong type throw and decide nothing', () => {
  const gate = open()
  const session = gate.session('s')
  for (const body of [
    () => session.check('write', { file_path: 'a' }), () => session.check('write'), () => session.check(7, '{}'),
    () => session.check('write', new Uint16Array(2)), () => session.reply(undefined), () => session.reply('ok', 5),
    () => session.reply('ok', undefined, 'user'), () => gate.session(), () => gate.child('a'), () => session.checkEffect('write', 'read', 'x'),
  ]) assert.throws(body, TypeError)
})

test('close is idempotent, and what was closed says so', () => {
  const gate = open()
  const session = gate.session('s')
  const mode = new PlanMode({ section: 'Plan first.' })
  for (const object of [session, gate, mode]) {
    object.close()
    object.close()
  }
  for (const body of [
    () => session.check('write', '{}'), () => session.reply('ok'), () => session.state(), () => session.checkEffect('write', 2, 'a'),
    () => gate.session('t'), () => gate.child('t', 's'), () => gate.schema(), () => mode.request({ op: 'get' }),
  ]) assert.throws(body, error => error instanceof PlanGateError && error.code === 'closed')
})

test('a session outlives its gate and its handles; end() ends it for all of them', () => {
  const gate = open()
  const one = gate.session('s')
  const two = gate.session('s')
  one.propose(plan)
  one.reply('ok')
  gate.close()
  one.close()
  assert.equal(two.allows('write', write('src/login.js')), true)
  const other = open()
  const [a, b] = [other.session('s'), other.session('s')]
  a.propose(plan)
  a.reply('ok')
  a.end()
  a.end()
  a.close()
  assert.equal(b.allows('write', write('src/login.js')), false)
})

test('snapshots carry a session over', () => {
  const session = open().session('s')
  session.propose(plan)
  session.reply('ok')
  const { snapshot } = session.request({ op: 'export' })
  const copy = open().session('s')
  copy.request({ op: 'import', snapshot })
  assert.equal(copy.allows('write', write('src/login.js')), true)
  const broken = snapshot.replace('src/login.js', 'src/logim.js')
  assert.notEqual(broken, snapshot)
  assert.throws(() => copy.request({ op: 'import', snapshot: broken }), error => error.code === 'invalid_snapshot')
  assert.equal(copy.state().phase, 'closed')
})

test('plan mode has its door', () => {
  assert.throws(() => new PlanMode({ section: ' ' }), error => error instanceof PlanGateError && /section/.test(error.message))
  assert.throws(() => new PlanMode({ section: 'Plan first.' }).request({ op: 'dance' }), error => error instanceof PlanGateError)
})

test('the schema is the tool', () => {
  for (const language of ['zh', 'en']) {
    const tool = open().schema(language)
    assert.equal(tool.name, 'propose_plan')
    assert.deepEqual(Object.keys(tool.parameters.properties), ['title', 'plan', 'tools', 'files', 'commands', 'urls', 'agents'])
  }
  assert.match(version, /^\d+\.\d+\.\d+$/)
})
