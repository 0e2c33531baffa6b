// Draws what a terminal shows as SVG: standard input, ANSI colours allowed, to standard output.
//
//   some-command | node picture.mjs "title of the window" > picture.svg
//
// Chinese and other wide characters take two cells, as in a terminal, whatever font the viewer has.
import { text as readAll } from 'node:stream/consumers'

const CELL = 8.4
const LINE = 20
const PAD = 16
const BAR = 32
const WIDTH = 100
const COLOURS = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 34: '#79c0ff', 35: '#d2a8ff', 36: '#76e3ea', 90: '#8b949e' }

const wide = text => /^[\u1100-\u115f\u2e80-\u303e\u3041-\uffe6]|^\p{Emoji_Presentation}/u.test(text) && !/^[\uff61-\uffdc]/.test(text)
const cells = char => wide(char) ? 2 : 1
const escape = text => text.replace(/[&<>]/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char])

/** Terminal rows: runs of text of one width and colour, each with its column. Long lines break at blanks. */
function* rows(input) {
  let style = {}
  for (const line of input.replace(/\n+$/, '').split('\n')) {
    const plain = line.replace(/\x1b\[[0-9;]*m/g, '')
    const hanging = /^[\s│›✓✗▣$]*/.exec(plain)[0].length
    let row = []
    let column = 0
    for (const token of line.match(/\x1b\[[0-9;]*m|[!-~]+|./gu) ?? []) {
      if (token.startsWith('\x1b')) {
        style = restyled(style, token)
        continue
      }
      const length = [...token].reduce((sum, char) => sum + cells(char), 0)
      if (column + length > WIDTH && column > hanging) {
        yield row
        row = /│/.test(plain.slice(0, hanging)) ? [{ text: '│', column: plain.indexOf('│'), style: { colour: COLOURS[90] }, length: 1 }] : []
        column = hanging
        if (token === ' ') continue
      }
      const last = row.at(-1)
      if (last && last.wide === wide(token) && last.style === style && last.column + last.length === column) {
        last.text += token
        last.length += length
      } else row.push({ text: token, column, wide: wide(token), style, length })
      column += length
    }
    yield row
  }
}

function restyled(style, token) {
  const next = { ...style }
  for (const code of token.slice(2, -1).split(';').map(Number)) {
    if (code === 0) delete next.colour, delete next.bold
    else if (code === 1) next.bold = true
    else if (COLOURS[code]) next.colour = COLOURS[code]
  }
  return next
}

function draw(input, title) {
  const lines = [...rows(input)]
  const width = WIDTH * CELL + 2 * PAD
  const height = lines.length * LINE + 2 * PAD + BAR
  const body = lines.map((row, number) => {
    const y = BAR + PAD + number * LINE + 14
    return row.filter(run => run.text.trim() !== '').map((run) => {
      const { style, text } = run
      // Blanks at the edges are places, not characters: viewers differ in what they do with them.
      const column = run.column + text.length - text.trimStart().length
      const length = run.length - (text.length - text.trim().length)
      const look = `${style.colour ? ` fill="${style.colour}"` : ''}${style.bold ? ' font-weight="bold"' : ''}`
      return `<text x="${(PAD + column * CELL).toFixed(1)}" y="${y}" textLength="${(length * CELL).toFixed(1)}"${look}>${escape(text.trim())}</text>`
    }).join('')
  }).join('\n')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" font-family="ui-monospace, 'Noto Sans Mono CJK SC', Menlo, Consolas, monospace" font-size="14" fill="#e6edf3" xml:space="preserve">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<circle cx="20" cy="16" r="6" fill="#ff5f57"/><circle cx="40" cy="16" r="6" fill="#febc2e"/><circle cx="60" cy="16" r="6" fill="#28c840"/>
<text x="${width / 2}" y="21" text-anchor="middle" fill="#8b949e" font-size="13">${escape(title)}</text>
${body}
</svg>
`
}

process.stdout.write(draw(await readAll(process.stdin), process.argv[2] ?? ''))
