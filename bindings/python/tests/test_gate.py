"""The package as its users see it."""

from __future__ import annotations

import copy
import doctest
import gc
import os
import pickle
import sys
import threading
import unittest
from pathlib import Path

import plan_gate
from plan_gate import (
    ClosedError,
    Decision,
    Effect,
    Gate,
    GateError,
    PlanMode,
    PoisonedError,
    Reason,
    ReplyKind,
    Session,
    Settled,
    Source,
    Status,
)
from plan_gate._ffi import LIBRARY

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

WRITE = {"file_path": "src/a", "content": "x"}
PLAN = {"title": "A", "plan": "Do it.", "tools": ["write"], "files": ["src/a"]}


def approved(gate: Gate, id: str = "s") -> Session:
    session = gate.session(id)
    session.propose(PLAN)
    assert session.reply("ok").settled == Settled.DRAFT_APPROVED
    return session


class Conversation(unittest.TestCase):
    def setUp(self) -> None:
        self.gate = Gate({"profile": "dsh", "locale": "en"})

    def test_closed_planned_approved_held(self) -> None:
        session = self.gate.session("s")
        self.assertTrue(session.check("read", {"file_path": "src/a"}))
        refused = session.check("write", WRITE)
        self.assertFalse(refused)
        self.assertEqual((refused.reason, repr(refused)), (Reason.CLOSED, "<Decision deny: closed>"))
        proposal = session.propose(PLAN)
        self.assertTrue(proposal["ok"])
        self.assertIn("src/a", session.render() or "")
        self.assertEqual(session.check("write", WRITE).reason, Reason.AWAITING_APPROVAL)
        reply = session.reply("ok", shown=proposal["id"])
        self.assertEqual((reply.kind, reply.settled), (ReplyKind.APPROVE, Settled.DRAFT_APPROVED))
        self.assertTrue(reply.approved)
        self.assertTrue(session.allows("write", WRITE))
        self.assertIs(session.check("write", WRITE), session.check("write", b'{"file_path":"src/a","content":"x"}'))
        answer = session.answer("write", {"file_path": "src/b", "content": ""})
        self.assertEqual((answer["decision"], answer["outside"][0]["value"]), ("hold", "src/b"))
        assert answer["id"] is not None
        self.assertEqual(session.settle(answer["id"], False), "held_rejected")
        self.assertIsNone(session.render())
        self.assertEqual(session.state()["phase"], "approved")

    def test_effects(self) -> None:
        session = approved(self.gate)
        self.assertTrue(session.check_effect("write", Effect.WRITE, "src/a"))
        self.assertEqual(session.check_effect("write", Effect.WRITE, "src/b").reason, Reason.OUTSIDE)
        with self.assertRaises(GateError) as caught:
            session.check_effect("write", 99, "src/a")
        self.assertEqual(caught.exception.status, Status.UNKNOWN_NUMBER)

    def test_only_the_user_approves(self) -> None:
        session = self.gate.session("s")
        session.propose(PLAN)
        for source in Source:
            if source is not Source.USER:
                self.assertEqual(session.reply("ok", source=source).settled, Settled.IGNORED)
        self.assertFalse(session.allows("write", WRITE))

    def test_children_live_under_the_roots_approval(self) -> None:
        root = approved(self.gate, "root")
        child = self.gate.child("child", "root")
        self.assertTrue(child.allows("write", WRITE))
        root.end()
        self.assertFalse(child.allows("write", WRITE))
        self.assertTrue(root.closed)
        root.end()
        orphan = self.gate.child("o", "nobody")
        self.assertEqual(orphan.check("write", WRITE).reason, Reason.UNKNOWN_PARENT)
        with self.assertRaises(GateError) as caught:
            self.gate.child("x", "x")
        self.assertEqual(caught.exception.status, Status.LINEAGE_CYCLE)

    def test_snapshots(self) -> None:
        snapshot = approved(self.gate).export()
        with Gate({"profile": "dsh", "locale": "en"}) as other:
            session = other.session("s")
            session.restore(snapshot)
            self.assertTrue(session.allows("write", WRITE))
            with self.assertRaises(GateError) as caught:
                session.restore(snapshot[:-1])
            self.assertEqual(caught.exception.status, Status.INVALID_SNAPSHOT)
            self.assertFalse(session.allows("write", WRITE))

    def test_stand_alone(self) -> None:
        self.assertEqual(self.gate.classify("同意")["verdict"], "approve")
        self.assertIn("rule", self.gate.classify("ok"))
        scope = {"tools": ["write"], "files": ["src/a"]}
        self.assertEqual(self.gate.match(scope, "write", WRITE)["decision"], "allow")
        self.assertEqual(self.gate.tool_schema("zh")["name"], "propose_plan")
        self.assertIn("dsh", [profile["profile"] for profile in self.gate.profiles()])

    def test_plan_mode(self) -> None:
        with PlanMode({"section": "Read first.\n"}) as mode:
            self.assertEqual(mode.request("get"), {"active": False, "pending": None})
        self.assertTrue(mode.closed)
        with self.assertRaises(ClosedError):
            mode.request("get")

    def test_amendments_and_attachments(self) -> None:
        session = self.gate.session("s")
        session.propose(PLAN)
        self.assertEqual(session.reply_answer("", attachments=True)["rule"], "attachment_only")
        answer = session.reply_answer("好的，但还要加个日志")
        self.assertEqual((answer["kind"], answer["settlement"]), ("amend", "amended"))


class FailClosed(unittest.TestCase):
    def setUp(self) -> None:
        self.gate = Gate({"profile": "dsh"})

    def test_closed_objects(self) -> None:
        session = approved(self.gate)
        with session, session:
            self.assertFalse(session.closed)
        session.close()
        self.assertTrue(session.closed)
        self.assertFalse(session.allows("write", WRITE))
        for use in (
            lambda: session.check("write", WRITE),
            lambda: session.check_effect("write", Effect.WRITE, "src/a"),
            lambda: session.reply("ok"),
            lambda: session.state(),
            lambda: session.propose(PLAN),
        ):
            with self.assertRaises(ClosedError):
                use()
        # The session itself lives on in its gate, and its gate may be closed first.
        again = self.gate.session("s")
        self.gate.close()
        self.assertTrue(again.allows("write", WRITE))
        for make in (lambda: self.gate.session("t"), lambda: self.gate.child("t", "s"), self.gate.profiles):
            with self.assertRaises(ClosedError):
                make()

    def test_a_text_that_is_not_unicode_withdraws(self) -> None:
        session = approved(self.gate)
        with self.assertRaises(UnicodeEncodeError):
            session.reply_answer("stop \ud800", attachments=True)
        self.assertFalse(session.allows("write", WRITE))
        session = approved(self.gate, "t")
        session.reply("stop \ud800")
        self.assertFalse(session.allows("write", WRITE))

    def test_wrong_arguments_never_allow(self) -> None:
        session = approved(self.gate)
        bad: list[object] = [None, 1, [], object(), "", "not json", '{"file_path":"src/a","file_path":"/etc"}']
        bad += ["\ud800", b"\xff", '{"file_path":"src/a"', {"file_path": float("nan")}, {"file_path": object()}]
        for args in bad:
            self.assertFalse(session.allows("write", args), args)  # type: ignore[arg-type]
        self.assertFalse(session.allows("\ud800", WRITE))
        self.assertFalse(session.allows("write", b" " * (4 << 20) + b"{}"))
        self.assertTrue(session.allows("write", WRITE))

    def test_errors_say_what_and_where(self) -> None:
        with self.assertRaises(GateError) as caught:
            Gate({"locales": "en"})
        self.assertEqual(caught.exception.status, Status.INVALID_CONFIG)
        self.assertIn("locales", str(caught.exception))
        with self.assertRaises(GateError) as caught:
            self.gate.request("nothing")
        self.assertIn("`nothing`", str(caught.exception))
        copied = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((copied.status, str(copied)), (caught.exception.status, str(caught.exception)))
        with self.assertRaises(GateError):
            self.gate.session("")
        with self.assertRaises(GateError):
            self.gate.session("x" * 2000)

    def test_a_duplicate_key_in_a_plan_reaches_the_gate(self) -> None:
        session = self.gate.session("s")
        for plan in ('{"title":"A","title":"B"}', '{}, "op":"settle"', "{}}", ""):
            try:
                self.assertFalse(session.propose(plan)["ok"], plan)
            except GateError as error:
                self.assertIn(error.status, (Status.INVALID_JSON, Status.INVALID_REQUEST, Status.INVALID_PLAN))

    def test_numbers_newer_than_this_package(self) -> None:
        from plan_gate._answers import Reply, _member

        self.assertEqual(_member(Reason, 999), 999)
        self.assertFalse(Decision(2))
        self.assertFalse(Decision(0x2A02))
        self.assertEqual(repr(Decision(999 << 8)), "<Decision deny: 999>")
        self.assertEqual(Reply(0xFFFF).kind, 255)
        self.assertFalse(Reply(0xFFFF).approved)
        self.assertEqual(GateError(999).status, 999)


class Threads(unittest.TestCase):
    def test_close_under_running_calls(self) -> None:
        gate = Gate({"profile": "dsh"})
        for round in range(30):
            session = approved(gate, f"s{round}")
            problems: list[BaseException] = []

            def work() -> None:
                try:
                    while True:
                        session.check("write", WRITE)
                except ClosedError:
                    pass
                except BaseException as error:
                    problems.append(error)

            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            session.end() if round % 2 else session.close()
            for thread in threads:
                thread.join()
            self.assertEqual(problems, [])

    def test_handles_are_freed(self) -> None:
        from plan_gate import _handle

        gc.collect()
        before = len(_handle._live)
        gate = Gate()
        for number in range(100):
            gate.session(f"s{number}")
        del gate
        gc.collect()
        self.assertEqual(len(_handle._live), before)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_handles_die_at_fork(self) -> None:
        gate = Gate({"profile": "dsh"})
        session = approved(gate)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                dead = session.closed and gate.closed and not session.allows("write", WRITE)
                with Gate({"profile": "dsh"}) as own, approved(own) as mine:
                    code = 0 if dead and mine.allows("write", WRITE) else 2
            finally:
                os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertTrue(session.allows("write", WRITE))


class Documentation(unittest.TestCase):
    def test_the_words_of_the_package(self) -> None:
        self.assertEqual(doctest.testmod(plan_gate).failed, 0)

    def test_the_readme(self) -> None:
        readme = Path(__file__).resolve().parents[1] / "README.md"
        result = doctest.testfile(str(readme), module_relative=False, optionflags=doctest.ELLIPSIS)
        self.assertEqual(result.failed, 0)
        self.assertGreater(result.attempted, 8)

    def test_the_example(self) -> None:
        import tool_loop

        files = {"src/login.ts": "old", "src/db.ts": "old"}
        seen = tool_loop.conversation(tool_loop.script(), iter(["Add SMS login.", "ok"]), files)
        self.assertEqual(files, {"src/login.ts": "new", "src/db.ts": "old"})
        starts = ["Add SMS", "old", "Not run: execution is closed", "The plan is shown", "Do you agree"]
        starts += ["ok", "written", "", "Done."]
        self.assertEqual(len(seen), len(starts))
        for line, start in zip(seen, starts, strict=True):
            self.assertTrue(line.startswith(start), (line, start))
        self.assertIn("src/db.ts", seen[7])

    def test_versions_agree(self) -> None:
        self.assertEqual(plan_gate.library_version(), plan_gate.__version__)


@unittest.skipUnless(hasattr(LIBRARY, "plan_gate_test_arm"), "a library without injected faults")
class InjectedPanic(unittest.TestCase):
    def test_every_layer(self) -> None:
        def arm(point: bytes) -> None:
            LIBRARY.plan_gate_test_arm(point, len(point))

        LIBRARY.plan_gate_test_arm.argtypes = LIBRARY.plan_gate_session_open.argtypes[1:3]
        LIBRARY.plan_gate_test_arm.restype = None
        gate = Gate({"profile": "dsh"})
        for point in (b"ffi", b"classifier", b"scope-matcher", b"state-machine"):
            session = approved(gate, point.decode())
            child = gate.child(f"{point.decode()}-child", point.decode())
            arm(point)
            with self.assertRaises(PoisonedError) as caught:
                session.reply("no") if point == b"classifier" else session.check("write", WRITE)
            self.assertEqual(caught.exception.status, Status.PANIC)
            if point != b"ffi":
                self.assertFalse(session.allows("write", WRITE))
                self.assertFalse(child.allows("write", WRITE))
                with self.assertRaises(PoisonedError):
                    session.reply("ok")
            self.assertTrue(approved(gate, f"next-{point.decode()}").allows("write", WRITE))


class Values(unittest.TestCase):
    def test_decisions_compare_and_copy(self) -> None:
        decision = Gate().session("s").check("write", "{}")
        self.assertEqual(decision, copy.copy(decision))
        self.assertEqual(len({decision, Decision(decision.bits)}), 1)


if __name__ == "__main__":
    unittest.main()
