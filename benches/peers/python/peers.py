"""May this call write this path? Our binding, and what a Python harness would pick instead, in one run.

Prints one JSON object a line, which the report reads. An engine that is not installed is left out; one that
gives a wrong answer stops the program.
"""

from __future__ import annotations

import fnmatch
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

from plan_gate import Effect, Gate
from plan_gate._ffi import LIBRARY

SIZES = (5, 50, 1000)
CASBIN_MODEL = """[request_definition]
r = sub, obj, act
[policy_definition]
p = sub, obj, act
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.sub == p.sub && r.act == p.act && keyMatch(r.obj, p.obj)
"""
REGO = """package gate
import rego.v1
default allow := false
allow if { input.tool == "write"; some d in data.scope; startswith(input.path, concat("", [d, "/"])) }
"""

Ask = Callable[[str], bool]
QUICK = "--quick" in sys.argv


def directories(n: int) -> list[str]:
    return [f"src/module_{i}/sub" for i in range(n)]


def asks(n: int, inside: bool) -> list[str]:
    part = "sub/deep" if inside else "subway"
    return [f"src/module_{(k * 7919) % n}/{part}/file_{k}.rs" for k in range(16) if (k % 2 == 0) == inside]


def ours(n: int) -> Ask:
    session = Gate({"profile": "dsh", "root": "/home/dev/app", "pathStyle": "posix"}).session(f"session {n}")
    plan = {"title": "A", "plan": "B", "tools": ["write"], "files": directories(n)[:999]}
    session.settle(session.propose(plan)["id"], True)
    check, kind = session.check_effect, int(Effect.WRITE)
    return lambda path: bool(check("write", kind, path))


def set_walk(n: int) -> Ask:
    allowed = set(directories(n))

    def walk(path: str) -> bool:
        end = len(path)
        while end > 0:
            if path[:end] in allowed:
                return True
            end = path.rfind("/", 0, end)
        return False

    return walk


def normalising_walk(n: int) -> Ask:
    """As ours in what it promises about the path: `.`, `..` and `\\` mean what they mean."""
    allowed = set(directories(n))

    def walk(path: str) -> bool:
        parts: list[str] = []
        for part in path.split("/"):
            if part in ("", "."):
                continue
            if part == "..":
                if not parts:
                    return False
                parts.pop()
            else:
                parts.append(part)
        return any("/".join(parts[:end]) in allowed for end in range(len(parts), 0, -1))

    return walk


def globs(n: int) -> Ask:
    patterns = [f"{entry}/*" for entry in directories(n)]
    return lambda path: any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns)


def cedar(n: int) -> Ask:
    import cedarpy

    text = "\n".join(
        f'permit(principal, action == Action::"write", resource) '
        f'when {{ context.path like "{entry}/*" || context.path == "{entry}" }};'
        for entry in directories(n)
    )
    policies, entities = cedarpy.PolicySet.from_str(text), cedarpy.Entities.from_json_str("[]")
    fixed = {"principal": 'Session::"s1"', "action": 'Action::"write"', "resource": 'Tool::"write"'}
    return lambda path: bool(
        cedarpy.is_authorized({**fixed, "context": {"path": path}}, policies, entities).allowed
    )


def casbin(n: int) -> Ask:
    import casbin as engine

    with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
        file.write(CASBIN_MODEL)
        file.flush()
        enforcer = engine.Enforcer(file.name)
    enforcer.add_policies([["s1", f"{entry}/*", "write"] for entry in directories(n)])
    return lambda path: bool(enforcer.enforce("s1", path, "write"))


def rego(n: int) -> Ask:
    import regopy

    interpreter = regopy.Interpreter()
    interpreter.add_module("gate", REGO)
    interpreter.add_data_json(json.dumps({"scope": directories(n)}))

    def allow(path: str) -> bool:
        interpreter.set_input_term(json.dumps({"tool": "write", "path": path}))
        return "true" in str(interpreter.query("data.gate.allow"))

    return allow


ENGINES: list[tuple[str, Callable[[int], Ask], int]] = [
    ("plan-gate (ctypes)", ours, 1000),
    ("by hand: set walk in Python (no session, no lock, no normalising)", set_walk, 1000),
    ("by hand: the same after normalising the path", normalising_walk, 1000),
    ("fnmatch over every entry", globs, 1000),
    ("cedarpy: a `like` policy an entry, prepared", cedar, 1000),
    ("pycasbin: keyMatch", casbin, 1000),
    ("regopy: every entry tried", rego, 50),
]


def batch(ask: Callable[[], object], calls: int) -> float:
    start = time.perf_counter_ns()
    for _ in range(calls):
        ask()
    return (time.perf_counter_ns() - start) / calls


def turns(ask: Ask, paths: list[str]) -> Callable[[], object]:
    def cycle() -> Iterator[str]:
        while True:
            yield from paths

    following = cycle().__next__
    return lambda: ask(following())


def race(rows: list[tuple[str, Callable[[], object]]]) -> dict[str, list[float]]:
    """Nanoseconds of one call by name, a column for each round; all rows run in turns."""
    wanted, rounds = (2e6, 5) if QUICK else (1e7, 15)
    calls = {name: max(1, min(200_000, int(wanted / max(batch(call, 3), 1)))) for name, call in rows}
    columns: dict[str, list[float]] = {name: [] for name, _ in rows}
    for _ in range(rounds):
        for name, call in rows:
            columns[name].append(batch(call, calls[name]))
    return columns


def tell(question: str, entries: int, columns: dict[str, list[float]], first: str) -> None:
    for name, column in columns.items():
        ratios = [mine / base for mine, base in zip(column, columns[first])]
        line = {"language": "Python", "question": question, "entries": entries, "engine": name}
        print(json.dumps({**line, "ns": statistics.median(column), "ratio": statistics.median(ratios)}))


def main() -> None:
    session = Gate({"profile": "dsh"}).session("floor")
    empty = LIBRARY.plan_gate_session_check_effect
    check, kind = session.check_effect, int(Effect.WRITE)
    floor = race([
        ("floor: empty call of the same signature", lambda: empty(None, b"write", 5, 2, b"src/a", 5)),
        ("floor: empty call without arguments", lambda: LIBRARY.plan_gate_abi_version()),
        ("plan-gate (ctypes), refused at once", lambda: check("write", kind, "src/a")),
    ])
    tell("floor", 0, floor, "floor: empty call of the same signature")
    for n in SIZES:
        engines: list[tuple[str, Ask]] = []
        for name, make, largest in ENGINES:
            try:
                if n <= largest:
                    engines.append((name, make(n)))
            except ImportError:
                continue
        for name, ask in engines:
            for inside in (True, False):
                for path in asks(n, inside):
                    assert ask(path) == inside, (name, path)
        # Questions about what is inside only: the answer to the others is a question to the user.
        inside = asks(n, True)
        tell("inside", n, race([(name, turns(ask, inside)) for name, ask in engines]), "plan-gate (ctypes)")


if __name__ == "__main__":
    main()
