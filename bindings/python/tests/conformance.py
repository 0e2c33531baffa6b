"""Plays every conversation of tests/conformance: once through the JSON door, once through typed calls.

    python -m tests.conformance [FOLDER]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from plan_gate import Gate, GateError, PlanMode, Session, Settled, Source, Status

OWN = {"do", "session", "save", "cut", "replace", "expect", "parent"}
FOLDER = Path(__file__).resolve().parents[3] / "tests" / "conformance"


class Digest:
    """FNV-1a, 64 bits."""

    def __init__(self) -> None:
        self.value = 0xCBF29CE484222325

    def add(self, id: str, step: int, typed: int | None, answer: str) -> None:
        value = self.value
        for byte in f"{id}\t{step}\t{'-' if typed is None else typed}\t{answer}\n".encode():
            value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
        self.value = value


def matches(expect: Any, answer: Any) -> bool:
    """Whether ``answer`` has everything that ``expect`` names."""
    if isinstance(expect, dict) and isinstance(answer, dict):
        for key, value in expect.items():
            if key == "says" and isinstance(value, list):
                if not all(word in answer.get("message", "") for word in value):
                    return False
            elif key not in answer or not matches(value, answer[key]):
                return False
        return True
    if isinstance(expect, list) and isinstance(answer, list):
        return len(expect) == len(answer) and all(map(matches, expect, answer))
    # In Python 1 == True: JSON keeps them apart.
    return bool(expect == answer) and isinstance(expect, bool) == isinstance(answer, bool)


def dump(value: Any) -> str:
    """Compact and sorted: a message may name a column."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def request(step: dict[str, Any]) -> str:
    """The step as a request of a door."""
    return dump({"op": step["do"], **{key: value for key, value in step.items() if key not in OWN}})


def error_json(error: GateError) -> str:
    """What a door answers to a request that failed."""
    fields = {"kind": error.kind, "message": str(error), "status": int(error.status)}
    return dump({"error": fields})


def door(holder: Gate | Session | PlanMode, text: str) -> str:
    try:
        return holder.request_json(text)
    except GateError as error:
        return error_json(error)


def damaged(step: dict[str, Any]) -> dict[str, Any]:
    """``cut`` and ``replace`` on an import's snapshot."""
    snapshot = step.get("snapshot")
    if not isinstance(snapshot, str):
        return step
    if "cut" in step:
        snapshot = snapshot.encode()[: -step["cut"]].decode()
    if "replace" in step:
        snapshot = snapshot.replace(step["replace"][0], step["replace"][1], 1)
    return {**step, "snapshot": snapshot}


def typed_check(session: Session, step: dict[str, Any]) -> int:
    args = step["argsText"] if "argsText" in step else dump(step.get("args"))
    return session.check(step["tool"], args).bits


def typed_reply(session: Session, step: dict[str, Any]) -> int | None:
    """``None`` when the typed call cannot say it: attachments travel through the door."""
    if "attachments" in step:
        door(session, request(step))
        return None
    source = Source[step.get("source", "user").upper()]
    try:
        return session.reply(step["text"], source=source, shown=step.get("shown")).bits
    except GateError:
        return None


def agree(step: dict[str, Any], typed: int, answer: dict[str, Any]) -> bool:
    """Whether the packed integer says the same as the door's answer."""
    if step["do"] == "check":
        verdict = int(answer.get("verdict") == "allow")
        return bool(typed == verdict | answer.get("code", -1) << 8)
    kinds = ["other", "approve", "amend"]
    settled = Settled[answer["settlement"].upper()]
    return bool(typed == kinds.index(answer["kind"]) | settled << 8)


class Player:
    """Two gates in the same state."""

    def __init__(self, config: Any) -> None:
        self.config = config
        self.saved: dict[str, str] = {}
        self.door, self.typed = Gate(config), Gate(config)

    def fill(self, value: Any) -> Any:
        if isinstance(value, str) and value.startswith("$"):
            return self.saved.get(value[1:], value)
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        if isinstance(value, dict):
            return {key: self.fill(item) for key, item in value.items()}
        return value

    def save(self, step: dict[str, Any], answer: str) -> None:
        if "save" in step:
            fields = json.loads(answer)
            found = [fields[key] for key in ("id", "snapshot") if isinstance(fields.get(key), str)]
            self.saved[step["save"]] = found[0] if found else ""

    def step(self, step: dict[str, Any]) -> tuple[int | None, str]:
        do = step["do"]
        if do == "gate":
            try:
                config = step.get("config", self.config)
                self.door, self.typed = Gate(config), Gate(config)
                return None, "{}"
            except GateError as error:
                return None, error_json(error)
        if do == "spawn":
            statuses = {spawn(gate, step) for gate in (self.door, self.typed)}
            (status,) = statuses
            return None, dump({"status": status})
        if do == "request":
            return None, door(self.door, dump(step["request"]))
        with self.door.session(step["session"]) as by_door, self.typed.session(step["session"]) as by_type:
            step = damaged(step)
            if do == "close":
                by_door.end()
                by_type.end()
                return None, "{}"
            if do == "check":
                return typed_check(by_type, step), door(by_door, request(step))
            if do == "reply":
                return typed_reply(by_type, step), door(by_door, request(step))
            answer, other = door(by_door, request(step)), door(by_type, request(step))
            assert answer == other, "both gates are in the same state"
            return None, answer


def spawn(gate: Gate, step: dict[str, Any]) -> int:
    try:
        gate.child(step["session"], step["parent"]).close()
        return Status.OK.value
    except GateError as error:
        return int(error.status)


class Report:
    """What came of it."""

    def __init__(self) -> None:
        self.passed = 0
        self.failures: list[str] = []
        self.digest = Digest()

    def check(self, id: str, number: int, step: dict[str, Any], typed: int | None, answer: str) -> None:
        self.digest.add(id, number, typed, answer)
        value, expect = json.loads(answer), step.get("expect", {})
        error = value.get("error") if isinstance(value, dict) else None
        unexpected = isinstance(error, dict) and "error" not in expect
        agrees = typed is None or agree(step, typed, value)
        if unexpected or not agrees or not matches(expect, value):
            self.failures.append(f"{id} step {number}: {step}\n  answered {answer}\n  typed {typed}")


def play_all(folder: Path = FOLDER) -> Report:
    report = Report()
    for name, count in json.loads((folder / "manifest.json").read_text()).items():
        conversations = json.loads((folder / name).read_text())
        assert len(conversations) == count, f"{name}: {len(conversations)} conversations, not {count}"
        for conversation in conversations:
            before = len(report.failures)
            play(name.startswith("plan-mode/"), conversation, report)
            report.passed += len(report.failures) == before
    return report


def play(plan_mode: bool, conversation: dict[str, Any], report: Report) -> None:
    if plan_mode:
        with PlanMode(conversation["config"]) as mode:
            for number, step in enumerate(conversation["steps"]):
                report.check(conversation["id"], number, step, None, door(mode, request(step)))
        return
    player = Player(conversation["config"])
    for number, raw in enumerate(conversation["steps"]):
        step = player.fill(raw)
        typed, answer = player.step(step)
        player.save(step, answer)
        report.check(conversation["id"], number, step, typed, answer)


def main() -> int:
    report = play_all(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
    print(*report.failures, sep="\n", end="\n" if report.failures else "")
    print(f"conformance: {report.passed} passed, {len(report.failures)} failed")
    print(f"digest: {report.digest.value:016x}")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
