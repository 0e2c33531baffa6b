// What this package says about the library, against the library's header, and the library of another
// contract.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as plan from '../index.js'

const here = path.dirname(fileURLToPath(import.meta.url))
const package_ = path.join(here, '..')
const header = readFileSync(path.join(package_, '..', '..', 'include', 'plan_gate.h'), 'utf8')

const families = {
  STATUS: 'statuses', REASON: 'reasons', REPLY: 'replyKinds', SETTLED: 'settlements', SOURCE: 'sources', EFFECT: 'effects',
}

test('the numbers are the header\'s', () => {
  for (const [prefix, name] of Object.entries(families)) {
    const found = [...header.matchAll(new RegExp(`^#define PLAN_GATE_${prefix}_([A-Z0-9_]+) (\\d+)`, 'gm'))]
    assert.ok(found.length > 2, `the header has no PLAN_GATE_${prefix}_`)
    assert.deepEqual({ ...plan[name] }, Object.fromEntries(found.map(([, key, number]) => [key.toLowerCase(), Number(number)])), prefix)
  }
  assert.equal(plan.abiVersion, Number(/^#define PLAN_GATE_ABI_VERSION (\d+)/m.exec(header)[1]))
})

test('the types name every number, every export and every member', () => {
  const types = readFileSync(path.join(package_, 'index.d.ts'), 'utf8')
  for (const name of Object.values(families)) {
    for (const key of Object.keys(plan[name])) assert.ok(types.includes(`'${key}'`), `index.d.ts has no '${key}'`)
  }
  for (const name of Object.keys(plan)) assert.match(types, new RegExp(`export (const|function|class) ${name}\\b`), name)
  for (const type of [plan.Gate, plan.Session, plan.PlanMode]) {
    for (const member of Object.getOwnPropertyNames(type.prototype)) assert.match(types, new RegExp(`\\b${member}\\b`), `${type.name}.${member}`)
  }
})

test('a handle of another kind is refused', () => {
  const native = createRequire(import.meta.url)('../build/plan_gate.node')
  const gate = native.gateNew('{}')
  const session = native.sessionOpen(gate, 's')
  for (const wrong of [gate, {}, null, undefined, 1, 's', Symbol('s'), () => {}]) {
    assert.throws(() => native.sessionCheck(wrong, 'read', '{}'), TypeError)
    assert.throws(() => native.sessionClose(wrong), TypeError)
  }
  assert.throws(() => native.sessionOpen(session, 't'), TypeError)
  assert.throws(() => native.planModeRequest(session, '{}'), TypeError)
})

test('a library of another contract is not used', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'plan-gate-stub-'))
  // Every function of the header, doing nothing, with the next interface number.
  const names = [...header.matchAll(/^[^#\s*/].*?\b(plan_gate_[a-z_]+)\(/gm)].map(([, name]) => name)
  const body = name => name === 'plan_gate_abi_version' ? '{ return 2; }' : '{ return 0; }'
  writeFileSync(path.join(folder, 'stub.c'), [...new Set(names)].map(name => `unsigned long long ${name}(void) ${body(name)}`).join('\n'))
  const cc = process.env.CC ?? 'cc'
  execFileSync(cc, ['-fPIC', '-c', path.join(folder, 'stub.c'), '-o', path.join(folder, 'stub.o')])
  execFileSync('ar', ['rcs', path.join(folder, 'stub.a'), path.join(folder, 'stub.o')])
  for (const file of ['index.js', 'numbers.js']) cpSync(path.join(package_, file), path.join(folder, file))
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  execFileSync(process.execPath, [path.join(package_, 'build.mjs'), '--library', path.join(folder, 'stub.a'), '--out', path.join(folder, 'build', 'plan_gate.node')])
  await assert.rejects(import(pathToFileURL(path.join(folder, 'index.js'))), error => error.code === 'abi_mismatch' && /newer than this package/.test(error.message))
})
