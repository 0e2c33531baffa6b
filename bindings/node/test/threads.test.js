import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { fileURLToPath } from 'node:url'
import { Gate } from '../index.js'

const rounds = 2000

/** Sessions of one gate, each through its whole life, most of them left to the garbage collector. */
function work() {
  const gate = new Gate({ profile: 'dsh', root: '/shop' })
  let allowed = 0
  for (let round = 0; round < rounds; round++) {
    const session = gate.session(`s${round % 50}`)
    session.propose({ title: 't', plan: 'p', tools: ['write'], files: ['a.txt'] })
    session.reply('ok')
    if (session.allows('write', '{"file_path":"a.txt","content":""}')) allowed++
    if (session.allows('write', '{"file_path":"b.txt","content":""}')) allowed += rounds
    session.reply('stop')
    if (session.allows('write', '{"file_path":"a.txt","content":""}')) allowed += rounds
    if (round % 3 === 0) session.close()
  }
  return allowed
}

if (isMainThread) {
  test('the main thread and four workers at once, with the collector running', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc')
    const workers = Array.from({ length: 4 }, () => new Worker(fileURLToPath(import.meta.url)))
    const answers = workers.map(worker => once(worker, 'message'))
    const exits = workers.map(worker => once(worker, 'exit'))
    assert.equal(work(), rounds)
    collect()
    for (const [answer] of await Promise.all(answers)) assert.equal(answer, rounds)
    for (const [code] of await Promise.all(exits)) assert.equal(code, 0)
    collect()
    assert.equal(work(), rounds)
  })
} else {
  parentPort.postMessage(work())
}
