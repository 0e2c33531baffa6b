// Builds the plug-in's tarball, with the library for this platform inside.
//
//   node pack.mjs [--native] [--out DIR]
//
// `--native` only puts the library where the plug-in looks for it (native/), for tests in place.
// Prints the path of the tarball.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const here = path.dirname(fileURLToPath(import.meta.url))
const { values: options } = parseArgs({ options: { native: { type: 'boolean' }, out: { type: 'string', default: 'dist' } } })
const binding = path.join(here, '..', 'node')
const carried = ['index.js', 'index.d.ts', 'numbers.js', 'build/plan_gate.node']

execFileSync(process.execPath, [path.join(binding, 'build.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] })
rmSync(path.join(here, 'native'), { recursive: true, force: true })
for (const file of carried) cpSync(path.join(binding, file), path.join(here, 'native', file))

if (!options.native) {
  const stage = mkdtempSync(path.join(os.tmpdir(), 'plan-gate-pack-'))
  const manifest = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'))
  delete manifest.scripts
  // Another platform's package manager then refuses it instead of installing a dead file.
  Object.assign(manifest, { os: [process.platform], cpu: [process.arch] })
  for (const file of ['index.js', 'lib', 'native', 'cordis.patch.yml', 'README.md']) {
    cpSync(path.join(here, file), path.join(stage, file), { recursive: true })
  }
  for (const license of ['LICENSE-MIT', 'LICENSE-APACHE']) cpSync(path.join(here, '..', '..', license), path.join(stage, license))
  writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  mkdirSync(options.out, { recursive: true })
  const tarball = path.resolve(options.out, `${manifest.name}-${manifest.version}-${process.platform}-${process.arch}.tgz`)
  // The layout a package manager expects: everything below `package/`.
  execFileSync('tar', ['-czf', tarball, '--transform', 's,^\\.,package,', '-C', stage, '.'])
  rmSync(stage, { recursive: true })
  console.log(tarball)
}
