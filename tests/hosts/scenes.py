"""What is played against every host: each scene starts in a new world and raises AssertionError when a call ran that
was not approved, or when one that was approved did not."""

import fcntl
import json
import os
import pty
import re
import select
import shutil
import stat
import struct
import termios
import time


class Tools:
    """The spelling of the same acts in one host's tools."""

    def __init__(self, world):
        self.world, self.host, self.repo = world, world.host, str(world.repo)

    def write(self, name, text="hi"):
        path = f"{self.repo}/{name}"
        if self.host == "claude-code":
            return {"call": "Write", "with": {"file_path": path, "content": text}}
        if self.host == "codex":
            return {"call": "apply_patch", "raw": f"*** Begin Patch\n*** Add File: {name}\n+{text}\n*** End Patch"}
        if self.host == "opencode":
            return {"call": "write", "with": {"filePath": name, "content": text}}
        return {"call": "write_file", "with": {"file_path": name if self.host == "gemini-cli" else path, "content": text}}

    def shell(self, command):
        if self.host == "claude-code":
            return {"call": "Bash", "with": {"command": command}}
        if self.host == "codex":
            return {"call": "exec_command", "with": {"cmd": command}}
        if self.host == "opencode":
            return {"call": "bash", "with": {"command": command, "description": "a command"}}
        extra = {"is_background": False} if self.host == "qwen-code" else {}
        return {"call": "run_shell_command", "with": {"command": command, **extra}}

    def plan(self, files=(), commands=(), agents=(), title="T"):
        names = {
            "claude-code": ["Write", "Bash", "Agent"],
            "codex": ["apply_patch", "Bash", "spawn_agent"],
            "gemini-cli": ["write_file", "run_shell_command", "invoke_agent"],
            "qwen-code": ["write_file", "run_shell_command", "agent"],
            "opencode": ["write", "bash", "task"],
        }[self.host]
        lists = {"tools": names, "files": list(files), "commands": list(commands), "agents": list(agents)}
        arguments = {"title": title, "plan": "The steps.", **{k: v for k, v in lists.items() if v}}
        if self.host == "codex":
            return {"call": "propose_plan", "in": "mcp__gate", "with": arguments}
        name = {"gemini-cli": "mcp_gate_propose_plan", "opencode": "gate_propose_plan"}.get(
            self.host, "mcp__gate__propose_plan"
        )
        return {"call": name, "with": arguments}

    def child(self, prompt):
        """The call that starts a sub-agent, and the sub-agent's kind."""
        if self.host == "claude-code":
            kind = "general-purpose"
            step = {"call": "Agent", "with": {"subagent_type": kind, "description": "d", "prompt": prompt}}
        elif self.host == "qwen-code":
            kind = "general-purpose"
            step = {"call": "agent", "with": {"subagent_type": kind, "description": "d", "prompt": prompt}}
        elif self.host == "gemini-cli":
            kind = "generalist"
            step = {"call": "invoke_agent", "with": {"agent_name": kind, "prompt": prompt}}
        elif self.host == "opencode":
            kind = "general"
            step = {"call": "task", "with": {"subagent_type": kind, "description": "d", "prompt": prompt}}
        else:
            kind = "default"
            step = {"call": "spawn_agent", "in": "multi_agent_v1", "with": {"message": prompt}}
        return step, kind


STOP = {"say": "Please confirm."}
DONE = {"say": "Done."}


def exists(world, name):
    return (world.repo / name).exists()


def require(condition, what, world):
    if not condition:
        told = "\n    ".join(world.told()[-4:])
        raise AssertionError(f"{what}\n  the model was told last:\n    {told}")


def approved(world, **lists):
    """A session with an approved plan."""
    tools = Tools(world)
    world.turn("begin", [tools.plan(**lists), STOP])
    return tools


def flow(world):
    """Denied; planned; "ok" in a resumed process; written."""
    tools = Tools(world)
    steps = [tools.write("a.txt"), tools.shell("echo hi > b.txt"), tools.plan(["a.txt"], ["touch c.txt"]), tools.write("a.txt"), STOP]
    world.turn("make a.txt", steps)
    require(not exists(world, "a.txt") and not exists(world, "b.txt"), "a call ran before any approval", world)
    told = " ".join(world.told())
    require("no plan is approved" in told, "the refusal did not reach the model", world)
    require("waits for the user" in told, "the draft was not recorded", world)
    world.turn("ok", [tools.write("a.txt"), tools.shell("touch c.txt"), DONE])
    require(exists(world, "a.txt") and exists(world, "c.txt"), "an approved call did not run", world)
    world.turn("what did you do?", [tools.write("d.txt"), DONE])
    require(not exists(world, "d.txt"), "a call ran under a withdrawn approval", world)


def amend(world):
    """Yes, but: a revision, proposed and approved anew."""
    tools = approved(world, files=["a.txt"])
    world.turn("ok, but call it b.txt", [tools.write("a.txt"), tools.write("b.txt"), tools.plan(["b.txt"]), STOP])
    require(not exists(world, "a.txt") and not exists(world, "b.txt"), "an amendment was taken for a yes", world)
    world.turn("ok", [tools.write("a.txt"), DONE])
    require(not exists(world, "a.txt"), "a call outside the revised plan ran", world)
    world.turn("no", [DONE])
    world.turn("go", [tools.plan(["b.txt"]), STOP])
    world.turn("ok", [tools.write("b.txt"), DONE])
    require(exists(world, "b.txt"), "the approved revision did not run", world)


def outside(world):
    """Out of scope: held, asked, yes, run; and nothing else with it."""
    tools = approved(world, files=["a.txt"])
    world.turn("ok", [tools.write("b.txt"), tools.write("a.txt"), STOP])
    require(not exists(world, "b.txt"), "a call outside the plan ran", world)
    require(not exists(world, "a.txt"), "a call ran while a question was open", world)
    require("outside the approved plan" in " ".join(world.told()), "the model was not told to ask", world)
    world.turn("yes", [tools.write("b.txt"), tools.write("a.txt"), tools.write("c.txt"), DONE])
    require(exists(world, "b.txt") and exists(world, "a.txt"), "the held call did not run after a yes", world)
    require(not exists(world, "c.txt"), "the yes to one call opened another", world)


def child(world):
    """A sub-agent: refused without a plan, cannot propose one, works under its root's, and is asked about in the root."""
    tools = Tools(world)
    start, kind = tools.child("the child's task")
    work = {"the child's task": [tools.plan(["x.txt"]), tools.write("x.txt"), {"say": "The child is done."}]}
    world.turn("begin", [tools.plan(files=["y.txt"], commands=["sleep 12"], agents=[kind]), STOP])
    pause = tools.shell("sleep 12")
    world.turn("ok", [start, pause, DONE], work)
    require("sub-agent cannot propose" in " ".join(world.told()), "the child was not kept from proposing", world)
    require(not exists(world, "x.txt"), "the child wrote outside its root's plan", world)
    world.turn("stop", [DONE])
    world.turn("again", [tools.plan(files=["z.txt"], commands=["sleep 12"], agents=[kind]), STOP])
    work = {"the child's task": [tools.write("z.txt"), {"say": "The child is done."}]}
    world.turn("ok", [start, pause, DONE], work)
    require(exists(world, "z.txt"), "the child could not work under its root's plan", world)


def parallel(world):
    """Several calls in one model turn: those in scope run, the others do not."""
    tools = approved(world, files=["a.txt", "b.txt"], commands=["touch c.txt"])
    batch = [tools.write("a.txt"), tools.write("b.txt"), tools.shell("touch c.txt")]
    world.turn("ok", [batch, [tools.shell("touch d.txt"), tools.write("e.txt")], DONE])
    for name in ("a.txt", "b.txt", "c.txt"):
        require(exists(world, name), f"{name} was approved and is not there", world)
    for name in ("d.txt", "e.txt"):
        require(not exists(world, name), f"{name} was not approved and is there", world)


# What stands in for the gate in the table of failures. It misbehaves in the way that the call itself names, so that one
# run of the host covers the whole table.
STAND_IN = r"""#!/usr/bin/env python3
import json, os, re, sys, time
if sys.argv[1] != "hook":
    sys.exit(1)
text = sys.stdin.read()
event = json.loads(text)["hook_event_name"]
found = re.search(r"row-([a-z0-9-]+)", text)
if event not in ("PreToolUse", "BeforeTool", "tool.execute.before") or not found:
    print("{}", end="")
    sys.exit(0)
row = found.group(1)
def deny(decision="deny", name=None, **more):
    inner = {"hookEventName": name or event, "permissionDecision": decision, "permissionDecisionReason": "why", **more}
    return json.dumps({"hookSpecificOutput": inner})
def leave(code, out="", err=""):
    sys.stdout.write(out)
    sys.stderr.write(err)
    sys.stdout.flush()
    os._exit(code)
{
    "no-objection": lambda: leave(0, "{}"),
    "exit1": lambda: leave(1, "", "an error"),
    "exit1-empty-object": lambda: leave(1, "{}"),
    "exit2": lambda: leave(2, "", "a reason"),
    "exit2-silent": lambda: leave(2),
    "exit3": lambda: leave(3, "", "an error"),
    "traceback": lambda: 1 / 0,
    "garbage": lambda: leave(0, "}{ no JSON"),
    "cut": lambda: leave(0, deny()[:-9]),
    "bad-utf8": lambda: (sys.stdout.buffer.write(b"\xff\xfe{}"), leave(0)),
    "array": lambda: leave(0, '["deny"]'),
    "silent": lambda: leave(0),
    "hang": lambda: time.sleep(60),
    "killed": lambda: os.kill(os.getpid(), 9),
    "log-line-first": lambda: leave(0, "a log line\n{}"),
    "deny-json": lambda: leave(0, deny()),
    "deny-other-event": lambda: leave(0, deny(name="Other")),
    "unknown-decision": lambda: leave(0, deny("perhaps")),
    "allow-json": lambda: leave(0, deny("allow")),
    "rewrite": lambda: leave(0, deny("allow", updatedInput={"command": "touch rewritten"})),
    "continue-false": lambda: leave(0, json.dumps({"continue": False})),
    "old-approve": lambda: leave(0, json.dumps({"decision": "approve"})),
}[row]()
"""

ROWS = [
    "no-objection",
    "exit1",
    "exit1-empty-object",
    "exit2",
    "exit2-silent",
    "exit3",
    "traceback",
    "garbage",
    "cut",
    "bad-utf8",
    "array",
    "silent",
    "hang",
    "killed",
    "log-line-first",
    "deny-json",
    "deny-other-event",
    "unknown-decision",
    "allow-json",
    "rewrite",
    "continue-false",
    "old-approve",
]


def swap(world, content):
    """Puts a script in the place of the installed program, or takes it away."""
    program = world.program
    program.unlink(missing_ok=True)
    if content is not None:
        program.write_text(content)
        program.chmod(program.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)


def failures(world):
    """The installed hook's program fails in every way: only the proper "no objection" lets a call run."""
    tools = Tools(world)
    swap(world, STAND_IN)
    calls = [tools.shell(f"touch row-{row}") for row in ROWS]
    world.turn("begin", [*calls, DONE], timeout=300)
    ran = sorted(path.name for path in world.repo.glob("*"))
    require(ran == ["row-no-objection"], f"ran: {ran}", world)
    for content in (None, "#!/nonexistent/interpreter\n", ""):
        swap(world, content)
        world.session = None
        world.turn("begin", [tools.shell("touch missing"), tools.write("missing2"), DONE])
        require(not exists(world, "missing") and not exists(world, "missing2"), "a call ran without a gate", world)


def store(world):
    """The gate's own store is damaged, then its home cannot be written: nothing runs, and the model is told why."""
    tools = approved(world, files=["a.txt"])
    state = world.home / ".local/state/plan-gate"
    database = state / "gate.db"
    whole = database.read_bytes()
    for rest in ("gate.db-wal", "gate.db-shm"):
        (state / rest).unlink(missing_ok=True)
    database.write_bytes(whole[: len(whole) // 4096 // 2 * 4096])
    world.turn("ok", [tools.write("a.txt"), DONE])
    require(not exists(world, "a.txt"), "a call ran on a damaged store", world)
    world.session = None
    shutil.rmtree(state)
    state.write_text("a file in the place of the directory")
    world.turn("again", [tools.write("a.txt"), DONE])
    require(not exists(world, "a.txt"), "a call ran without a store", world)
    state.unlink()


def killed(world):
    """The gate is killed over and over while the host works: what was not approved never runs, and afterwards the state
    is whole."""
    tools = approved(world, files=["a.txt"], commands=["touch b.txt"])
    real = world.program.with_name("plan-gate-real")
    world.program.rename(real)
    # Only around tools: a prompt whose hook was killed is blocked, and then there is nothing to see.
    swap(
        world,
        f"""#!/bin/bash
input=; [ "$1" = hook ] && input=$(cat)
case "$1 $input" in
hook*ToolUse*|hook*BeforeTool*|hook*AfterTool*|hook*tool.execute*)
    n=$(cat "$0.count" 2>/dev/null || echo 0); echo $((n + 1)) > "$0.count"
    if [ $((n % 2)) = 1 ]; then
        "{real}" "$@" <<< "$input" & sleep 0.0$((n % 5)); kill -9 $! 2>/dev/null; wait $!; exit $?
    fi ;;
esac
[ "$1" = hook ] || exec "{real}" "$@"
exec "{real}" "$@" <<< "$input"
""",
    )
    steps = []
    for n in range(6):
        steps += [tools.write("a.txt", f"v{n}") if world.host != "codex" else tools.shell("touch b.txt"), tools.shell(f"touch no-{n}")]
    world.turn("ok", [*steps, DONE])
    require(not list(world.repo.glob("no-*")), "a call ran that nobody approved", world)
    real.rename(world.program)
    done = world.cli("log", "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    require(done.returncode == 0 and len(lines) > 10, f"the journal is not whole: {done.stderr}", world)
    require([line["seq"] for line in lines] == list(range(1, len(lines) + 1)), "the journal has holes", world)
    world.turn("begin", [tools.plan(files=["z.txt"]), STOP])
    world.turn("ok", [tools.write("z.txt"), DONE])
    require(exists(world, "z.txt"), "the session did not survive", world)


class Terminal:
    """A program at a terminal of its own, and what it has written so far."""

    def __init__(self, argv, env, cwd):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.execve(argv[0], argv, env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        self.text = ""

    def wait_for(self, part, seconds=60):
        """Reads until `part` is there, or the program has ended; whether it came."""
        end = time.monotonic() + seconds
        while part not in self.text and time.monotonic() < end:
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    more = os.read(self.fd, 65536)
                except OSError:
                    break
                if not more:
                    break
                # Without colours and movements; a program that draws may write its blanks as movements.
                plain = re.sub(rb"\x1b\[[0-9;?>=]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\\\)|\x1b[=>()][A-Z0-9]?", b" ", more)
                self.text += " ".join(plain.decode(errors="replace").split()) + " "
        return part in self.text

    def type(self, text):
        os.write(self.fd, text.encode())

    def end(self):
        """Its exit code, after it ended or was ended."""
        for _ in range(50):
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                break
            time.sleep(0.1)
        else:
            os.kill(self.pid, 9)
            _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)


def answer(world, *arguments, through=(), env=None):
    """The gate's command line at a terminal, answered with yes: its exit code and what it wrote."""
    terminal = Terminal([*map(str, through), str(world.program), *arguments], {**world.env(), **(env or {})}, world.repo)
    if terminal.wait_for("[y/N]", 20):
        terminal.type("y\n")
        terminal.wait_for("\0", 5)
    return terminal.end(), terminal.text


def button(world):
    """A person approves in a terminal of their own; the agent cannot."""
    tools = approved(world, files=["a.txt"])
    waiting = [json.loads(line) for line in world.cli("pending", "--json").stdout.splitlines()]
    require(len(waiting) == 1 and "a.txt" in waiting[0]["text"], f"not pending: {waiting}", world)
    name = waiting[0]["id"]
    without_terminal = world.cli("approve", name, stdin="y\n")
    require(without_terminal.returncode == 1, "approved without a terminal", world)
    for mark in ("CLAUDECODE", "GEMINI_CLI", "CODEX_SANDBOX"):
        code, text = answer(world, "approve", name, env={mark: "1"})
        require(code == 1 and "own process" in text, f"approved with {mark} set: {text}", world)
    agent = world.work / "bin" / "claude"
    shutil.copy2("/bin/bash", agent)
    code, text = answer(world, "approve", name, through=[agent, "-c", '"$@"; exit $?', "-"])
    require(code == 1 and "own process" in text, f"approved below a host's process: {text}", world)
    world.turn("what is in the plan?", [DONE])
    world.turn("again", [tools.plan(files=["a.txt"]), STOP])
    code, text = answer(world, "approve", name[:8])
    require(code == 0 and "Approved" in text, f"not approved: {text}", world)
    # What the user says now must not clear it: "go on" where nothing waits is ignored.
    world.turn("go on", [tools.write("a.txt"), tools.write("b.txt"), STOP])
    require(exists(world, "a.txt"), "the button opened nothing", world)
    held = json.loads(world.cli("pending", "--json").stdout)
    code, text = answer(world, "reject", held["id"])
    require(code == 0 and "Rejected" in text, f"not rejected: {text}", world)
    require(not exists(world, "b.txt"), "a rejected call ran", world)


def dialog(world):
    """Claude Code at a terminal: the host's own dialog is the button, in both directions."""
    tools = Tools(world)
    settings = world.home / ".claude/settings.json"
    value = json.loads(settings.read_text())
    value["permissions"] = {"allow": ["Write", "mcp__gate__propose_plan"], "defaultMode": "default"}
    settings.write_text(json.dumps(value))
    state = world.home / ".claude.json"
    value = json.loads(state.read_text()) if state.exists() else {}
    known = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    value |= {"hasCompletedOnboarding": True, "theme": "dark", "projects": {str(world.repo): known}}
    value |= {"customApiKeyResponses": {"approved": ["none"], "rejected": []}}
    state.write_text(json.dumps(value))
    script = {
        "make it": [tools.plan(files=["a.txt"]), tools.write("a.txt"), {"say": "First is done."}],
        "another": [tools.plan(files=["b.txt"]), tools.write("b.txt"), {"say": "Second is done."}],
    }
    world.script_file.write_text(json.dumps(script))
    terminal = Terminal(world.command, {**world.env(), "TERM": "xterm-256color"}, world.repo)

    def say(words):
        terminal.text = ""
        terminal.type(words)
        time.sleep(1)
        terminal.type("\r")

    try:
        require(terminal.wait_for("❯", 60), f"claude did not start: {terminal.text[-800:]}", world)
        time.sleep(2)
        say("make it")
        require(terminal.wait_for("requires confirmation", 60), f"no dialog: {terminal.text[-1500:]}", world)
        require(not exists(world, "a.txt"), "a call ran before the person answered", world)
        time.sleep(1)
        terminal.type("\r")
        require(terminal.wait_for("First is done", 60), f"stuck: {terminal.text[-1500:]}", world)
        require(exists(world, "a.txt"), "yes in the dialog opened nothing", world)
        say("another")
        require(terminal.wait_for("requires confirmation", 60), f"no dialog: {terminal.text[-1500:]}", world)
        time.sleep(1)
        terminal.type("\x1b")
        time.sleep(3)
    finally:
        os.kill(terminal.pid, 9)
        terminal.end()
    require(not exists(world, "b.txt"), "no in the dialog opened the plan", world)
    lines = [json.loads(line) for line in world.cli("log", "--json", "--kind", "approve").stdout.splitlines()]
    require([line["reason"] for line in lines] == ["dialog"], f"the journal says {lines}", world)


def uninstall(world):
    """Uninstalling leaves what the user had, and the host runs as before."""
    before = dict(world.settings_before)
    done = world.cli("uninstall", world.host, "--yes")
    require(done.returncode == 0, done.stderr, world)
    for path, text in before.items():
        now = path.read_text() if path.exists() else ""
        if path.suffix == ".json":
            require(json.loads(now or "{}") == json.loads(text), f"{path} is not what it was:\n{now}", world)
        else:
            # What Codex's own screen wrote about trust is not ours to take away.
            now = now.split("[hooks.state")[0]
            require(now.strip() == text.strip(), f"{path} is not what it was:\n{now}", world)
    # What the user set for the launcher goes as well: with it, and without our plug-in, nothing may act.
    world.extra.pop("OPENCODE_PERMISSION", None)
    tools = Tools(world)
    world.turn("begin", [tools.shell("touch free"), DONE])
    require(exists(world, "free"), "the host does not run without the gate", world)


ALL = [flow, amend, outside, child, parallel, failures, store, killed, button, dialog, uninstall]
