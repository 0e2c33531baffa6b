// Reads DSH's session log (JSON Lines in zstd frames), and keeps of it what a replay needs.
//
//   node session-log.mjs session.jsonl.zstd > session.jsonl
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'

/** Every event of a log, the header first. */
export function readLog(file) {
  return frames(readFileSync(file)).toString('utf8').split('\n').filter(Boolean).map(line => JSON.parse(line))
}

/** The log is one zstd frame per flush; the one-shot call of Node stops after the first. */
function frames(bytes) {
  const parts = []
  for (let rest = bytes; rest.length > 0;) {
    const { buffer, engine } = zstdDecompressSync(rest, { info: true })
    if (engine.bytesWritten === 0) throw new Error(`not a zstd frame, ${rest.length} bytes before the end`)
    parts.push(buffer)
    rest = rest.subarray(engine.bytesWritten)
  }
  return Buffer.concat(parts)
}

const KEPT = new Set([
  'session', 'agent/inbox/spliced', 'turn/start', 'turn/end', 'step/start', 'step/end',
  'user/message', 'assistant/message', 'tool/call', 'tool/result', 'plan/mode',
])

/**
 * The log without request headers, model chunks, titles and policy records, and with the host's own
 * texts to the model (`source.kind` other than `user`) cut out. Lines that stay keep their bytes'
 * meaning: nothing is renumbered, so a gap in `seq` shows where something was left out.
 */
export function strip(events) {
  return events.filter(event => KEPT.has(event.type)).map((event) => {
    const { type, data } = event
    if (type === 'user/message') return { ...event, data: withoutText(data) }
    if (type === 'agent/inbox/spliced') return { ...event, data: { ...data, inserted: data.inserted.map(withoutText) } }
    return event
  })
}

function withoutText(message) {
  const { kind, plugin } = message.source
  if (kind === 'user') return message
  const content = message.content.map(block => block.type === 'text' ? { ...block, text: '(left out)' } : block)
  return { ...message, content, source: plugin === undefined ? { kind } : { kind, plugin } }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const event of strip(readLog(process.argv[2]))) console.log(JSON.stringify(event))
}
