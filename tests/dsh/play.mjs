// Plays cases with the real DSH, the packed plug-in and the mock model, and compares every tool
// result, and the files on disk right after it, with what the case expects.
//
//   DSH_BIN=… node play.mjs --plugin TARBALL [--out DIR] [--jobs 2] [--record DIR] [case…]
//
// The format of a case is described in README.md. Exit code 1 if anything differs.
import { spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readLog, strip } from './session-log.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    plugin: { type: 'string' }, out: { type: 'string' }, jobs: { type: 'string', default: '2' },
    record: { type: 'string' }, seconds: { type: 'string', default: '180' },
  },
})
const dsh = process.env.DSH_BIN ?? 'dsh'
const out = options.out ?? mkdtempSync(path.join(os.tmpdir(), 'plan-gate-dsh-'))
mkdirSync(out, { recursive: true })
const home = path.join(realpathSync(out), 'home')
const bundle = 'dsh-plugin-plan-gate'

const cases = readdirSync(path.join(here, 'cases')).filter(file => file.endsWith('.json')).sort()
  .map(file => ({ name: file.slice(0, -5), ...JSON.parse(readFileSync(path.join(here, 'cases', file), 'utf8')) }))
  .filter(play => wanted.length === 0 || wanted.includes(play.name))
const unknown = wanted.filter(name => !cases.some(play => play.name === name))
if (unknown.length > 0 || cases.length === 0) throw new Error(`no such case: ${unknown.join(', ')}`)

/** One profile with the plug-in and the driver installed; every case gets a copy with its own patch. */
function install() {
  const specs = [...options.plugin ? [options.plugin] : [], `link:${path.join(here, 'driver')}`]
  const added = spawnSync(dsh, ['plugin', '--profile', 'base', 'add', ...specs], {
    encoding: 'utf8', env: { ...process.env, DSH_HOME: home, DSH_TELEMETRY_DISABLED: '1' },
  })
  if (added.status !== 0) throw new Error(`the plug-in does not install:\n${added.stdout}${added.stderr}`)
}

/** What a case may write for places that are only known when it runs. */
function placed(play, work) {
  const profile = path.join(home, 'profiles', play.name)
  const places = { cwd: path.join(work, 'shop'), home, profile, plugin: path.join(profile, 'node_modules', bundle) }
  const text = JSON.stringify(play).replaceAll(/\{\{(cwd|home|profile|plugin)\}\}/g, (_, key) => JSON.stringify(places[key]).slice(1, -1))
  return { ...JSON.parse(text), places }
}

async function run(raw) {
  const work = path.join(realpathSync(out), raw.name)
  rmSync(work, { recursive: true, force: true })
  const play = placed(raw, work)
  const { cwd, profile } = play.places
  mkdirSync(cwd, { recursive: true })
  for (const [file, text] of Object.entries(play.seed ?? {})) {
    mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true })
    writeFileSync(path.join(cwd, file), text)
  }
  cpSync(path.join(home, 'profiles', 'base'), profile, { recursive: true, verbatimSymlinks: true })
  for (const gone of play.missing ?? []) rmSync(gone, { recursive: true })
  const rows = [...play.config ? [{ id: 'plan-gate', config: play.config }] : [], ...play.rows ?? []]
  // JSON is YAML, so the patch layer needs no writer of its own.
  writeFileSync(path.join(profile, 'cordis.patch.yml'), JSON.stringify(rows, null, 1))
  writeFileSync(path.join(work, 'case.json'), JSON.stringify(play, null, 1))

  const mock = spawn(process.execPath, [path.join(here, 'mock-model.mjs'), path.join(work, 'case.json'), path.join(work, 'requests.jsonl')],
    { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const port = JSON.parse(await new Promise(done => mock.stdout.once('data', done))).port
    const seen = { results: [], cards: [], sessions: {} }
    for (const [number, turns] of processesOf(play.turns).entries()) {
      const job = { turns, sessions: seen.sessions, rival: play.rival }
      const ended = await boot(play, work, port, number, job)
      if (ended.code !== (play.exit ?? 0)) throw new Error(`DSH ended with ${ended.code}, see ${work}/dsh.log`)
      if (ended.out) {
        seen.results.push(...ended.out.results)
        seen.cards.push(...ended.out.cards)
        Object.assign(seen.sessions, ended.out.sessions)
        seen.orphan = ended.out.orphan ?? seen.orphan
      }
    }
    return { work, sessions: seen.sessions, ...compare(play, seen, readFileSync(path.join(work, 'dsh.log'), 'utf8')) }
  } finally {
    mock.kill()
  }
}

/** A turn marked `restart` begins a new process that resumes the sessions. */
function processesOf(turns) {
  const processes = [[]]
  for (const turn of turns) {
    if (turn.restart) processes.push([])
    processes.at(-1).push(turn)
  }
  return processes
}

function boot(play, work, port, number, job) {
  const files = { DRIVER_JOB: path.join(work, `job-${number}.json`), DRIVER_OUT: path.join(work, `out-${number}.json`) }
  writeFileSync(files.DRIVER_JOB, JSON.stringify(job))
  const child = spawn(dsh, ['--profile', play.name], {
    cwd: play.places.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env, DSH_HOME: home, DSH_TELEMETRY_DISABLED: '1',
      DEEPSEEK_API_KEY: 'none', DEEPSEEK_BASE_URL: `http://127.0.0.1:${port}`,
      DSH_PERMISSION_MODE: 'danger-full-access', ...files, ...play.env,
    },
  })
  const log = path.join(work, 'dsh.log')
  writeFileSync(log, '', { flag: 'a' })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => appendFileSync(log, data))
  const timer = setTimeout(() => child.kill('SIGKILL'), Number(options.seconds) * 1000)
  return new Promise(done => child.once('close', (code) => {
    clearTimeout(timer)
    done({ code, out: existsSync(files.DRIVER_OUT) ? JSON.parse(readFileSync(files.DRIVER_OUT, 'utf8')) : undefined })
  }))
}

/** `plan-gate (closed): …` in a refusal names the rule; anything else is the tool's own result. */
function outcomeOf(result) {
  if (!result.failed) return 'runs'
  return /^(?:Error: )?plan-gate \(([a-z_]+)\)/.exec(result.text)?.[1] ?? 'fails'
}

function compare(play, seen, log) {
  const faults = []
  let checks = 0
  const expect = (what, actual, expected) => {
    checks++
    if (JSON.stringify(actual) !== JSON.stringify(expected)) {
      faults.push(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`)
    }
  }
  const scripts = []
  const sessions = new Map()
  for (const turn of play.turns) {
    const name = turn.session ?? 'main'
    sessions.set(name, [...(sessions.get(name) ?? []), turn.model ?? []])
  }
  scripts.push(...sessions.values())
  for (const agent of Object.values(play.agents ?? {})) {
    scripts.push([agent.model ?? agent, ...(agent.later ?? []).map(turn => turn.model ?? [])])
  }
  const rest = new Set(seen.results.filter(result => result.callId !== 'orphan'))
  scripts.forEach((turns, script) => turns.forEach((steps, turn) => steps.forEach((step, at) => {
    for (const [index, call] of (step.calls ?? []).entries()) {
      const id = `${script}.${turn}.${at}.${index}`
      const found = seen.results.filter(result => result.callId === id)
      for (const result of found) {
        rest.delete(result)
        expect(`${id} ${call.tool}`, outcomeOf(result), call.expect)
        for (const part of [call.says ?? []].flat()) {
          checks++
          if (!result.text.includes(part)) faults.push(`${id} ${call.tool}: does not say ${JSON.stringify(part)}: ${result.text}`)
        }
        const card = seen.cards.find(each => each.callId === id)
        for (const part of [call.shows ?? []].flat()) {
          checks++
          if (!card?.text.includes(part)) faults.push(`${id} ${call.tool}: the card does not show ${JSON.stringify(part)}: ${card?.text}`)
        }
        for (const [file, text] of Object.entries(call.files ?? {})) expect(`${id} ${file} on disk`, result.files[file] ?? null, text)
      }
      expect(`${id} ${call.tool}: number of results`, found.length, call.times ?? 1)
      const nested = seen.results.filter(result => result.callId.startsWith(`${id}:code:`))
      nested.forEach(result => rest.delete(result))
      expect(`${id} ${call.tool}: calls from its program`, nested.map(outcomeOf), call.nested ?? [])
    }
  })))
  expect('results nobody asked for', [...rest].map(result => `${result.callId} ${result.tool}`), [])
  for (const turn of play.turns) {
    if (turn.orphan) expect('call without an agent', seen.orphan && outcomeOf(seen.orphan), turn.orphan.expect)
  }
  const { cwd } = play.places
  for (const [file, text] of Object.entries(play.after ?? {})) {
    const full = path.resolve(cwd, file)
    expect(`${file} at the end`, existsSync(full) ? readFileSync(full, 'utf8') : null, text)
  }
  for (const part of play.logs ?? []) {
    checks++
    if (!log.includes(part)) faults.push(`the log does not say ${JSON.stringify(part)}`)
  }
  return { faults, checks }
}

/** Keep the session logs of a case, without what only the host's programmers need. */
function record(play, result) {
  const logs = path.join(home, 'sessions')
  for (const folder of readdirSync(logs)) {
    for (const id of readdirSync(path.join(logs, folder))) {
      const file = path.join(logs, folder, id, 'session.jsonl.zstd')
      if (!existsSync(file)) continue
      const events = readLog(file)
      if (events[0].cwd !== path.join(result.work, 'shop')) continue
      const child = events[0].origin === 'subagent' ? '.child' : ''
      writeFileSync(path.join(options.record, `${play.record}${child}.jsonl`), strip(events).map(event => `${JSON.stringify(event)}\n`).join(''))
    }
  }
}

/** What `dsh plugin remove` leaves: nothing of ours in the composed profile. */
function removed() {
  const settings = { encoding: 'utf8', env: { ...process.env, DSH_HOME: home, DSH_TELEMETRY_DISABLED: '1' } }
  const config = () => spawnSync(dsh, ['--profile', 'base', '--dump-config'], settings).stdout
  if (!config().includes(bundle)) return ['the installed plug-in is not in the composed profile']
  const gone = spawnSync(dsh, ['plugin', '--profile', 'base', 'remove', bundle], settings)
  if (gone.status !== 0) return [`the plug-in cannot be removed: ${gone.stdout}${gone.stderr}`]
  const rest = config()
  if (rest.includes('plan-gate-test-driver') && !rest.includes(bundle) && !existsSync(path.join(home, 'profiles', 'base', 'node_modules', bundle))) return []
  return ['the removed plug-in is still in the profile']
}

install()
let passed = 0
let failed = 0
const queue = [...cases]
await Promise.all(Array.from({ length: Number(options.jobs) }, async () => {
  for (let play = queue.shift(); play !== undefined; play = queue.shift()) {
    const start = Date.now()
    const result = await run(play).catch(error => ({ faults: [error.message], checks: 0 }))
    const seconds = ((Date.now() - start) / 1000).toFixed(1)
    const ok = result.faults.length === 0
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${play.name} (${result.checks} comparisons, ${seconds} s)`)
    for (const fault of result.faults) console.log(`     ${fault}`)
    if (ok && options.record && play.record) record(play, result)
    if (ok) passed++
    else failed++
  }
}))
if (options.plugin && wanted.length === 0) {
  const faults = removed()
  console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} removal`)
  for (const fault of faults) console.log(`     ${fault}`)
  if (faults.length === 0) passed++
  else failed++
}
console.log(`dsh: ${passed} passed, ${failed} failed`)
console.log(`out: ${out}`)
process.exitCode = failed === 0 ? 0 : 1
