"""The server's process: ``python -m armoon.party.server SOCKET`` or ``HOST:PORT``; reads the setup, then the feed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import threading

import uvicorn

from armoon.codec import MalformedError
from armoon.messages import set_language
from armoon.party.server import lines
from armoon.party.server.app import make_app
from armoon.party.server.guard import LimitedProtocol, create_tls_context
from armoon.party.server.room import Room
from armoon.party.server.services import follow_chat
from armoon.processes.system import open_listener

#: Time limit for open streams to close, seconds.
SHUTDOWN_S = 1
#: Maximum number of lines waiting to be processed.
MAX_QUEUED_LINES = 64


def main() -> None:
    for name in ("SIGHUP", "SIGINT", "SIGTERM"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    host, _, port = sys.argv[1].rpartition(":")
    listener = open_listener(host, int(port)) if host else socket.socket(fileno=int(port))
    asyncio.run(_serve(listener))
    os._exit(0)  # a thread may still wait for input


async def _serve(listener: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    incoming: asyncio.Queue[bytes] = asyncio.Queue(MAX_QUEUED_LINES)
    threading.Thread(target=_read_input, args=(loop, incoming), daemon=True).start()
    setup = lines.read_line(await incoming.get())
    if not isinstance(setup, lines.Setup):
        return
    set_language(setup.language)
    room = Room(setup, send_line)
    report_refusal = _create_refusal_reporter()
    LimitedProtocol.report = staticmethod(report_refusal)
    if setup.certificate:
        LimitedProtocol.tls = create_tls_context(setup.certificate)
    config = uvicorn.Config(
        make_app(room, report_refusal),
        http=LimitedProtocol,
        ws="none",
        lifespan="off",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=SHUTDOWN_S,
        h11_max_incomplete_event_size=16_384,
        backlog=512,
    )
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    server_task = asyncio.ensure_future(server.serve(sockets=[listener]))
    services = _start_services(room, setup)
    while line := await incoming.get():
        with contextlib.suppress(MalformedError):
            room.add_feed_line(line)
    for task in services:
        task.cancel()
    server.should_exit = True
    await server_task


def _start_services(room: Room, setup: lines.Setup) -> list[asyncio.Task[None]]:
    def notify(key: str, where: str) -> None:
        send_line(lines.Notice(f"air.noted.{key}", where))

    tasks: list[asyncio.Task[None]] = []
    if setup.chat is not None:
        tasks.append(asyncio.create_task(follow_chat(setup.chat, room.add_chat_line, notify)))
    if setup.obs is not None:
        from armoon.party.server.services import ObsClient  # only if configured

        obs = ObsClient(setup.obs, notify)
        room.on_event = obs.add_event
        tasks.append(asyncio.create_task(obs.stay_connected()))
    return tasks


def send_line(line: lines.Line) -> None:
    with contextlib.suppress(OSError):  # the game has ended, so the input ends too, which stops the server
        sys.stdout.buffer.write(lines.encode_line(line) + b"\n")
        sys.stdout.buffer.flush()


def _create_refusal_reporter() -> lines.ReportRefusal:
    """Return a function that reports each kind of refused request to the game once."""
    reported: set[str] = set()

    def report(reason: str, where: str) -> None:
        if reason not in reported:
            reported.add(reason)
            send_line(lines.Notice(f"air.log.{reason}", where))

    return report


def _read_input(loop: asyncio.AbstractEventLoop, incoming: asyncio.Queue[bytes]) -> None:
    """Queue the lines of standard input, then an empty line at its end."""
    while True:
        line = sys.stdin.buffer.readline(lines.MAX_LINE_BYTES)
        # Unread lines stay in the pipe; once the pipe is full, the game drops lines.
        asyncio.run_coroutine_threadsafe(incoming.put(line.rstrip(b"\n") if line else b""), loop).result()
        if not line:
            return


if __name__ == "__main__":
    main()
