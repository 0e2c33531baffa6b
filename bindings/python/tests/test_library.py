"""The table of declarations, the numbers, and what happens with a library that does not fit."""

from __future__ import annotations

import ctypes
import json
import re
import subprocess
import sys
import tempfile
import unittest
from enum import IntEnum
from pathlib import Path

from plan_gate import Effect, Reason, ReplyKind, Settled, Source, Status
from plan_gate._ffi import ABI_VERSION, FUNCTIONS, Buf, LibraryError, load

INCLUDE = Path(__file__).resolve().parents[3] / "include"
HEADER = (INCLUDE / "plan_gate.h").read_text()
C_TYPES = {
    "uint32_t": ctypes.c_uint32,
    "plan_gate_status": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "plan_gate_decision": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "bool": ctypes.c_bool,
    "void": None,
    "const char *": ctypes.c_char_p,
    "plan_gate_buf *": ctypes.POINTER(Buf),
}


def ctype(text: str) -> object:
    """The ctypes type of a C declaration without its name."""
    text = text.strip()
    if text in C_TYPES:
        return C_TYPES[text]
    bare = text.removeprefix("const ")
    return {1: ctypes.c_void_p, 2: ctypes.POINTER(ctypes.c_void_p)}[bare.count("*")]


def declared() -> dict[str, tuple[object, tuple[object, ...]]]:
    found = {}
    pattern = re.compile(r"^(?:PLAN_GATE_MUST_USE )?PLAN_GATE_API ([\w ]+?[ *])(plan_gate_\w+|plan_gate_new)\(([^)]*)\);", re.M)
    for result, name, arguments in pattern.findall(HEADER):
        parts = [] if arguments.strip() == "void" else arguments.split(",")
        # The name of an argument is its last word.
        found[name] = (ctype(result), tuple(ctype(re.sub(r"\w+\s*$", "", part)) for part in parts))
    return found


class Table(unittest.TestCase):
    def test_every_function_is_declared_as_in_the_header(self) -> None:
        header = declared()
        self.assertEqual(sorted(header), (INCLUDE / "plan_gate.sym").read_text().split())
        self.assertEqual(FUNCTIONS, header)

    def test_layout(self) -> None:
        layout = json.loads((INCLUDE / "plan_gate.layout.json").read_text())
        self.assertEqual((layout["abi"], layout["pointer"]), (ABI_VERSION, ctypes.sizeof(ctypes.c_void_p)))
        buf = layout["plan_gate_buf"]
        self.assertEqual((ctypes.sizeof(Buf), ctypes.alignment(Buf)), (buf["size"], buf["align"]))
        for name, *_ in Buf._fields_:
            self.assertEqual(getattr(Buf, name).offset, buf[name])

    def test_numbers(self) -> None:
        kinds: dict[str, type[IntEnum]] = {
            "STATUS": Status, "REASON": Reason, "SOURCE": Source, "EFFECT": Effect, "REPLY": ReplyKind, "SETTLED": Settled,
        }  # fmt: skip
        for prefix, kind in kinds.items():
            defined = dict(re.findall(rf"^#define PLAN_GATE_{prefix}_(\w+) (\d+)$", HEADER, re.M))
            self.assertEqual({member.name: str(member.value) for member in kind}, defined)
        self.assertIn(f"#define PLAN_GATE_ABI_VERSION {ABI_VERSION}\n", HEADER)


class WrongLibrary(unittest.TestCase):
    """What a user reads when the library does not fit."""

    def stub(self, source: str) -> str:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        code, library = Path(folder.name, "stub.c"), Path(folder.name, "stub.so")
        code.write_text(source)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, code], check=True)
        return str(library)

    def refused(self, path: str) -> str:
        with self.assertRaises(LibraryError) as caught:
            load(path)
        # And so at import, in a process of its own.
        code = "import sys\ntry:\n import plan_gate\nexcept ImportError as e: print(type(e).__name__, e); sys.exit(3)"
        environment = {"PLAN_GATE_LIBRARY": path, "PYTHONPATH": ":".join(filter(None, sys.path))}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stderr), (3, ""))
        self.assertEqual(run.stdout.strip(), f"LibraryError {caught.exception}")
        return str(caught.exception)

    def test_other_abi_numbers(self) -> None:
        older = self.refused(self.stub("unsigned plan_gate_abi_version(void) { return 0; }"))
        self.assertIn("is older than this program: its interface has the number 0, this program needs 1", older)
        self.assertIn("no tool may act", older)
        newer = self.refused(self.stub("unsigned plan_gate_abi_version(void) { return 2; }"))
        self.assertIn("is newer than this program", newer)

    def test_another_library(self) -> None:
        self.assertIn("is not a plan gate library", self.refused(self.stub("int other(void) { return 0; }")))

    def test_no_library(self) -> None:
        self.assertIn("PLAN_GATE_LIBRARY", self.refused("/nowhere/libplan_gate.so.1"))


if __name__ == "__main__":
    unittest.main()
