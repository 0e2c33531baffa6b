// Builds build/plan_gate.node: the C addon with the library inside.
//
//   node build.mjs [--library FILE.a] [--out FILE.node]
//
// Without --library the archive is built by cargo, from this repository. Needs a C compiler (CC, else
// `cc`) and Node's headers: NODE_INCLUDE_DIR, else those beside the running Node.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const here = path.dirname(fileURLToPath(import.meta.url))
const root = path.join(here, '..', '..')
const { values: options } = parseArgs({
  options: {
    library: { type: 'string' },
    out: { type: 'string', default: path.join(here, 'build', 'plan_gate.node') },
    header: { type: 'string', default: path.join(root, 'include') },
    profile: { type: 'string', default: process.env.PLAN_GATE_CARGO_PROFILE ?? 'release' },
  },
})

const run = (program, args, settings) => execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...settings })

function headers() {
  const beside = path.resolve(process.execPath, '..', '..', 'include', 'node')
  const found = [process.env.NODE_INCLUDE_DIR, beside, '/usr/include/node'].find(dir => dir && existsSync(path.join(dir, 'node_api.h')))
  if (found === undefined) throw new Error(`node_api.h is neither in ${beside} nor in NODE_INCLUDE_DIR`)
  return found
}

function library() {
  if (options.library) return path.resolve(options.library)
  run('cargo', ['build', '--quiet', '--package', 'plan-gate-cdylib', '--profile', options.profile], { cwd: root })
  const folder = options.profile === 'dev' ? 'debug' : options.profile
  return path.join(process.env.CARGO_TARGET_DIR ?? path.join(root, 'target'), folder, 'libplan_gate.a')
}

/** Node itself holds N-API's symbols, so they stay open; everything else must be in the archive. */
const shared = process.platform === 'darwin'
  ? ['-bundle', '-undefined', 'dynamic_lookup']
  : ['-shared', '-Wl,--exclude-libs,ALL', '-Wl,--gc-sections', '-lpthread', '-ldl', '-lm']

mkdirSync(path.dirname(options.out), { recursive: true })
run(process.env.CC ?? 'cc', [
  '-std=c11', '-O2', '-fPIC', '-fvisibility=hidden', '-Wall', '-Wextra', '-Werror', '-Wno-unused-parameter',
  '-DPLAN_GATE_STATIC', '-I', options.header, '-isystem', headers(),
  path.join(here, 'src', 'addon.c'), library(), ...shared, '-o', options.out,
])
