// From the row in cordis.patch.yml to the library's configuration.
import { realpathSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The library's configuration without `root`, which differs by session. The library itself refuses
 * unknown keys and wrong types, so they are passed on untouched.
 */
export function readSettings(ctx, config = {}) {
  if (config === null || typeof config !== 'object' || Array.isArray(config)) {
    throw new Error('plan-gate: the configuration must be a mapping')
  }
  if ('root' in config) throw new Error('plan-gate: `root` is each session\'s own directory in DSH, leave it out')
  return {
    profile: 'dsh',
    resolveSymlinks: true,
    ...config,
    protectedFiles: [...protectedFiles(ctx), ...config.protectedFiles ?? []],
  }
}

/**
 * What could unload the gate or speak for the user later: both patch layers and the list of bundles
 * (re-read while DSH runs, or at its next start), the plug-in with its library, the recorded sessions.
 */
function protectedFiles(ctx) {
  const home = dshHome(ctx)
  const places = [path.join(home, 'cordis.patch.yml'), path.join(home, 'profiles'), path.join(home, 'sessions')]
  // A profile given by path lies elsewhere.
  if (typeof ctx.baseUrl === 'string' && ctx.baseUrl.startsWith('file:')) places.push(fileURLToPath(ctx.baseUrl))
  places.push(path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..'))
  const trimmed = places.map(place => place.length > 1 && place.endsWith(path.sep) ? place.slice(0, -1) : place)
  return [...new Set(trimmed.flatMap(place => [place, resolved(place)]))]
}

function dshHome(ctx) {
  const helper = ctx.get?.('dshHomePath')
  if (typeof helper === 'function') return helper()
  const configured = process.env.DSH_HOME?.trim()
  return configured ? path.resolve(configured) : path.join(os.homedir(), '.dsh')
}

/** The place a name leads to; for one that does not exist yet, where it would be made. */
function resolved(place) {
  try {
    return realpathSync(place)
  } catch {
    const parent = path.dirname(place)
    return parent === place ? place : path.join(resolved(parent), path.basename(place))
  }
}
