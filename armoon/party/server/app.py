"""The server's routes: pages and their parts, streams, votes, and the host's actions."""

from __future__ import annotations

import io
import secrets
import time
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any

import segno
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from armoon.codec import MalformedError, encode_json
from armoon.messages import LANGUAGES, catalogue, text
from armoon.party.server.bodies import Do, ForeignVote, Join, React, Vote, read_body
from armoon.party.server.guard import App, Guard, Receive, Scope, Send
from armoon.party.server.hosting import do
from armoon.party.server.lines import Refuses
from armoon.party.server.room import SIGNS, Listener, Room
from armoon.party.server.stream import stream
from armoon.party.votes.ballots import NotTaken

#: The pages, and who may see them.
PAGES = {"overlay": "view", "board": "view", "vote": "join", "host": "host"}
_TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
#: The pages' texts stand below this key.
_TEXTS = "air.page."
#: A phone is known by a cookie of its own address.
COOKIE = "guest"
#: Maximum requests of one phone in ten seconds.
MOST_ASKED, ASKED_S = 40, 10.0


@cache
def packaged(name: str) -> bytes:
    """Return a file of the pages."""
    return resources.files("armoon.party.server").joinpath(f"pages/{name}").read_bytes()


@cache
def font(name: str) -> bytes:
    """Return the game's letters."""
    return resources.files("armoon").joinpath(f"view/fonts/{name}").read_bytes()


FILES = (
    "common.js",
    "overlay.js",
    "board.js",
    "drawing.js",
    "vote.js",
    "host.js",
    "common.css",
    "overlay.css",
    "board.css",
    "vote.css",
)
#: The letters of the game, which lie elsewhere in the package.
FONTS = {"nunito.ttf": "Nunito-Regular.ttf", "nunito-bold.ttf": "Nunito-Bold.ttf"}


def make_app(room: Room, refused: Refuses) -> App:
    """Return the whole server, guarded."""
    counted: dict[str, list[float]] = {}

    def route(path: str, answer: Callable[[Request], Response], method: str) -> Route:
        async def guarded(request: Request) -> Response:
            try:
                return answer(request)
            except MalformedError:
                guard.say("malformed", request.scope)
                return Response(status_code=400)
            except NotTaken as refused:
                return _json({"refused": refused.why.value}, 409)

        return Route(path, guarded, methods=[method])

    def page(request: Request) -> Response:
        name = request.scope["armoon.what"]
        if PAGES[name] != request.scope["armoon.role"]:
            return Response(status_code=404)
        spoken = b'lang="%s"' % room.setup.language.encode()
        # The page on disk that OBS opens looks whether the overlay is there; it can't read it.
        open_to = {"cross-origin-resource-policy": "cross-origin"} if name == "overlay" else {}
        content = packaged(f"{name}.html").replace(b'lang="en"', spoken)
        return Response(content, media_type="text/html", headers=open_to)

    def file(request: Request) -> Response:
        name = request.path_params["name"]
        if name in FONTS:
            return Response(font(FONTS[name]), media_type="font/ttf")
        if name not in FILES:
            return Response(status_code=404)
        return Response(packaged(name), media_type=_TYPES[name.partition(".")[2]])

    def texts(request: Request) -> Response:
        language = request.path_params["name"].partition(".")[0]
        return _json(page_texts(language)) if language in LANGUAGES else Response(status_code=404)

    def qr(request: Request) -> Response:
        return Response(qr_code(room.setup.join_at), media_type="image/svg+xml")

    def join(request: Request) -> Response:
        _need(request, "join")
        asked = read_body(Join, request.scope["armoon.body"])
        key = request.cookies.get(COOKIE, "")
        if key not in room.ballots.guests:
            key = secrets.token_urlsafe(16)
        guest = room.ballots.join(key, asked.name, text("air.guest"))
        room.changed()
        answer = _json({"name": guest.name, "points": guest.points})
        path = f"/{room.setup.keys.join}"
        answer.set_cookie(COOKIE, key, path=path, httponly=True, samesite="strict", max_age=43_200)
        return answer

    def me(request: Request) -> Response:
        _need(request, "join")
        key = request.cookies.get(COOKIE, "")
        guest, ballot = room.ballots.guests.get(key), room.ballots.ballot
        if guest is None or guest.banned:
            return _json(None)
        vote = None if ballot is None else ballot.votes.get(key)
        return _json({"name": guest.name, "points": guest.points, "vote": vote})

    def vote(request: Request) -> Response:
        _need(request, "join")
        asked = read_body(Vote, request.scope["armoon.body"])
        room.ballots.vote(_guest(request), asked.ballot, asked.choice)
        room.changed()
        return _json({"vote": asked.choice})

    def react(request: Request) -> Response:
        _need(request, "join")
        asked = read_body(React, request.scope["armoon.body"])
        _guest(request)
        if asked.sign not in SIGNS:
            raise MalformedError("`sign`")
        room.sign(asked.sign)
        return _json({})

    def foreign(request: Request) -> Response:
        _need(request, "host")
        asked = read_body(ForeignVote, request.scope["armoon.body"])
        room.foreign_vote(asked.voter, asked.choice)
        return _json({})

    def told(request: Request) -> Response:
        _need(request, "host")
        asked = read_body(Do, request.scope["armoon.body"])
        return _json({"done": do(room, asked)})

    def guests(request: Request) -> Response:
        _need(request, "host")
        listed = [(one.name, one.points) for one in room.ballots.guests.values() if not one.banned]
        may = {question.value: room.may(question) for question in room.questions}
        return _json(
            {
                "guests": listed,
                "allowed": sorted(room.allowed),
                "may": may,
                "names_shown": room.ballots.names_shown,
                "join_at": room.setup.join_at,
            }
        )

    def _guest(request: Request) -> str:
        key: str = request.cookies.get(COOKIE, "")
        now_s = time.monotonic()
        times = [one for one in counted.get(key, ()) if now_s - one < ASKED_S]
        if len(times) >= MOST_ASKED or (key and key not in room.ballots.guests):
            key = ""
        elif key:
            counted[key] = [*times, now_s]
        return room.guest(key)

    routes = [
        *(route(f"/{{key}}/{name}", page, "GET") for name in PAGES),
        route("/{key}/pages/{name}", file, "GET"),
        route("/{key}/texts/{name}", texts, "GET"),
        route("/{key}/qr", qr, "GET"),
        route("/{key}/me", me, "GET"),
        route("/{key}/guests", guests, "GET"),
        route("/{key}/join", join, "POST"),
        route("/{key}/vote", vote, "POST"),
        route("/{key}/react", react, "POST"),
        route("/{key}/do", told, "POST"),
        route("/{key}/foreign", foreign, "POST"),
    ]
    starlette = Starlette(routes=routes)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        what, role = scope["armoon.what"], scope["armoon.role"]
        if scope["method"] == "GET" and what == "feed" and role != "join":
            live = b"live=0" not in scope.get("query_string", b"")
            await stream(room, Listener(live=live, feed=True), receive, send)
        elif scope["method"] == "GET" and what == "room":
            await stream(room, Listener(live=False, feed=False), receive, send)
        else:
            await starlette(scope, receive, send)

    guard = Guard(app, room.setup.keys, room.setup.hosts, refused)
    return guard


def _need(request: Request, role: str) -> None:
    if request.scope["armoon.role"] != role:
        raise MalformedError("another key is needed")


def _json(value: Any, status: int = 200) -> Response:
    return Response(encode_json(value), status, media_type="application/json")


def page_texts(language: str) -> dict[str, str]:
    """Return the pages' texts, by the end of their keys."""
    texts = catalogue(language)
    said = {key.removeprefix(_TEXTS): words for key, words in texts.items() if key.startswith(_TEXTS)}
    return {**said, "point": texts["unit.point"]}


def qr_code(address: str) -> bytes:
    """Return an address as a QR code, as SVG."""
    drawn = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        drawn, kind="svg", scale=8, border=3, dark="#0b1020", light="#ffffff", xmldecl=False, svgns=True
    )
    return drawn.getvalue()
