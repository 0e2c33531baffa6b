"""The gate and its sessions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from ctypes import addressof
from types import TracebackType
from typing import Any, cast

from ._answers import CallAnswer, Decision, Decisions, ProposalAnswer, Reply, ReplyAnswer, Source, State
from ._ffi import LIBRARY
from ._handle import (
    GateHandle,
    Handle,
    PlanModeHandle,
    SessionHandle,
    ask,
    create,
    fast_check,
    fast_check_effect,
    fast_session,
    utf8,
)
from .errors import error_of

Arguments = str | bytes | Mapping[str, Any]
"""Arguments of a tool call: their JSON text, byte for byte as the tool gets it, or an object."""

_check = LIBRARY.plan_gate_session_check
_check_effect = LIBRARY.plan_gate_session_check_effect
_reply = LIBRARY.plan_gate_session_reply
_decisions = Decisions()
_SHORT = 4096
"""Arguments up to this length may be checked without letting go of the interpreter lock."""
_TEXT = (str, bytes)
_NOT_FAST = (NotImplementedError, UnicodeEncodeError)
"""Raised before the library was asked: there is no extension, or half a surrogate pair in the text."""


def _dump(value: Any) -> str:
    """JSON as the library reads it: no NaN, and half a surrogate pair stays an escape."""
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


def _arguments(args: Arguments) -> bytes:
    if isinstance(args, str | bytes):
        return utf8(args)
    return _dump(args).encode()


def _config(config: Mapping[str, Any] | str | None) -> bytes:
    if config is None:
        return b""
    return utf8(config if isinstance(config, str) else _dump(config))


class _Closing:
    """Closed once, by hand or by ``with``; used afterwards it raises :class:`ClosedError`."""

    __slots__ = ("_handle", "__weakref__")

    _handle: Handle

    @property
    def closed(self) -> bool:
        """Whether calls can only fail."""
        return not self._handle.value

    def close(self) -> None:
        """Frees the native handle once running calls are done. A second call does nothing."""
        self._handle = type(self._handle)()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Gate(_Closing):
    """A compiled configuration and the sessions that live under it. Threads may share it.

    ``config`` is an object (or its JSON text); ``None`` means the defaults.
    """

    __slots__ = ()

    def __init__(self, config: Mapping[str, Any] | str | None = None) -> None:
        self._handle = GateHandle()
        create(LIBRARY.plan_gate_new, self._handle, _config(config))

    def __enter__(self) -> Gate:
        return self

    def session(self, id: str) -> Session:
        """The session ``id``; a new one, in which nothing is approved, when there is none."""
        name, handle = utf8(id), SessionHandle()
        status = LIBRARY.plan_gate_session_open(self._handle, name, len(name), handle)
        if status:
            raise error_of(status, closed=self.closed)
        return Session(handle)

    def child(self, id: str, parent: str) -> Session:
        """The sub-agent ``id`` of the session ``parent``. It lives under the root's approval."""
        name, above, handle = utf8(id), utf8(parent), SessionHandle()
        status = LIBRARY.plan_gate_session_open_child(
            self._handle, name, len(name), above, len(above), handle
        )
        if status:
            raise error_of(status, closed=self.closed)
        return Session(handle)

    def classify(self, text: str, *, explain: bool = False) -> dict[str, Any]:
        """How a text would be read as a reply. No session is asked or changed."""
        return cast("dict[str, Any]", self.request("classify", text=text, explain=explain))

    def match(self, scope: Mapping[str, list[str]], tool: str, args: Arguments) -> dict[str, Any]:
        """What a session would answer in which exactly ``scope`` is approved."""
        text = _arguments(args).decode()
        return cast("dict[str, Any]", self.request("match", scope=scope, tool=tool, argsText=text))

    def tool_schema(self, language: str = "en") -> dict[str, Any]:
        """The definition of ``propose_plan`` to put among the model's tools."""
        return cast("dict[str, Any]", self.request("schema", language=language))

    def profiles(self) -> list[dict[str, Any]]:
        """What each shipped profile says of each tool."""
        return cast("list[dict[str, Any]]", self.request("profiles"))

    def request(self, op: str, **fields: Any) -> Any:
        """Any request that needs no session."""
        return json.loads(self.request_json(_dump({"op": op, **fields})))

    def request_json(self, request: str | bytes) -> str:
        """The same as texts."""
        return ask(LIBRARY.plan_gate_request, self, utf8(request)).decode()


class Session(_Closing):
    """One conversation. Made by :meth:`Gate.session` and :meth:`Gate.child`; threads may share it.

    ``close()`` frees the handle and leaves the session in its gate; :meth:`end` ends the session.
    """

    __slots__ = ("_fast",)

    def __init__(self, handle: SessionHandle) -> None:
        self._handle = handle
        self._fast = fast_session(handle, addressof(handle))

    def close(self) -> None:
        """Frees the native handle once running calls are done. A second call does nothing."""
        super().close()
        self._fast = fast_session(self._handle, addressof(self._handle))

    def __enter__(self) -> Session:
        return self

    def check(self, tool: str, args: Arguments) -> Decision:
        """May this tool call run now? A call outside the plan is held; the same call answers the same."""
        if isinstance(args, _TEXT) and len(args) <= _SHORT:
            try:
                return self._decision(fast_check(self._fast, tool, args))
            except _NOT_FAST:
                pass
        name, text = utf8(tool), _arguments(args)
        return self._decision(_check(self._handle, name, len(name), text, len(text)))

    def check_effect(self, tool: str, kind: int, value: str) -> Decision:
        """The same for a host that knows the one :class:`Effect` of its call, such as a path it writes."""
        try:
            return self._decision(fast_check_effect(self._fast, tool, kind, value))
        except _NOT_FAST:
            pass
        name, text = utf8(tool), utf8(value)
        return self._decision(_check_effect(self._handle, name, len(name), kind, text, len(text)))

    def allows(self, tool: str, args: Arguments) -> bool:
        """The same as one truth value: whatever goes wrong is ``False``, and nothing is raised."""
        try:
            return self.check(tool, args).allowed
        except Exception:
            return False

    def answer(self, tool: str, args: Arguments) -> CallAnswer:
        """:meth:`check` with the words for the model and what the plan does not cover."""
        text = _arguments(args).decode("utf-8", "surrogatepass")
        return cast(CallAnswer, self.request("check", tool=tool, argsText=text))

    def reply(self, text: str, *, source: int = Source.USER, shown: str | None = None) -> Reply:
        """Somebody wrote this. Pass as the user's only what a person typed.

        ``shown`` is the id of the plan or held call that was on the screen when the message was sent. A host
        that queues messages must pass it, or an old "ok" could approve a plan nobody saw.
        """
        words, id = utf8(text), utf8(shown or "")
        bits = _reply(self._handle, source, words, len(words), id, len(id))
        if bits >> 24:
            raise error_of(bits >> 24, closed=self.closed)
        return Reply(bits)

    def reply_answer(
        self, text: str, *, source: str = "user", shown: str | None = None, attachments: bool = False
    ) -> ReplyAnswer:
        """:meth:`reply` with the rule and the user's note. ``attachments``: images or files came with it."""
        try:
            text.encode()
        except UnicodeEncodeError:
            # No JSON can carry it. It may have said stop, so it must reach the session all the same.
            self.reply(text, source=Source[source.upper()], shown=shown)
            raise
        fields: dict[str, Any] = {"text": text, "source": source, "attachments": attachments}
        if shown is not None:
            fields["shown"] = shown
        return cast(ReplyAnswer, self.request("reply", **fields))

    def propose(self, plan: str | bytes | Mapping[str, Any]) -> ProposalAnswer:
        """The model proposes a plan: the arguments of its ``propose_plan`` call."""
        raw = _arguments(plan)
        # Put in as text: a duplicate key must reach the gate, not vanish in a dictionary.
        request = b'{"op":"propose","plan":' + raw + b"}"
        return cast(ProposalAnswer, json.loads(self.request_json(request)))

    def settle(self, id: str, approve: bool) -> str:
        """The user pressed a button beside the plan or held call ``id``; answers what that did."""
        return cast(str, self.request("settle", id=id, approve=approve)["settlement"])

    def state(self) -> State:
        """Where the session stands. A sub-agent shows its root's state."""
        return cast(State, self.request("state"))

    def render(self) -> str | None:
        """The waiting plan as the user is to see it."""
        return cast("str | None", self.request("render")["rendered"])

    def export(self) -> str:
        """A snapshot for :meth:`restore`, in this or another process."""
        return cast(str, self.request("export")["snapshot"])

    def restore(self, snapshot: str) -> None:
        """Takes a snapshot back. One that is damaged or of another configuration leaves nothing approved."""
        self.request("import", snapshot=snapshot)

    def end(self) -> None:
        """Ends the session: the approval of a root is gone, for its sub-agents too. Then :meth:`close`."""
        if not self.closed:
            self.request("close")
            self.close()

    def request(self, op: str, **fields: Any) -> Any:
        """Any request of a session."""
        return json.loads(self.request_json(_dump({"op": op, **fields})))

    def request_json(self, request: str | bytes) -> str:
        """The same as texts."""
        return ask(LIBRARY.plan_gate_session_request, self, utf8(request)).decode()

    def _decision(self, bits: int) -> Decision:
        try:
            return _decisions[bits]
        except LookupError:
            raise error_of(bits >> 24, closed=self.closed) from None


class PlanMode(_Closing):
    """Plan mode of one agent: guidance and a reviewed exit. It never blocks a call.

    ``config`` is an object (or its JSON text) with the key ``section``.
    """

    __slots__ = ()

    def __init__(self, config: Mapping[str, Any] | str) -> None:
        self._handle = PlanModeHandle()
        create(LIBRARY.plan_gate_plan_mode_new, self._handle, _config(config))

    def __enter__(self) -> PlanMode:
        return self

    def request(self, op: str, **fields: Any) -> Any:
        """Reports what happened to the agent, or asks."""
        return json.loads(self.request_json(_dump({"op": op, **fields})))

    def request_json(self, request: str | bytes) -> str:
        """The same as texts."""
        return ask(LIBRARY.plan_gate_plan_mode_request, self, utf8(request)).decode()
