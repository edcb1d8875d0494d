"""A fake OBS on loopback that uses the protocol obs-websocket 5; it can send invalid content and disconnect."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import threading
from contextlib import suppress
from typing import Any

import msgpack
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

SALT, CHALLENGE = (
    "lM1GncleQOaCu9lT1yeUZhFYnqhsLLP1G5lAGo3ixaI=",
    "+IxH4CnCiqpX1rM9scsNynZzbOe4KhDeYcTNS3PDaeY=",
)


def compute_answer(password: str) -> str:
    secret = base64.b64encode(hashlib.sha256((password + SALT).encode()).digest())
    return base64.b64encode(hashlib.sha256(secret + CHALLENGE.encode()).digest()).decode()


class FakeObs:
    """A server in its own thread; ``calls`` contains every request with its data."""

    def __init__(self, password: str = "") -> None:
        self._password = password
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.scene = "Game"
        self.scenes = {"Game", "Close"}
        self.items = {("Game", "Cheer"): 7}
        """Item ids by scene and source."""
        self.hidden: set[int] = set()
        self.running: set[str] = set()
        """Running outputs: ``Record``, ``Stream``."""
        self.identified = self.refused = 0
        self._clients: set[ServerConnection] = set()
        self._loop = asyncio.new_event_loop()
        self.port = 0
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self.open()

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    def open(self) -> None:
        self._server = self._run(self._serve())
        self.port = self._server.sockets[0].getsockname()[1]

    def disconnect(self) -> None:
        self._run(self._stop())

    def send(self, content: bytes) -> None:
        self._run(self._send(content))

    def close(self) -> None:
        self.disconnect()
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20.0)

    async def _serve(self) -> Any:
        return await serve(self._serve_client, "127.0.0.1", self.port, subprotocols=["obswebsocket.msgpack"])  # type: ignore[list-item]

    async def _stop(self) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _send(self, content: bytes) -> None:
        for client in tuple(self._clients):
            with suppress(ConnectionClosed):
                await client.send(content)

    async def _serve_client(self, client: ServerConnection) -> None:
        hello: dict[str, Any] = {"obsWebSocketVersion": "5.5.0", "rpcVersion": 1}
        if self._password:
            hello["authentication"] = {"challenge": CHALLENGE, "salt": SALT}
        await client.send(msgpack.packb({"op": 0, "d": hello}))
        try:
            async for content in client:
                assert isinstance(content, bytes)
                message = msgpack.unpackb(content)
                if message["op"] == 1 and not await self._identify(client, message["d"]):
                    return
                if message["op"] == 6:
                    await self._answer(client, message["d"])
        except ConnectionClosed:
            pass
        finally:
            self._clients.discard(client)

    async def _identify(self, client: ServerConnection, request: dict[str, Any]) -> bool:
        if self._password and request.get("authentication") != compute_answer(self._password):
            self.refused += 1
            await client.close(4009, "Authentication failed.")
            return False
        self._clients.add(client)
        self.identified += 1
        await client.send(msgpack.packb({"op": 2, "d": {"negotiatedRpcVersion": 1}}))
        event = {"eventType": "SceneListChanged", "eventIntent": 4, "eventData": {"scenes": []}}
        await client.send(msgpack.packb({"op": 5, "d": event}))
        return True

    async def _answer(self, client: ServerConnection, request: dict[str, Any]) -> None:
        kind, data = request["requestType"], request.get("requestData") or {}
        self.calls.append((kind, data))
        status: dict[str, Any] = {"result": True, "code": 100}
        answer: dict[str, Any] | None = None
        if kind == "GetCurrentProgramScene":
            answer = {"currentProgramSceneName": self.scene}
        elif kind == "GetSceneItemId" and (data["sceneName"], data["sourceName"]) in self.items:
            answer = {"sceneItemId": self.items[data["sceneName"], data["sourceName"]]}
        elif kind == "GetSceneItemId":
            status = {"result": False, "code": 600, "comment": "No scene items were found."}
        elif kind == "SetSceneItemEnabled":
            (self.hidden.discard if data["sceneItemEnabled"] else self.hidden.add)(data["sceneItemId"])
        elif kind in ("StartRecord", "StartStream"):
            if kind[5:] in self.running:
                status = {"result": False, "code": 500, "comment": "The output is already running."}
            self.running.add(kind[5:])
        elif kind in ("StopRecord", "StopStream"):
            self.running.discard(kind[4:])
        elif kind == "SetCurrentProgramScene" and data["sceneName"] not in self.scenes:
            status = {"result": False, "code": 600, "comment": "No source was found by that name."}
        elif kind == "SetCurrentProgramScene":
            self.scene = data["sceneName"]
        answered = {"requestType": kind, "requestId": request["requestId"], "requestStatus": status}
        if answer is not None:
            answered["responseData"] = answer
        await client.send(msgpack.packb({"op": 7, "d": answered}))
