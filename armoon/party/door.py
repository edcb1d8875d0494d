"""Time limit for connections that have not sent what a server needs first; for parties and for remote tables."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any


class AwaitedConnections(dict[Any, asyncio.TimerHandle | None]):
    """asyncio's protocols that have to send something soon, with their timers, longest waiting first."""

    def __init__(self, limit_s: float, close: Callable[[Any], None]) -> None:
        """``close`` ends a connection that has sent nothing for ``limit_s`` seconds."""
        super().__init__()
        self.limit_s, self._close = limit_s, close

    def add(self, connection: Any) -> None:
        if self.get(connection) is None:
            self[connection] = connection.loop.call_later(self.limit_s, self._close, connection)

    def remove(self, connection: Any) -> None:
        if (timer := self.pop(connection, None)) is not None:
            timer.cancel()
