"""The C interface as one table, applied to the library when it is loaded.

Every function has its types declared: without them ctypes cuts pointers to 32 bits. A test compares the
table with ``plan_gate.h``.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from typing import Any

ABI_VERSION = 1
"""The number of the C interface this package was written for."""


class Buf(ctypes.Structure):
    """``plan_gate_buf``: bytes owned by the library."""

    _fields_ = [("data", ctypes.c_void_p), ("len", ctypes.c_size_t), ("cap", ctypes.c_size_t)]


_BUF = ctypes.POINTER(Buf)
_OUT = ctypes.POINTER(ctypes.c_void_p)
_HANDLE = ctypes.c_void_p
_TEXT = (ctypes.c_char_p, ctypes.c_size_t)
_U32, _U64, _BOOL = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_bool

FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "plan_gate_abi_version": (_U32, ()),
    "plan_gate_version": (ctypes.c_char_p, ()),
    "plan_gate_status_text": (ctypes.c_char_p, (_U32,)),
    "plan_gate_buf_free": (None, (_BUF,)),
    "plan_gate_new": (_U32, (*_TEXT, _OUT, _BUF)),
    "plan_gate_free": (None, (_HANDLE,)),
    "plan_gate_request": (_U32, (_HANDLE, *_TEXT, _BUF)),
    "plan_gate_session_open": (_U32, (_HANDLE, *_TEXT, _OUT)),
    "plan_gate_session_open_child": (_U32, (_HANDLE, *_TEXT, *_TEXT, _OUT)),
    "plan_gate_session_free": (None, (_HANDLE,)),
    "plan_gate_session_close": (None, (_HANDLE,)),
    "plan_gate_session_check": (_U64, (_HANDLE, *_TEXT, *_TEXT)),
    "plan_gate_session_allows": (_BOOL, (_HANDLE, *_TEXT, *_TEXT)),
    "plan_gate_session_check_effect": (_U64, (_HANDLE, *_TEXT, _U32, *_TEXT)),
    "plan_gate_session_reply": (_U64, (_HANDLE, _U32, *_TEXT, *_TEXT)),
    "plan_gate_session_request": (_U32, (_HANDLE, *_TEXT, _BUF)),
    "plan_gate_plan_mode_new": (_U32, (*_TEXT, _OUT, _BUF)),
    "plan_gate_plan_mode_free": (None, (_HANDLE,)),
    "plan_gate_plan_mode_request": (_U32, (_HANDLE, *_TEXT, _BUF)),
}
"""Name to result and argument types."""


class LibraryError(ImportError):
    """The plan gate library is missing or does not fit. A host must then let nothing act."""


def _file_name() -> str:
    if sys.platform == "win32":
        return "plan_gate.dll"
    if sys.platform == "darwin":
        return f"libplan_gate.{ABI_VERSION}.dylib"
    return f"libplan_gate.so.{ABI_VERSION}"


def _path() -> str:
    """``PLAN_GATE_LIBRARY`` if set, else the library in the wheel, else whatever the loader finds."""
    chosen = os.environ.get("PLAN_GATE_LIBRARY")
    if chosen:
        return chosen
    packaged = Path(__file__).parent / "_lib" / _file_name()
    return str(packaged) if packaged.exists() else _file_name()


def load(path: str | None = None) -> ctypes.CDLL:
    """Loads the library, compares its ABI number, declares every function."""
    path = _path() if path is None else path
    try:
        # CDLL, not PyDLL: the interpreter lock is free while the gate works.
        library = ctypes.CDLL(path)
    except OSError as error:
        raise LibraryError(
            f"the plan gate library cannot be loaded ({error}); reinstall the package plan-gate, or set "
            "PLAN_GATE_LIBRARY to the library's file. Until then no tool may act."
        ) from error
    try:
        library.plan_gate_abi_version.restype = _U32
        found = int(library.plan_gate_abi_version())
    except AttributeError as error:
        raise LibraryError(f"`{path}` is not a plan gate library. Until it is replaced no tool may act.") from error
    if found != ABI_VERSION:
        age = "older" if found < ABI_VERSION else "newer"
        raise LibraryError(
            f"the plan gate library `{path}` is {age} than this program: its interface has the number {found}, "
            f"this program needs {ABI_VERSION}. Install matching versions of both. Until then no tool may act."
        )
    for name, (restype, argtypes) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = restype
        function.argtypes = argtypes
    return library


LIBRARY = load()
