"""A tool loop with the gate in it: refused, planned, approved, done.

The model is a script here; put your client's call in its place. The person's words come from a list.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from plan_gate import Gate, GateError, Session

Call = tuple[str, dict[str, Any]]
Model = Callable[[list[str]], "Call | str"]


def run_tool(files: dict[str, str], tool: str, args: dict[str, Any]) -> str:
    """The harness's own tools."""
    if tool == "read":
        return files.get(args["file_path"], "no such file")
    files[args["file_path"]] = args["content"]
    return "written"


def call_tool(session: Session, files: dict[str, str], tool: str, args: dict[str, Any]) -> str:
    """What one tool call of the model gives back to it. The gate is asked first, always."""
    if tool == "propose_plan":
        return session.propose(args)["text"]
    text = json.dumps(args)
    try:
        if session.check(tool, text):
            return run_tool(files, tool, json.loads(text))
        return session.answer(tool, text)["text"]
    except GateError as error:
        return f"Not run: {error}"


def turn(session: Session, model: Model, files: dict[str, str], seen: list[str]) -> str:
    """The model works until it speaks instead of calling a tool."""
    while True:
        said = model(seen)
        if isinstance(said, str):
            return said
        seen.append(call_tool(session, files, *said))


def conversation(model: Model, person: Iterator[str], files: dict[str, str]) -> list[str]:
    """Everything the model got to see."""
    seen: list[str] = []
    with Gate({"profile": "dsh"}) as gate, gate.session("example") as session:
        for message in person:
            # Only what a person typed goes in here.
            session.reply(message)
            seen.append(message)
            seen.append(turn(session, model, files, seen))
            rendered = session.render()
            if rendered is not None:
                print(rendered)
    return seen


def script() -> Model:
    """A model that writes at once, is refused, plans, and after the yes writes."""
    write: Call = ("write", {"file_path": "src/login.ts", "content": "new"})
    other: Call = ("write", {"file_path": "src/db.ts", "content": "new"})
    plan: Call = (
        "propose_plan",
        {"title": "SMS login", "plan": "Rewrite the form.", "tools": ["write"], "files": ["src/login.ts"]},
    )
    read: Call = ("read", {"file_path": "src/login.ts"})
    said: list[Call | str] = [read, write, plan, "Do you agree?", write, other, "Done."]
    lines = iter(said)
    return lambda seen: next(lines)


def main() -> None:
    files = {"src/login.ts": "old", "src/db.ts": "old"}
    for line in conversation(script(), iter(["Add SMS login.", "ok"]), files):
        print("-", line.splitlines()[0])
    print(files)


if __name__ == "__main__":
    main()
