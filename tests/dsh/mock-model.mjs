// A stand-in for the model: a chat-completions server on 127.0.0.1 that plays one case file.
//
//   node mock-model.mjs CASE.json [REQUESTS.jsonl]
//
// Prints `{"port":N}` when it listens; with a second argument it writes down every request.
//
// It keeps no state between requests, so that a resumed process, a fork and two sessions at once
// play as well as one session: what to answer follows from the messages alone. The newest message
// that opens a script (the first turn of a session, or the prompt of a sub-agent) selects it; each
// later user message that equals the script's next turn moves on to that turn; the number of the
// model's own messages since then is the step.
import { appendFileSync, readFileSync } from 'node:fs'
import http from 'node:http'

const [caseFile, requestLog] = process.argv.slice(2)
const scripts = scriptsOf(JSON.parse(readFileSync(caseFile, 'utf8')))

/** Every session of a case and every sub-agent has a script of its own. */
function scriptsOf(play) {
  const sessions = new Map()
  for (const turn of play.turns) {
    const name = turn.session ?? 'main'
    sessions.set(name, [...(sessions.get(name) ?? []), turn])
  }
  const agents = Object.entries(play.agents ?? {}).map(([prompt, agent]) => [
    { user: prompt, model: agent.model ?? agent },
    ...(agent.later ?? []),
  ])
  return [...sessions.values(), ...agents]
}

const textOf = content => typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? '').join('')

function answerTo(messages) {
  const users = messages.map((message, at) => ({ at, text: textOf(message.content).trim(), role: message.role }))
    .filter(message => message.role === 'user')
  const opening = users.findLast(({ text }) => scripts.some(script => script[0].user === text))
  if (opening === undefined) return { id: 'none', step: { say: '(no script for this conversation)' } }
  const number = scripts.findIndex(script => script[0].user === opening.text)
  const script = scripts[number]
  let turn = 0
  let since = opening.at
  let next = 1
  for (const { at, text } of users) {
    if (at <= opening.at || next >= script.length || !speaks(script[next], text)) continue
    // A turn without a model part (steered into a running turn) does not start a new script.
    if (script[next].model !== undefined) { turn = next; since = at }
    next++
  }
  const step = messages.slice(since + 1).filter(message => message.role === 'assistant').length
  const started = messages.filter(message => message.role === 'tool')
    .flatMap(message => textOf(message.content).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [])
  const found = script[turn].model?.[step] ?? { say: '(end of the script)' }
  return {
    id: `${number}.${turn}.${step}`,
    step: JSON.parse(JSON.stringify(found).replaceAll('{{child}}', started.at(-1) ?? '')),
  }
}

const speaks = ({ user, contains, repeat = 1 }, text) => contains ? text.includes(user) : user.repeat(repeat) === text

function* chunks({ id, step }, model) {
  const chunk = (delta, finish = null) => ({
    id, object: 'chat.completion.chunk', created: 1, model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  yield chunk({ role: 'assistant', content: '' })
  if (step.say) yield chunk({ content: step.say })
  for (const [index, call] of (step.calls ?? []).entries()) {
    const text = call.raw ?? JSON.stringify(call.args ?? {})
    const middle = Math.floor(text.length / 2)
    const name = { id: `${id}.${index}`, type: 'function', function: { name: call.tool, arguments: text.slice(0, middle) } }
    yield chunk({ tool_calls: [{ index, ...name }] })
    yield chunk({ tool_calls: [{ index, function: { arguments: text.slice(middle) } }] })
  }
  yield chunk({}, step.calls?.length ? 'tool_calls' : 'stop')
  yield { id, choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } }
}

const server = http.createServer(async (request, response) => {
  const body = (await request.toArray()).join('')
  if (request.method !== 'POST' || !request.url.endsWith('/chat/completions')) {
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: `the mock has no ${request.method} ${request.url}` } }))
    return
  }
  const asked = JSON.parse(body)
  // A request without tools asks for the session's title.
  const answer = asked.tools?.length ? answerTo(asked.messages) : { id: 'title', step: { say: 'title' } }
  if (requestLog) appendFileSync(requestLog, JSON.stringify({ tools: asked.tools, messages: asked.messages, answer }) + '\n')
  if (answer.step.delay) await new Promise(done => setTimeout(done, answer.step.delay))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const chunk of chunks(answer, asked.model)) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  response.end('data: [DONE]\n\n')
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`))
