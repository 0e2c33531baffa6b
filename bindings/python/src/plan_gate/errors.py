"""What can go wrong. Every error means: the call must not run."""

from __future__ import annotations

import json
from enum import IntEnum

from ._ffi import LIBRARY, LibraryError

__all__ = ["ClosedError", "GateError", "LibraryError", "PoisonedError", "Status"]


class Status(IntEnum):
    """``PLAN_GATE_STATUS_*``."""

    OK = 0
    NULL_ARGUMENT = 100
    INVALID_UTF8 = 101
    TOO_LARGE = 102
    UNKNOWN_NUMBER = 103
    INVALID_JSON = 110
    INVALID_REQUEST = 111
    INVALID_CONFIG = 120
    INVALID_PROFILE = 121
    INVALID_PLAN = 130
    INVALID_SNAPSHOT = 131
    LINEAGE_CONFLICT = 140
    LINEAGE_CYCLE = 141
    NOTHING_TO_SETTLE = 142
    CHILD_NOT_ALLOWED = 143
    PLAN_MODE = 150
    PANIC = 190
    POISONED = 191


class GateError(Exception):
    """The gate refused a request; ``status`` is a :class:`Status`, or a number newer than this package."""

    def __init__(self, status: int, message: str = "", kind: str = "") -> None:
        self.status: int = _known(status)
        self.kind = kind
        super().__init__(message or _text(status))

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (int(self.status), str(self), self.kind))


class ClosedError(GateError):
    """The object was closed, or belongs to the process before a fork."""

    def __init__(self, status: int = Status.NULL_ARGUMENT, message: str = "", kind: str = "") -> None:
        super().__init__(status, message or "this object is closed", kind)


class PoisonedError(GateError):
    """An earlier failure inside the gate closed this session for good."""


def _known(status: int) -> int:
    try:
        return Status(status)
    except ValueError:
        return status


def _text(status: int) -> str:
    text: bytes = LIBRARY.plan_gate_status_text(status & 0xFFFFFFFF)
    return text.decode()


def error_of(status: int, answer: bytes = b"", closed: bool = False) -> GateError:
    """The error for a status, with the words of the library's answer if there are any."""
    if closed:
        return ClosedError()
    message = kind = ""
    if answer:
        found = json.loads(answer)["error"]
        message, kind = found["message"], found["kind"]
    if status in (Status.PANIC, Status.POISONED):
        return PoisonedError(status, message, kind)
    return GateError(status, message, kind)
