// plan-gate: puts the gate before every tool call of OpenCode. Written by `plan-gate install opencode`.
//
// The configuration beside this file denies every tool. Only this plug-in, once it is loaded, opens what the user's own
// configuration allows: a plug-in that did not load leaves an agent that cannot act.
import { spawnSync } from "node:child_process"

const PROGRAM = "@PROGRAM@"
const SERVER = "gate"
const KEPT = "PLAN_GATE_PERMISSION"
const MILLISECONDS = 10_000

// child session -> parent session
const parents = new Map()
const started = new Set()

// The reason of a refusal, or null for "no objection". Only `{}` with exit 0 is no objection.
function ask(event) {
  const done = spawnSync(PROGRAM, ["hook", "opencode"], {
    input: JSON.stringify(event),
    timeout: MILLISECONDS,
    killSignal: "SIGKILL",
    encoding: "utf8",
    maxBuffer: 16 << 20,
  })
  if (!done.error && done.status === 0 && done.stdout === "{}") return null
  const words = (done.stderr || "").trim()
  return words || `plan-gate: no proper answer, refused (${done.error?.code ?? done.signal ?? done.status})`
}

function demand(event) {
  const reason = ask(event)
  if (reason !== null) throw new Error(reason)
}

export const PlanGate = async ({ client, directory }) => {
  // The root of a session's family. The event that told of a parent may be from before a restart: then the server knows.
  async function root(id) {
    const path = new Set()
    for (let at = id; ; ) {
      if (path.has(at)) throw new Error("plan-gate: a session descends from itself, refused")
      path.add(at)
      if (!parents.has(at)) {
        const answer = await client.session.get({ path: { id: at } }).catch(() => null)
        if (!answer?.data) throw new Error("plan-gate: nobody knows this session, refused")
        parents.set(at, answer.data.parentID ?? null)
      }
      const parent = parents.get(at)
      if (parent === null) return at
      at = parent
    }
  }

  async function frame(id, name) {
    const base = await root(id)
    const own = { session_id: base, cwd: directory }
    if (!started.has(base)) {
      demand({ ...own, hook_event_name: "session.start", source: "resume" })
      started.add(base)
    }
    return { ...own, hook_event_name: name, ...(base === id ? {} : { agent_id: id }) }
  }

  // `opencode run "two words"` hands its argument over in quotation marks of its own.
  function unquote(text) {
    const run = process.argv.includes("run")
    if (!run || text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text
    const inner = text.slice(1, -1)
    return /\s/.test(inner) ? inner.replaceAll('\\"', '"') : text
  }

  return {
    config: async (config) => {
      const kept = JSON.parse(config.mcp?.[SERVER]?.environment?.[KEPT] ?? "null")
      const rules = typeof kept === "string" ? { "*": kept } : (kept ?? {})
      // What another layer (a project) added to ours still counts.
      const { "*": star, ...others } = typeof config.permission === "object" ? config.permission : {}
      config.permission = { "*": "allow", ...rules, ...(star && star !== "deny" ? { "*": star } : {}), ...others }
    },
    event: async ({ event }) => {
      if (event.type === "session.created") parents.set(event.properties.info.id, event.properties.info.parentID ?? null)
    },
    "chat.message": async (input, output) => {
      const own = await frame(input.sessionID, "chat.message")
      const typed = output.parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
      if (typed.length === 0) return
      demand({ ...own, prompt: typed.map((part) => unquote(part.text)).join("\n") })
    },
    "tool.execute.before": async (input, output) => {
      const own = await frame(input.sessionID, "tool.execute.before")
      demand({ ...own, tool_name: input.tool, tool_input: output.args, tool_use_id: input.callID })
    },
    "tool.execute.after": async (input) => {
      const own = await frame(input.sessionID, "tool.execute.after")
      demand({ ...own, tool_name: input.tool, tool_input: input.args ?? {}, tool_use_id: input.callID })
    },
  }
}
