// Prints a session log as a person reads it: what was typed, what the model called, what came of it,
// and the card of each plan as the plug-in drew it.
//
//   node transcript.mjs SESSION.jsonl [FIRST-TURN [LAST-TURN]]
import { readFileSync } from 'node:fs'

const [file, first = '1', last = 'Infinity'] = process.argv.slice(2)
const events = readFileSync(file, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line))
const paint = colour => text => `\x1b[${colour}m${text}\x1b[0m`
const [red, green, yellow, blue, grey] = [31, 32, 33, 34, 90].map(paint)
const textOf = blocks => blocks.map(block => block.text ?? '').join('')
const indent = (text, mark = '    ') => text.split('\n').map(line => `${mark}${line}`).join('\n')

const calls = new Map()
let turn = 0
for (const { type, data } of events) {
  if (type === 'turn/start') turn = data.turn
  if (turn < Number(first) || turn > Number(last)) continue
  if (type === 'user/message' && data.source.kind === 'user') {
    if (turn > Number(first)) console.log()
    console.log(blue(`› ${textOf(data.content)}`))
  }
  else if (type === 'assistant/message') {
    const said = textOf(data.message.content.filter(block => block.type === 'text'))
    if (said) console.log(`  ${said}`)
  } else if (type === 'tool/call') calls.set(data.callId, data)
  else if (type === 'tool/result') show(calls.get(data.message.source.callId), data.message.content[0], data.meta)
}

function show({ name, arguments: text }, { isError, content }, meta) {
  const args = JSON.parse(text)
  if (name === 'propose_plan' && !isError) {
    console.log(`  ${yellow('▣')} ${name}`)
    console.log(indent(meta.card.trimEnd(), `  ${grey('│')} `))
    return
  }
  const what = args.file_path ?? args.command ?? args.prompt ?? ''
  console.log(`  ${isError ? red('✗') : green('✓')} ${name} ${what}`)
  if (isError) console.log(indent(red(textOf(content).replace(/^Error: /, ''))))
}
