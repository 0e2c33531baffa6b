"""plan-gate: no tool call of a model acts before the user has approved a plan.

>>> from plan_gate import Gate, Effect
>>> gate = Gate({"profile": "dsh"})
>>> session = gate.session("s1")
>>> session.allows("write", {"file_path": "a.txt", "content": ""})
False
>>> plan = session.propose({"title": "A", "plan": "Write it.", "tools": ["write"], "files": ["a.txt"]})
>>> session.reply("ok").approved
True
>>> session.check("write", {"file_path": "a.txt", "content": ""})
<Decision allow: in_scope>

Every error means that the call must not run. When the library cannot be loaded, or has another ABI number,
the import raises :class:`LibraryError`: a host must then let nothing act.
"""

from ._answers import (
    CallAnswer,
    Decision,
    Effect,
    Outside,
    ProposalAnswer,
    Reason,
    Reply,
    ReplyAnswer,
    ReplyKind,
    Settled,
    Source,
    State,
)
from ._ffi import ABI_VERSION, LIBRARY as _LIBRARY
from ._gate import Arguments, Gate, PlanMode, Session
from .errors import ClosedError, GateError, LibraryError, PoisonedError, Status

__all__ = [
    "ABI_VERSION",
    "Arguments",
    "CallAnswer",
    "ClosedError",
    "Decision",
    "Effect",
    "Gate",
    "GateError",
    "LibraryError",
    "Outside",
    "PlanMode",
    "PoisonedError",
    "ProposalAnswer",
    "Reason",
    "Reply",
    "ReplyAnswer",
    "ReplyKind",
    "Session",
    "Settled",
    "Source",
    "State",
    "Status",
    "library_version",
]


def library_version() -> str:
    """``major.minor.patch`` of the loaded library."""
    text: bytes = _LIBRARY.plan_gate_version()
    return text.decode()


__version__ = "0.1.0"
