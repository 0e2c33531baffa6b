"""What the gate answers: small objects for the hot calls, dictionaries for the rest."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, TypedDict


class Reason(IntEnum):
    """``PLAN_GATE_REASON_*``: why a call may or may not run."""

    UNAVAILABLE = 0
    READ_ONLY = 10
    IN_SCOPE = 11
    ALLOWED_TOOL = 12
    EXEMPT_DELEGATED = 13
    CONTROL_TOOL = 14
    CLOSED = 20
    AWAITING_APPROVAL = 21
    AMENDMENT_REQUIRED = 22
    OUTSIDE = 23
    QUESTION_OPEN = 24
    UNKNOWN_PARENT = 25
    CHILD_CANNOT_PROPOSE = 26
    ARGUMENTS_NOT_OBJECT = 30
    DUPLICATE_KEY = 31
    ARGUMENT_MISSING = 32
    ARGUMENT_TYPE = 33
    PATH_UNUSABLE = 34
    ARGUMENTS_TOO_LARGE = 35
    READ_NOT_UNDERSTOOD = 36
    PATCH_UNREADABLE = 37
    NEVER_GRANTABLE = 40
    PROTECTED_FILE = 41
    POISONED = 50


class Source(IntEnum):
    """``PLAN_GATE_SOURCE_*``: who wrote a message. Only the user's is a reply."""

    USER = 1
    ASSISTANT = 2
    TOOL = 3
    PLUGIN = 4
    SYSTEM = 5
    AGENT = 6


class Effect(IntEnum):
    """``PLAN_GATE_EFFECT_*``: what one effect of a call is."""

    READ = 1
    WRITE = 2
    EXECUTE = 3
    FETCH = 4
    DELEGATE = 5
    OTHER = 6


class ReplyKind(IntEnum):
    """``PLAN_GATE_REPLY_*``: how a message was read."""

    OTHER = 0
    APPROVE = 1
    AMEND = 2


class Settled(IntEnum):
    """``PLAN_GATE_SETTLED_*``: what a message did."""

    IGNORED = 0
    DRAFT_APPROVED = 1
    HELD_APPROVED = 2
    AMENDED = 3
    CLEARED = 4
    KEPT = 5
    STALE = 6
    DRAFT_REJECTED = 7
    HELD_REJECTED = 8


def _member(kind: type[IntEnum], number: int) -> int:
    """The named number, or the bare one when the library is newer than this package."""
    try:
        return kind(number)
    except ValueError:
        return number


class Decision:
    """May the call run? True only if it may, so ``if session.check(...)`` reads as it should."""

    __slots__ = ("bits", "reason", "allowed")

    bits: int
    reason: int
    allowed: bool

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.reason = _member(Reason, bits >> 8 & 0xFFFF)
        self.allowed = bits & 0xFF == 1

    def __bool__(self) -> bool:
        return self.allowed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decision) and other.bits == self.bits

    def __hash__(self) -> int:
        return hash(self.bits)

    def __repr__(self) -> str:
        word = "allow" if self.allowed else "deny"
        reason = self.reason.name.lower() if isinstance(self.reason, Reason) else str(self.reason)
        return f"<Decision {word}: {reason}>"


class Decisions(dict[int, Decision]):
    """One object per packed integer: there are some thirty, and making one costs more than the check."""

    def __missing__(self, bits: int) -> Decision:
        if bits >> 24:
            raise LookupError(bits)
        decision = Decision(bits)
        self[bits] = decision
        return decision


class Reply:
    """How a message was read and what it did."""

    __slots__ = ("bits", "kind", "settled")

    bits: int
    kind: int
    settled: int

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.kind = _member(ReplyKind, bits & 0xFF)
        self.settled = _member(Settled, bits >> 8 & 0xFF)

    @property
    def approved(self) -> bool:
        """Whether it let something run that did not run before."""
        return self.settled in (Settled.DRAFT_APPROVED, Settled.HELD_APPROVED)

    def __repr__(self) -> str:
        return f"<Reply {self.kind!r} {self.settled!r}>"


class Outside(TypedDict):
    """One effect that the approved plan does not cover."""

    kind: str
    value: str
    why: str
    nearest: str | None


class CallAnswer(TypedDict):
    """A decision with its words."""

    decision: str
    verdict: str
    reason: str
    code: int
    id: str | None
    outside: list[Outside]
    child: str | None
    text: str


class ReplyAnswer(TypedDict):
    """A reply with its words."""

    kind: str
    why: str | None
    note: str | None
    rule: str
    settlement: str
    id: str | None
    changed: bool


class ProposalAnswer(TypedDict):
    """The answer to a proposed plan."""

    ok: bool
    id: str | None
    faults: list[dict[str, Any]]
    reason: str | None
    warnings: list[dict[str, Any]]
    rendered: str | None
    text: str


class State(TypedDict):
    """Where a session stands."""

    role: str
    phase: str
    draft: dict[str, Any] | None
    held: dict[str, Any] | None
    amendment: str | None
    title: str | None
    scope: dict[str, list[str]] | None
    granted: list[Outside]
    language: str
