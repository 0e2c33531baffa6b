// May this call write this path? Our addon, and what a Node harness would pick instead, in one run.
// usage: node peers.mjs FOLDER_WITH_NODE_MODULES [--quick]; prints one JSON object a line for the report.
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const bindings = path.join(here, '..', '..', '..', 'bindings', 'node')
const { Gate, allows, effects } = await import(path.join(bindings, 'index.js'))
const native = createRequire(import.meta.url)(path.join(bindings, 'build', 'plan_gate.node'))
const installed = createRequire(path.join(path.resolve(process.argv[2] ?? here), 'node_modules', 'x.js'))
const quick = process.argv.includes('--quick')

const directories = n => Array.from({ length: n }, (_, i) => `src/module_${i}/sub`)
const asks = (n, inside) =>
  Array.from({ length: 16 }, (_, k) => k)
    .filter(k => (k % 2 === 0) === inside)
    .map(k => `src/module_${(k * 7919) % n}/${inside ? 'sub/deep' : 'subway'}/file_${k}.rs`)

function ours(n) {
  const gate = new Gate({ profile: 'dsh', root: '/home/dev/app', pathStyle: 'posix' })
  const session = gate.session(`session ${n}`)
  const shown = session.propose({ title: 'A', plan: 'B', tools: ['write'], files: directories(n).slice(0, 999) })
  session.settle(shown.id, true)
  return file => allows(session.checkEffect('write', effects.write, file))
}

function setWalk(n) {
  const allowed = new Set(directories(n))
  return file => {
    if (allowed.has(file)) return true
    let end = file.length
    while ((end = file.lastIndexOf('/', end - 1)) > 0) if (allowed.has(file.slice(0, end))) return true
    return false
  }
}

// As ours in what it promises about the path: `.` and `..` mean what they mean.
function normalisingWalk(n) {
  const walk = setWalk(n)
  return file => {
    const normal = path.posix.normalize(file)
    return !normal.startsWith('..') && walk(normal)
  }
}

const stable = value => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`
  return `{${Object.keys(value).sort().map(key => `${JSON.stringify(key)}:${stable(value[key])}`).join(',')}}`
}

// How agent programs write rules: a tool's name and a regular expression over the stable JSON of the arguments.
function ruleList(n) {
  const rules = directories(n).map(entry => ({ tool: 'write', args: new RegExp(`"path":"${entry}(/|")`) }))
  return file => {
    const call = { name: 'write', args: { path: file } }
    let text
    return rules.some(rule => rule.tool === call.name && rule.args.test((text ??= stable(call.args))))
  }
}

function cedar(n) {
  const engine = installed('@cedar-policy/cedar-wasm/nodejs')
  const policies = directories(n).map(entry =>
    `permit(principal, action == Action::"write", resource) when { context.path like "${entry}/*" || context.path == "${entry}" };`)
  const id = `policies ${n}`
  const parsed = engine.preparsePolicySet(id, { staticPolicies: policies.join('\n') })
  if (parsed.type !== 'success') throw new Error(JSON.stringify(parsed))
  const of = (type, id) => ({ type, id })
  const fixed = {
    principal: of('Session', 's1'), action: of('Action', 'write'), resource: of('Tool', 'write'),
    entities: [], preparsedPolicySetId: id, validateRequest: false,
  }
  return file => engine.statefulIsAuthorized({ ...fixed, context: { path: file } }).response.decision === 'allow'
}

const MODEL = `[request_definition]
r = sub, obj, act
[policy_definition]
p = sub, obj, act
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.sub == p.sub && r.act == p.act && keyMatch(r.obj, p.obj)
`

async function casbin(n) {
  const { newEnforcer, newModelFromString } = installed('casbin')
  const enforcer = await newEnforcer(newModelFromString(MODEL))
  await enforcer.addPolicies(directories(n).map(entry => ['s1', `${entry}/*`, 'write']))
  return file => enforcer.enforceSync('s1', file, 'write')
}

const engines = [
  ['plan-gate (addon)', ours],
  ['by hand: set walk in JavaScript (no session, no lock, no normalising)', setWalk],
  ['by hand: the same after normalising the path', normalisingWalk],
  ['rules of agent programs: RegExp over stable JSON', ruleList],
  ['cedar-wasm: a `like` policy an entry, parsed before', cedar],
  ['casbin: keyMatch', casbin],
]

function batch(call, calls) {
  const start = process.hrtime.bigint()
  for (let i = 0; i < calls; i++) call(i)
  return Number(process.hrtime.bigint() - start) / calls
}

const median = values => values.toSorted((a, b) => a - b)[values.length >> 1]

function race(rows) {
  const [wanted, rounds] = quick ? [2e6, 5] : [1e7, 15]
  const calls = rows.map(([, call]) => {
    batch(call, 2_000 > wanted / batch(call, 3) ? 3 : 2_000) // the compiler's own warming up
    return Math.max(1, Math.min(500_000, Math.floor(wanted / Math.max(batch(call, 3), 1))))
  })
  const columns = rows.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [at, [, call]] of rows.entries()) columns[at].push(batch(call, calls[at]))
  }
  return columns
}

function tell(question, entries, rows) {
  const columns = race(rows)
  for (const [at, [engine]] of rows.entries()) {
    const ratio = median(columns[at].map((value, round) => value / columns[0][round]))
    console.log(JSON.stringify({ language: 'Node', question, entries, engine, ns: median(columns[at]), ratio }))
  }
}

tell('floor', 0, [['floor: empty call of the addon', () => native.abiVersion()]])
for (const n of [5, 50, 1000]) {
  const made = []
  for (const [name, make] of engines) {
    try {
      made.push([name, await make(n)])
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  for (const [name, ask] of made) {
    for (const inside of [true, false]) {
      for (const file of asks(n, inside)) if (ask(file) !== inside) throw new Error(`${name}: ${file}`)
    }
  }
  const inside = asks(n, true)
  tell('inside', n, made.map(([name, ask]) => [name, i => ask(inside[i & 7])]))
}
