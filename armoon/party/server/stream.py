"""Server-sent events: one stream per listener; a slow reader costs the others nothing."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter

from armoon.party.server.guard import Receive, Send
from armoon.party.server.room import Listener, Room

#: Interval of sending, so that a lost connection is noticed here, and a silent server by the pages.
BEAT_S = 5.0
#: Seconds after which a reader that accepts nothing is dropped.
STUCK_S = 45.0


def takes(room: Room, listener: Listener, most: int) -> bool:
    """Whether a guest's stream has room among ``most`` of its kind.

    Where there are too many, one from where most come gives way, so that a few addresses keep nobody else out.
    """
    alike = [one for one in room.listeners if one.guest and one.feed == listener.feed]
    if len(alike) < most:
        return True
    count = Counter(one.where for one in alike)
    where, highest = count.most_common(1)[0]
    if count[listener.where] + 1 >= highest:
        return False
    leaves = next(one for one in alike if one.where == where)
    room.listeners.discard(leaves)
    leaves.gives_way.set()
    return True


async def stream(room: Room, listener: Listener, receive: Receive, send: Send) -> None:
    """Send until the client or the program ends, or the stream gives way."""
    head = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    room.listeners.add(listener)
    gone = asyncio.ensure_future(_gone(receive))
    writing = asyncio.ensure_future(_write(room, listener, send))
    leaving = asyncio.ensure_future(listener.gives_way.wait())
    try:
        await asyncio.wait({gone, writing, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        room.listeners.discard(listener)
        for task in (gone, writing, leaving):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task


async def _write(room: Room, listener: Listener, send: Send) -> None:
    for first in (b"retry: 1000\n\n", *room.beginning(listener)):
        await _send(send, first)
    while True:
        try:
            content = await asyncio.wait_for(listener.queue.get(), BEAT_S)
        except asyncio.TimeoutError:
            content = b"event: beat\ndata: 0\n\n"
        await _send(send, content)
        for more in room.catch_up(listener):
            await _send(send, more)


async def _send(send: Send, content: bytes) -> None:
    """Send, or give up who reads no more."""
    body = {"type": "http.response.body", "body": content, "more_body": True}
    await asyncio.wait_for(send(body), STUCK_S)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
