"""Clients of other services: OBS (obs-websocket 5), for requests by the host's rules, and a chat."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import ssl
from collections.abc import AsyncIterator, Callable
from typing import Any

import simpleobsws
from websockets.exceptions import WebSocketException

from armoon.broadcast import Happening, Seat
from armoon.party.obs import ObsRequest, Rules, list_requests, read_scene
from armoon.party.votes import MAX_CHAT_LINE_BYTES, ChatAddress, ChatLine, read_chat_line

CONNECT_S = ANSWER_S = 5.0
#: Time before reconnecting to OBS, seconds: after a lost connection, and after a wrong password.
RECONNECT_S, WRONG_PASSWORD_S = 2.0, 20.0
#: Maximum number of queued requests; the oldest are dropped.
MAX_QUEUED_REQUESTS = 64
#: Age from which requests queued while OBS was disconnected are dropped, seconds.
STALE_S = 10.0
#: obs-websocket's close code for a wrong password.
WRONG_PASSWORD = 4009
#: OBS's status codes if a recording or stream is already running, or already stopped.
ALREADY_DONE_CODES = (500, 501)

Notify = Callable[[str, str], None]
_ERRORS = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    WebSocketException,
    asyncio.TimeoutError,
    simpleobsws.MessageTimeout,
    simpleobsws.NotIdentifiedError,
)


class ObsClient:
    """Pending requests to OBS, and the connection for sending them."""

    def __init__(self, rules: Rules, notify: Notify) -> None:
        self._rules, self._notify = rules, notify
        self._waiting: asyncio.Queue[tuple[float, ObsRequest]] = asyncio.Queue(MAX_QUEUED_REQUESTS)
        """Queued requests, each with its time in seconds."""
        self._previous_scene: str | None = None
        """The scene to restore when ``_return_timer`` ends."""
        self._return_timer: asyncio.TimerHandle | None = None
        self._refused: set[str] = set()

    def add_event(self, happening: Happening, seats: tuple[Seat, ...]) -> None:
        for request in list_requests(self._rules, happening, seats):
            self._queue_request(request)

    async def stay_connected(self) -> None:
        """Connect and send requests; reconnect whenever the connection ends."""
        logging.getLogger("simpleobsws").setLevel(logging.CRITICAL)
        logging.getLogger("websockets").setLevel(logging.CRITICAL)
        while True:
            client = simpleobsws.WebSocketClient(
                self._rules.url,
                self._rules.password,
                simpleobsws.IdentificationParameters(eventSubscriptions=0),
            )
            key = ""
            with contextlib.suppress(*_ERRORS):
                key = await self._serve_requests(client)
            with contextlib.suppress(*_ERRORS):
                await asyncio.wait_for(client.disconnect(), CONNECT_S)
            self._notify(key or "obs_gone", self._rules.url)
            await asyncio.sleep(WRONG_PASSWORD_S if key else RECONNECT_S)

    async def _serve_requests(self, client: Any) -> str:
        """Send requests while connected; return the message key of the reason for the end, empty if unknown."""
        await asyncio.wait_for(client.connect(), CONNECT_S)
        end_s = asyncio.get_running_loop().time() + CONNECT_S
        while not client.is_identified():
            if client.recv_task.done() or asyncio.get_running_loop().time() > end_s:
                return "obs_wrong" if client.ws.close_code == WRONG_PASSWORD else ""
            await asyncio.sleep(0.02)
        self._notify("obs_here", self._rules.url)
        while True:
            next_request = asyncio.ensure_future(self._waiting.get())
            try:
                await asyncio.wait({next_request, client.recv_task}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                if not next_request.done():
                    next_request.cancel()
            if client.recv_task.done() or next_request.cancelled():
                return ""
            since_s, request = next_request.result()
            if asyncio.get_running_loop().time() - since_s < STALE_S:
                await self._send_request(client, request)

    async def _send_request(self, client: Any, request: ObsRequest) -> None:
        name, data, back_after_s = request
        if back_after_s is not None:
            await self._schedule_return(client, back_after_s)
        send = self._set_visibility if "sourceName" in data else self._call
        answer = await send(client, name, data)
        comment = str(answer.requestStatus.comment or answer.requestStatus.code)
        is_done = answer.ok() or answer.requestStatus.code in ALREADY_DONE_CODES
        if not is_done and comment not in self._refused:
            self._refused.add(comment)
            self._notify("obs_refused", f"{name}: {comment}"[:200])

    async def _schedule_return(self, client: Any, after_s: float) -> None:
        """Restore the current scene after ``after_s``; if a return is already scheduled, only delay it."""
        if self._previous_scene is None:
            self._previous_scene = await self._find_scene(client)
        if self._return_timer is not None:
            self._return_timer.cancel()
        self._return_timer = asyncio.get_running_loop().call_later(after_s, self._restore_scene)

    async def _set_visibility(self, client: Any, name: str, data: dict[str, Any]) -> Any:
        """Show or hide a source, which OBS identifies by its number in the scene; return OBS's answer."""
        scene = data["sceneName"] or await self._find_scene(client) or ""
        item = {"sceneName": scene, "sourceName": data["sourceName"]}
        answer = await self._call(client, "GetSceneItemId", item)
        if answer.ok():
            number, shown = answer.responseData["sceneItemId"], data["sceneItemEnabled"]
            item = {"sceneName": scene, "sceneItemId": number, "sceneItemEnabled": shown}
            answer = await self._call(client, name, item)
        return answer

    async def _find_scene(self, client: Any) -> str | None:
        return read_scene((await self._call(client, "GetCurrentProgramScene")).responseData)

    async def _call(self, client: Any, name: str, data: dict[str, Any] | None = None) -> Any:
        command = simpleobsws.Request(name, data or None)
        return await asyncio.wait_for(client.call(command, timeout=ANSWER_S), ANSWER_S + 1.0)

    def _restore_scene(self) -> None:
        scene, self._previous_scene, self._return_timer = self._previous_scene, None, None
        if scene is not None:
            self._queue_request(("SetCurrentProgramScene", {"sceneName": scene}, None))

    def _queue_request(self, request: ObsRequest) -> None:
        if self._waiting.full():
            self._waiting.get_nowait()
        self._waiting.put_nowait((asyncio.get_running_loop().time(), request))


#: Prefix of the nicknames, before a number, that Twitch reserves for clients without an account.
ANONYMOUS = "justinfan"
CHAT_CONNECT_S = 10.0
#: Time of silence after which a chat server counts as gone, seconds; Twitch pings about every five minutes.
SILENT_S = 400.0
#: Time before reconnecting to a chat, doubled after each failure, and its maximum, seconds.
CHAT_RETRY_S, MAX_RETRY_S = 1.0, 30.0


async def follow_chat(chat: ChatAddress, on_line: Callable[[ChatLine], None], notify: Notify) -> None:
    """Pass messages to ``on_line`` until cancelled; ``notify`` is called when the chat is joined or lost."""
    wait_s, connected = CHAT_RETRY_S, True
    while True:
        joined, reason = False, "chat_gone"
        try:
            async for line in _read_chat_lines(chat):
                if line is not None:
                    on_line(line)
                else:
                    notify("chat_here", chat.name)
                    joined = connected = True
        except ssl.SSLCertVerificationError:
            reason = "chat_untrusted"
        except (OSError, ValueError, EOFError, asyncio.TimeoutError):
            pass
        if connected:
            connected = False
            notify(reason, chat.name)
        wait_s = CHAT_RETRY_S if joined else min(2.0 * wait_s, MAX_RETRY_S)
        await asyncio.sleep(wait_s)


async def _read_chat_lines(chat: ChatAddress) -> AsyncIterator[ChatLine | None]:
    """Yield messages, and None on joining the channel. Raises OSError, ValueError (line too long), TimeoutError."""
    secure = ssl.create_default_context() if chat.tls else None
    opening = asyncio.open_connection(chat.host, chat.port, ssl=secure, limit=MAX_CHAT_LINE_BYTES)
    reader, writer = await asyncio.wait_for(opening, CHAT_CONNECT_S)
    try:
        nick = f"{ANONYMOUS}{10_000 + secrets.randbelow(80_000)}"
        writer.write(f"CAP REQ :twitch.tv/tags twitch.tv/commands\r\nNICK {nick}\r\n".encode())
        writer.write(f"JOIN #{chat.channel}\r\n".encode())
        await writer.drain()
        while content := await asyncio.wait_for(reader.readline(), SILENT_S):
            line = read_chat_line(content)
            if isinstance(line, ChatLine):
                yield line
                continue
            signal, words = line or ("", "")
            if signal == "ping":
                writer.write(f"PONG :{words}\r\n".encode())
                await writer.drain()
            elif signal == "joined":
                yield None
            elif signal == "leave":
                return
    finally:
        writer.close()
