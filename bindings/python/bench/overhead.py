"""What a check costs beside the floor of the language, in one run.

    python bench/overhead.py [--json]
"""

from __future__ import annotations

import ctypes
import json
import sys
import timeit
from collections.abc import Callable
from pathlib import Path

from plan_gate import Effect, Gate, Session
from plan_gate._ffi import FUNCTIONS, LIBRARY
from plan_gate._handle import utf8

PATH = "src/features/login/form.tsx"
ARGS = json.dumps({"file_path": PATH, "content": "export const a = 1;\n"})
FILES = ["src/features/login", "docs", "tests/login.test.ts", "package.json", "assets"]


def walk(allowed: set[str], path: str) -> bool:
    """What a user would write by hand: normalise, then look the path and its parents up in a set."""
    parts: list[str] = []
    for part in path.replace("\\", "/").split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if not parts:
                return False
            parts.pop()
        else:
            parts.append(part)
    while parts:
        if "/".join(parts) in allowed:
            return True
        parts.pop()
    return False


def pure(session: Session, kind: int, path: str) -> int:
    """What check_effect does where the extension is missing."""
    name, text = utf8("write"), utf8(path)
    bits: int = LIBRARY.plan_gate_session_check_effect(session._handle, name, len(name), kind, text, len(text))
    return bits


def best(call: Callable[[], object]) -> float:
    """Nanoseconds of one call: the best of many short rounds, so that another process can spoil few of them."""
    number = 200
    return min(timeit.repeat(call, number=number, repeat=1500)) / number * 1e9


def main() -> None:
    gate = Gate({"profile": "dsh"})
    session = gate.session("bench")
    session.propose({"title": "A", "plan": "B", "tools": ["write"], "files": FILES})
    assert session.reply("ok").approved
    assert session.check("write", ARGS)
    kind, allowed = int(Effect.WRITE), set(FILES)
    assert session.check_effect("write", kind, PATH) and walk(allowed, PATH)

    # An empty call of the same signature.
    empty = LIBRARY.plan_gate_abi_version
    # An argument too many is harmless in the calling conventions of x86-64 and AArch64.
    prototype = ctypes.CFUNCTYPE(*[FUNCTIONS["plan_gate_session_check_effect"][0], *FUNCTIONS["plan_gate_session_check_effect"][1]])
    same = prototype(("plan_gate_abi_version", ctypes.CDLL(LIBRARY._name)))
    tool, value = b"write", PATH.encode()

    def encoded() -> int:
        text = PATH.encode()
        bits: int = same(None, b"write", 5, kind, text, len(text))
        return bits

    results = {
        "empty call without arguments": best(empty),
        "empty call of the same signature": best(lambda: same(None, tool, 5, kind, value, 27)),
        "the same, text encoded": best(encoded),
        "check_effect(tool, kind, path)": best(lambda: session.check_effect("write", kind, PATH)),
        "the same without the extension": best(lambda: Session._decision(session, pure(session, kind, PATH))),
        "check(tool, args text)": best(lambda: session.check("write", ARGS)),
        "set walk by hand": best(lambda: walk(allowed, PATH)),
        "set walk by hand, arguments parsed": best(lambda: walk(allowed, json.loads(ARGS)["file_path"])),
    }
    if "--json" in sys.argv:
        print(json.dumps(results))
        return
    for name, nanoseconds in results.items():
        print(f"{nanoseconds:8.0f} ns  {name}")


if __name__ == "__main__":
    main()
