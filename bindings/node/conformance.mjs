// Plays every conversation of tests/conformance (its README is the format) and ends with the two lines
// that must be the same in every language.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Gate, PlanGateError, PlanMode, readDecision, readReply, reasons, sources, statuses } from './index.js'

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', 'tests', 'conformance')
const read = file => JSON.parse(readFileSync(path.join(folder, file), 'utf8'))

/** Keys of a step that are the runner's own. */
const OWN = new Set(['do', 'session', 'save', 'cut', 'replace', 'expect', 'parent'])

class Digest {
  #value = 0xcbf29ce484222325n

  add(id, step, typed, answer) {
    for (const byte of Buffer.from(`${id}\t${step}\t${typed ?? '-'}\t${answer}\n`)) {
      this.#value = BigInt.asUintN(64, (this.#value ^ BigInt(byte)) * 0x100000001b3n)
    }
  }

  toString() {
    return this.#value.toString(16).padStart(16, '0')
  }
}

/** Whether `answer` has everything that `expect` names. */
function matches(expect, answer) {
  if (Array.isArray(expect)) {
    return Array.isArray(answer) && expect.length === answer.length && expect.every((each, at) => matches(each, answer[at]))
  }
  if (expect === null || typeof expect !== 'object') return expect === answer
  return answer !== null && typeof answer === 'object' && !Array.isArray(answer) && Object.entries(expect).every(([key, value]) =>
    key === 'says' && Array.isArray(value)
      ? value.every(words => (answer.message ?? '').includes(words))
      : Object.hasOwn(answer, key) && matches(value, answer[key]))
}

/** The answer's text, or the error's. */
function door(body) {
  try {
    return body()
  } catch (error) {
    if (error instanceof PlanGateError && error.answer !== undefined) return error.answer
    throw error
  }
}

const requestOf = step => JSON.stringify({ op: step.do, ...Object.fromEntries(Object.entries(step).filter(([key]) => !OWN.has(key))) })

/** One conversation in two gates: everything by the JSON door, and checks and replies by the typed calls. */
class Player {
  #saved = new Map()

  constructor(config) {
    this.config = config
    this.door = new Gate(config)
    this.typed = new Gate(config)
  }

  fill(value) {
    if (typeof value === 'string') return value.startsWith('$') ? this.#saved.get(value.slice(1)) ?? value : value
    if (Array.isArray(value)) return value.map(item => this.fill(item))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.fill(item)]))
  }

  save({ save }, answer) {
    if (save === undefined) return
    const { id, snapshot } = JSON.parse(answer)
    this.#saved.set(save, id ?? snapshot ?? '')
  }

  step(step) {
    switch (step.do) {
      case 'gate': return [undefined, door(() => {
        const config = step.config ?? this.config
        const [one, two] = [new Gate(config), new Gate(config)]
        this.door = one
        this.typed = two
        return '{}'
      })]
      case 'spawn': {
        const [one, two] = [this.door, this.typed].map(gate => this.#spawned(gate, step))
        if (one !== two) throw new Error(`spawned ${one} and ${two}`)
        return [undefined, JSON.stringify({ status: one })]
      }
      case 'request': return [undefined, door(() => this.door.requestText(JSON.stringify(step.request)))]
      default: return this.#inSession(step)
    }
  }

  #spawned(gate, { session, parent }) {
    try {
      gate.child(session, parent).close()
      return 0
    } catch (error) {
      return statuses[error.code]
    }
  }

  #inSession(raw) {
    const step = damaged(raw)
    const byDoor = this.door.session(step.session)
    const byType = this.typed.session(step.session)
    const ask = session => door(() => session.requestText(requestOf(step)))
    switch (step.do) {
      case 'close':
        byDoor.end()
        byType.end()
        return [undefined, '{}']
      case 'check': return [byType.check(step.tool, step.argsText ?? JSON.stringify(step.args)), ask(byDoor)]
      case 'reply': {
        // Attachments travel through the door only.
        if ('attachments' in step) {
          ask(byType)
          return [undefined, ask(byDoor)]
        }
        return [byType.reply(step.text, step.shown, sources[step.source ?? 'user']), ask(byDoor)]
      }
      default: {
        const [answer, other] = [ask(byDoor), ask(byType)]
        if (answer !== other) throw new Error(`the two gates differ: ${answer} and ${other}`)
        return [undefined, answer]
      }
    }
  }
}

/** `cut` and `replace` on an import's snapshot. */
function damaged(step) {
  if (step.snapshot === undefined) return step
  let { snapshot } = step
  if (step.cut) snapshot = Buffer.from(snapshot).subarray(0, -step.cut).toString()
  if (step.replace) snapshot = snapshot.replace(step.replace[0], () => step.replace[1])
  return { ...step, snapshot }
}

/** Whether the packed integer says the same as the door's answer. */
function agree(step, typed, answer) {
  if (typed === undefined) return true
  if (step.do === 'check') {
    const { allows, reason, status } = readDecision(typed)
    return allows === (answer.verdict === 'allow') && reasons[reason] === answer.code && status === 'ok'
  }
  const { kind, settlement, status } = readReply(typed)
  return kind === answer.kind && settlement === answer.settlement && status === 'ok'
}

/** Plays everything; `failures` holds what did not come out as written. */
export function play() {
  const report = { passed: 0, failures: [], digest: new Digest() }
  for (const [file, count] of Object.entries(read('manifest.json')).sort(([a], [b]) => a < b ? -1 : 1)) {
    const conversations = read(file)
    if (conversations.length !== count) report.failures.push(`${file}: ${conversations.length} conversations, the manifest says ${count}`)
    for (const conversation of conversations) playOne(file, conversation, report)
  }
  return report
}

function playOne(file, { id, config, steps }, report) {
  const before = report.failures.length
  const planMode = file.startsWith('plan-mode/')
  const player = planMode ? new PlanMode(config) : new Player(config)
  for (const [number, raw] of steps.entries()) {
    const step = planMode ? raw : player.fill(raw)
    const [typed, text] = planMode ? [undefined, door(() => player.requestText(requestOf(step)))] : player.step(step)
    if (!planMode) player.save(step, text)
    report.digest.add(id, number, typed, text)
    const answer = JSON.parse(text)
    const expect = step.expect ?? {}
    const unexpected = answer.error instanceof Object && expect.error === undefined
    if (unexpected || !agree(step, typed, answer) || !matches(expect, answer)) {
      report.failures.push(`${id} step ${number}: ${step.do}\n  expected ${JSON.stringify(expect)}\n  answered ${text}\n  typed ${typed}`)
    }
  }
  if (report.failures.length === before) report.passed++
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { passed, failures, digest } = play()
  for (const failure of failures) console.error(failure)
  console.log(`conformance: ${passed} passed, ${failures.length} failed`)
  console.log(`digest: ${digest}`)
  process.exitCode = failures.length === 0 ? 0 : 1
}
