// Where the gate speaks to whoever runs the host.

/**
 * The host's logger keeps its lines in memory, warnings not even there, so they go to standard error as
 * well: nobody may overlook that the gate is off.
 */
export function logTo(logger, stream = process.stderr) {
  const line = level => (text) => {
    logger[level](text)
    stream.write(`plan-gate ${level.toUpperCase()}: ${text}\n`)
  }
  return { info: line('info'), warn: line('warn') }
}
