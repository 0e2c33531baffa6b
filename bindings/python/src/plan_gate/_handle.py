"""Native handles: freed once, when nobody uses them any more.

A call passes its object's handle straight to the library, so the interpreter holds a reference to it for as
long as the call runs. ``close()`` only drops the object's own reference: a call on another thread finishes
before the memory goes, and needs no lock for that.

After ``fork()`` a handle must not be touched: another thread may have held a session's lock. In the child all
handles become NULL, which every function of the library refuses.
"""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Callable
from typing import Any, ClassVar

from ._ffi import LIBRARY, Buf
from .errors import error_of

_live: weakref.WeakSet[Handle] = weakref.WeakSet()


class Handle(ctypes.c_void_p):
    """A pointer that the library gave us."""

    free: ClassVar[Callable[[Any], None]]

    def __init__(self) -> None:
        super().__init__()
        _live.add(self)

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __del__(self) -> None:
        if self.value:
            type(self).free(self)
            self.value = None


class GateHandle(Handle):
    free = staticmethod(LIBRARY.plan_gate_free)


class SessionHandle(Handle):
    free = staticmethod(LIBRARY.plan_gate_session_free)


class PlanModeHandle(Handle):
    free = staticmethod(LIBRARY.plan_gate_plan_mode_free)


def _forget_all() -> None:
    for handle in list(_live):
        handle.value = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


def _no_session(handle: object, address: int, /) -> object:
    return None


def _unbound(*_: object) -> int:
    raise NotImplementedError


fast_session: Callable[[object, int], object] = _no_session
fast_check: Callable[[object, str | bytes, str | bytes], int] = _unbound
fast_check_effect: Callable[[object, str | bytes, int, str | bytes], int] = _unbound
"""The hot calls of the compiled extension; without it they raise, and ctypes is used."""

if not os.environ.get("PLAN_GATE_PURE"):
    try:
        from . import _fast
    except ImportError:  # no compiler at build time, or another interpreter
        pass
    else:
        _fast.bind(
            *(
                ctypes.cast(function, ctypes.c_void_p).value or 0
                for function in (LIBRARY.plan_gate_session_check, LIBRARY.plan_gate_session_check_effect)
            )
        )
        fast_session, fast_check, fast_check_effect = _fast.session, _fast.check, _fast.check_effect


def utf8(text: str | bytes) -> bytes:
    """The bytes of a text. Half a surrogate pair becomes bytes that the library refuses as not UTF-8."""
    if isinstance(text, bytes):
        return text
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def take(buf: Buf) -> bytes:
    """The text of a buffer, which is freed."""
    try:
        return ctypes.string_at(buf.data, buf.len) if buf.data else b""
    finally:
        LIBRARY.plan_gate_buf_free(buf)


def create(function: Callable[..., int], handle: Handle, config: bytes) -> None:
    """Fills ``handle`` from a configuration."""
    buf = Buf()
    status = function(config or None, len(config), handle, buf)
    answer = take(buf)
    if status:
        raise error_of(status, answer)


def ask(function: Callable[..., int], holder: Any, request: bytes) -> bytes:
    """One request through a JSON door. ``holder._handle`` is not kept in a variable, see above."""
    buf = Buf()
    status = function(holder._handle, request, len(request), buf)
    answer = take(buf)
    if status:
        raise error_of(status, answer, holder.closed)
    return answer
