// plan-gate for DeepSeek Harness: until the user has approved a plan, nothing acts.
//
// The host reads these exports; a default export would hide `inject` from it. Nothing is imported
// from the host, so that a linked copy loads as well as an installed one.
import { logTo } from './lib/log.js'
import { controlTool, proposePlan } from './lib/propose-plan.js'
import { readSettings } from './lib/settings.js'
import { Watch } from './lib/watch.js'

export const name = 'plan-gate'
export const inject = ['tools', 'sessions']

/** Two plug-ins of the host offer a shell under one name; the one that lives on takes no directory. */
const shells = new Set(['bash', 'pwsh'])
const livesOn = definition => definition !== undefined && !Object.hasOwn(definition.parameters?.properties ?? {}, 'workdir')

/**
 * Mounts the gate. A library that does not load, or a configuration it refuses, throws: that stops
 * the boot, which is the closed way to fail.
 */
export function apply(ctx, config) {
  const log = logTo(ctx.logger(name))
  const settings = readSettings(ctx, config)
  const watch = new Watch(settings, {
    liveSession: id => ctx.sessions.get(id),
    livesOn: ({ name: tool, agent }) => shells.has(tool) && livesOn(ctx.tools.get(tool, agent)),
  }, log)
  ctx.effect(() => () => watch.close(), name)

  try {
    ctx.tools.register(proposePlan(watch))
  } catch (error) {
    // Without this tool nobody could ever approve anything, so a closed gate would lock the user out.
    log.warn(`THE GATE IS OFF, \`${controlTool}\` cannot be registered: ${error.message}`)
    return
  }
  // Every message and every command of every session; replies are read from here.
  ctx.on('session/event', (session, event) => watch.follow(session, event))
  // The guard decides: it runs last, can only refuse, and no listener can hide a call from it.
  ctx.tools.guard(exec => watch.refusal(exec))
  // The same question earlier, so that nobody asks the user about a call that will not run.
  ctx.on('tools/pre-execute', async (exec, next) => {
    const reason = watch.refusal(exec)
    return reason === undefined ? next() : { kind: 'deny', reason }
  })
}
