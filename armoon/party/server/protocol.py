"""Connection limits: their number, and the time that one may take for its request."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

#: Phones, overlays and boards of a large party, each with a stream and a request.
MOST_CONNECTIONS = 400
#: From one address of the network; this machine's own has no limit but the one above.
MOST_FROM_ONE = 24
#: A request has to be there within this time.
REQUEST_S = 10.0
_OWN = ("127.0.0.1", "::1")


class LimitedProtocol(H11Protocol):
    """Counts connections, and closes those that say nothing."""

    say: ClassVar[Callable[[str, str], None]] = staticmethod(lambda why, where: None)
    _open: ClassVar[int] = 0
    _from: ClassVar[Counter[str]] = Counter()
    _counted: str | None = None
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Take it, or close it at once."""
        kind = LimitedProtocol
        peer = transport.get_extra_info("peername")
        where = str(peer[0]) if peer else ""
        many = where not in _OWN and kind._from[where] >= MOST_FROM_ONE
        if many or kind._open >= MOST_CONNECTIONS:
            kind.say("many", where)
            transport.abort()
            return
        kind._open += 1
        kind._from[where] += 1
        self._counted = where
        super().connection_made(transport)
        self._late = self.loop.call_later(REQUEST_S, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        """End the connection."""
        if self._counted is None:
            return
        kind = LimitedProtocol
        kind._open -= 1
        kind._from[self._counted] -= 1
        if not kind._from[self._counted]:
            del kind._from[self._counted]
        self._counted = None
        if self._late is not None:
            self._late.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Nothing is heard from who was refused."""
        if self._counted is not None:
            super().data_received(data)

    def eof_received(self) -> None:
        """Close half the connection: the client has sent everything."""

    def _close_if_silent(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            LimitedProtocol.say("slow", self._counted or "")
            self.transport.abort()
