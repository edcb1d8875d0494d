"""The server's routes: pages and their files, streams, votes, and the host's actions."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import io
import secrets
from collections.abc import Callable
from functools import cache
from html import escape
from importlib import resources
from string import Template
from typing import Any

import segno
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from armoon.codec import MalformedError, encode_json
from armoon.messages import LANGUAGES, catalogue, language, speaking, text
from armoon.party.limits import find_busiest
from armoon.party.server import lines
from armoon.party.server.guard import (
    JOINING_HELP,
    MAX_ONLOOKERS,
    MAX_PHONES,
    POLICY,
    SILENT_S,
    App,
    Guard,
    Receive,
    Scope,
    Send,
    find_client_address,
    refuse,
)
from armoon.party.server.room import REACTIONS, Room, RoomStream, apply_host_request
from armoon.party.votes import VoteQuestion, VoteRefused

#: Interval of heartbeats, which reveal lost connections to the server and a stopped server to pages, seconds.
BEAT_S = 5.0
#: Time after which a client that accepts no data is dropped, seconds.
STUCK_S = 45.0


def make_room_for(room: Room, listener: RoomStream, most: int) -> bool:
    """Close a stream of the busiest address if there are ``most``; return False if that is ``listener``."""
    alike = [other for other in room.listeners if other.guest and other.feed == listener.feed]
    if len(alike) < most:
        return True
    closed = find_busiest([listener, *alike])[0]
    if closed is listener:
        return False
    room.listeners.discard(closed)
    if closed.writing is not None:
        closed.writing.cancel()
    return True


async def send_stream(room: Room, listener: RoomStream, receive: Receive, send: Send) -> None:
    """Send events until the client disconnects or stops reading, or the stream is closed to make room."""
    head = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    room.listeners.add(listener)
    disconnected = asyncio.ensure_future(_await_disconnect(receive))
    listener.writing = asyncio.ensure_future(_write(room, listener, send))
    try:
        await asyncio.wait({disconnected, listener.writing}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        room.listeners.discard(listener)
        for task in (disconnected, listener.writing):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task


async def _write(room: Room, listener: RoomStream, send: Send) -> None:
    for first in (b"retry: 1000\n\n", *room.list_initial_messages(listener)):
        await _send_content(send, first)
    while True:
        try:
            content = await asyncio.wait_for(listener.queue.get(), BEAT_S)
        except asyncio.TimeoutError:
            content = b"event: beat\ndata: 0\n\n"
        await _send_content(send, content)
        for more in room.catch_up(listener):
            await _send_content(send, more)


async def _send_content(send: Send, content: bytes) -> None:
    """Send content. Raises TimeoutError if the client has stopped reading."""
    body = {"type": "http.response.body", "body": content, "more_body": True}
    await asyncio.wait_for(send(body), STUCK_S)


async def _await_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


#: Headers of a page with a form: the content security policy also allows submitting it to this server.
_POLICY = {"content-security-policy": POLICY.replace("form-action 'none'", "form-action 'self'")}


def render_entrance(room: Room, request: Request, address: str) -> Response:
    """Return the page that asks for the room's code, or redirect a guest who has entered the right one."""
    code = str(request.scope["armoon.what"] or request.query_params.get("code", "")).strip().upper()
    with speaking(_find_language(request)):
        if code and not room.registry.wrong_codes.allows(address):
            return _make_page(_render_form(text("air.page.code_often")), 429)
        if code == room.setup.code:
            page = f"watch?{JOINING_HELP}" if JOINING_HELP in request.query_params else "vote"
            return RedirectResponse(f"/{room.setup.keys.join}/{page}", 303)
        if code:
            room.registry.wrong_codes.count(address)
            return _make_page(_render_form(text("air.page.code_wrong")), 404)
        return _make_page(_render_form(""))


def render_warning(request: Request, host: str, code: str) -> Response:
    """Return the page for unencrypted connections: an explanation of the browser's warning, and a link to https."""
    with speaking(_find_language(request)):
        sentences = (text(f"air.page.warning_{part}") for part in ("why", "how", "sure"))
        paragraphs = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
        on = f'<a href="https://{escape(host)}/{escape(code)}">{escape(text("air.page.warning_on"))}</a>'
        return _make_page(f"<h2>{escape(text('air.page.warning'))}</h2>{paragraphs}{on}")


def _find_language(request: Request) -> str:
    tags = [tag.strip()[:2].lower() for tag in request.headers.get("accept-language", "").split(",")]
    return next((code for code in tags if code in LANGUAGES), language())


def _render_form(wrong: str) -> str:
    alert = f'<p role="alert" class="bad">{escape(wrong)}</p>' if wrong else ""
    ask, go = escape(text("air.page.code_ask")), escape(text("air.page.go"))
    return f"""<h2><label for="code">{ask}</label></h2>{alert}<form action="/">
<input id="code" name="code" class="code" required maxlength="{lines.CODE_LENGTH}" autocomplete="off"
autocapitalize="characters" spellcheck="false" autofocus><button type="submit">{go}</button></form>"""


def _make_page(body: str, status: int = 200) -> Response:
    html = read_resource(f"{PAGE_FOLDER}/entrance.html").decode()
    title = escape(text("air.page.vote_title"))
    content = Template(html).substitute(title=title, body=body, lang=language())
    return Response(content, status, media_type="text/html", headers=_POLICY)


#: The pages, and the roles that can open each.
PAGES = {
    "overlay": ("view",),
    "board": ("view",),
    "watch": ("view", "join"),
    "vote": ("join",),
    "host": ("host",),
    "arrange": ("host",),
}
_TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
#: Message key prefix of the pages' texts.
_TEXTS = "air.page."
PAGE_FOLDER = "party/server/pages"
#: Name of the cookie that identifies a phone.
COOKIE = "guest"


@cache
def read_resource(path: str) -> bytes:
    return resources.files("armoon").joinpath(path).read_bytes()


#: Scripts and style sheets of the pages.
FILES = frozenset(
    file.name
    for file in resources.files("armoon").joinpath(PAGE_FOLDER).iterdir()
    if file.name.endswith((".js", ".css"))
)
#: Files of the 3D library, named as in its npm package; browsers cache them, because they are large.
LIBRARY = ("three.module.min.js", "three.core.min.js")
#: The fonts' names in addresses, and their files in ``view/fonts``.
FONTS = {"nunito.ttf": "Nunito-Regular.ttf", "nunito-bold.ttf": "Nunito-Bold.ttf"}


@cache
def read_library(name: str) -> bytes:
    return gzip.compress(read_resource(f"party/server/three/{name}"))


def send_packaged_file(name: str) -> Response:
    if name in LIBRARY:
        head = {"content-encoding": "gzip", "cache-control": "private, max-age=43200"}
        return Response(read_library(name), media_type=_TYPES["js"], headers=head)
    if name in FONTS:
        return Response(read_resource(f"view/fonts/{FONTS[name]}"), media_type="font/ttf")
    if name not in FILES:
        return Response(status_code=404)
    return Response(read_resource(f"{PAGE_FOLDER}/{name}"), media_type=_TYPES[name.partition(".")[2]])


def make_app(room: Room, report_refusal: lines.ReportRefusal) -> App:
    def route(path: str, answer: Callable[[Request], Response], method: str = "GET", role: str = "") -> Route:
        """``role``: the only role that has access; empty: all roles have."""

        async def guarded(request: Request) -> Response:
            try:
                if role and request.scope["armoon.role"] != role:
                    raise MalformedError("another key is needed")
                return answer(request)
            except MalformedError:
                guard.report("malformed", request.scope)
                return Response(status_code=400)
            except VoteRefused as refused:
                return _make_json_response({"refused": refused.reason.value}, 409)

        return Route(path, guarded, methods=[method])

    def page(request: Request) -> Response:
        name = request.scope["armoon.what"]
        if request.scope["armoon.role"] not in PAGES[name]:
            return Response(status_code=404)
        language_attribute = b'lang="%s"' % room.setup.language.encode()
        # In OBS a page on disk checks whether the overlay is reachable; it can't read the overlay's content.
        head = {"cross-origin-resource-policy": "cross-origin"} if name == "overlay" else {}
        if name == "arrange":
            head["content-security-policy"] = POLICY + "; frame-src 'self'"
        elif name == "overlay" and "demo" in request.query_params:  # shown in a frame of the page "arrange"
            head["content-security-policy"] = POLICY.replace("ancestors 'none'", "ancestors 'self'")
        content = read_resource(f"{PAGE_FOLDER}/{name}.html").replace(b'lang="en"', language_attribute)
        if room.setup.style and name in ("overlay", "board"):
            content = content.replace(b"</head>", b'<link rel="stylesheet" href="pages/own.css">\n</head>')
        return Response(content, media_type="text/html", headers=head)

    def file(request: Request) -> Response:
        name = request.path_params["name"]
        if name == "own.css" and request.scope["armoon.role"] == "view":
            return Response(room.setup.style, media_type="text/css")
        return send_packaged_file(name)

    def texts(request: Request) -> Response:
        language = request.path_params["name"].partition(".")[0]
        if language not in LANGUAGES:
            return Response(status_code=404)
        every = catalogue(language)
        shown = {key.removeprefix(_TEXTS): words for key, words in every.items() if key.startswith(_TEXTS)}
        return _make_json_response({**shown, "point": every["unit.point"]})

    def qr(request: Request) -> Response:
        image = io.BytesIO()
        segno.make(room.setup.join_at, error="m", micro=False).save(
            image, kind="svg", scale=8, border=3, dark="#0b1020", light="#ffffff", xmldecl=False, svgns=True
        )
        return Response(image.getvalue(), media_type="image/svg+xml")

    def join(request: Request) -> Response:
        (name,) = _read_fields(request, name=str)
        key = request.cookies.get(COOKIE, "")
        if key not in room.ballots.guests and key not in room.ballots.former:
            key = secrets.token_urlsafe(16)
        guest = room.registry.admit(key, find_client_address(request.scope), name, text("air.guest"))
        room.broadcast_soon()
        answer = _make_json_response({"name": guest.name, "points": guest.points, "waiting": guest.waiting})
        path = f"/{room.setup.keys.join}"
        secure = request.scope["scheme"] == "https"
        answer.set_cookie(
            COOKIE, key, path=path, httponly=True, samesite="strict", max_age=43_200, secure=secure
        )
        return answer

    def me(request: Request) -> Response:
        key = _find_guest(request)
        guest, ballot = room.ballots.guests.get(key), room.ballots.ballot
        if guest is None or guest.banned:
            return _make_json_response(None)
        vote = None if ballot is None else ballot.votes.get(key)
        return _make_json_response(
            {"name": guest.name, "points": guest.points, "vote": vote, "waiting": guest.waiting}
        )

    def vote(request: Request) -> Response:
        ballot, choice = _read_fields(request, ballot=int, choice=int)
        room.ballots.vote(_find_guest(request), ballot, choice)
        room.broadcast_soon()
        return _make_json_response({"vote": choice})

    def react(request: Request) -> Response:
        (sign,) = _read_fields(request, sign=str)
        room.ballots.find_voter(_find_guest(request))
        if sign not in REACTIONS:
            raise MalformedError("`sign`")
        room.add_reaction(sign)
        return _make_json_response({})

    def foreign(request: Request) -> Response:
        # Sent by another program with the host's key; ``voter``: the program's id for the person.
        voter, choice = _read_fields(request, voter=str, choice=int)
        room.add_foreign_vote(voter, choice)
        return _make_json_response({})

    def command(request: Request) -> Response:
        body = _read_body(request, lines.HostRequest)
        return _make_json_response({"done": apply_host_request(room, body)})

    def layout(request: Request) -> Response:
        room.arrange(_read_body(request, lines.Arrangement))
        return _make_json_response({})

    def guests(request: Request) -> Response:
        guests = room.ballots.guests.values()
        listed = [(guest.name, guest.points) for guest in guests if not guest.banned]
        askable = {question.value: room.can_ask(question) for question in VoteQuestion}
        return _make_json_response(
            {
                "guests": listed,
                "allowed": sorted(room.allowed),
                "may": askable,
                "banned": [guest.name for guest in guests if guest.banned],
                "names_shown": room.ballots.names_shown,
                "waiting": [guest.name for guest in guests if guest.waiting and not guest.banned],
                "locked": room.ballots.locked,
                "approves": room.ballots.approves,
                "hidden": room.ballots.hidden,
                "join_at": room.setup.join_at,
                "view": room.setup.keys.view,
                "places": room.arranged.places,
            }
        )

    def _find_guest(request: Request) -> str:
        key: str = request.cookies.get(COOKIE, "")
        return key if room.registry.count_request(key, find_client_address(request.scope)) else ""

    routes = [
        *(route(f"/{{key}}/{name}", page) for name in PAGES),
        route("/{key}/pages/{name}", file),
        route("/{key}/texts/{name}", texts),
        route("/{key}/qr", qr),
        route("/{key}/me", me, role="join"),
        route("/{key}/guests", guests, role="host"),
        route("/{key}/join", join, "POST", "join"),
        route("/{key}/vote", vote, "POST", "join"),
        route("/{key}/react", react, "POST", "join"),
        route("/{key}/do", command, "POST", "host"),
        route("/{key}/layout", layout, "POST", "host"),
        route("/{key}/foreign", foreign, "POST", "host"),
    ]
    starlette = Starlette(routes=routes)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        what, role = scope["armoon.what"], scope["armoon.role"]
        if role in ("entrance", "unencrypted"):
            await serve_entrance(Request(scope))(scope, receive, send)
        elif scope["method"] == "GET" and what in ("feed", "room"):
            feed, guest = what == "feed", role == "join"
            live = feed and b"live=0" not in scope.get("query_string", b"")
            listener = RoomStream(live, feed, guest, find_client_address(scope))
            if guest and not make_room_for(room, listener, MAX_ONLOOKERS if feed else MAX_PHONES):
                guard.report("many", scope)
                await refuse(send, 503)
            elif feed:
                await send_stream(room, listener, receive, send)
            else:
                with room.registry.hold_place(
                    Request(scope).cookies.get(COOKIE, ""), find_client_address(scope)
                ):
                    await send_stream(room, listener, receive, send)
                asyncio.get_running_loop().call_later(SILENT_S + 1.0, room.broadcast_soon)
        else:
            await starlette(scope, receive, send)

    def serve_entrance(request: Request) -> Response:
        what = request.scope["armoon.what"]
        if what.startswith("pages/"):
            return send_packaged_file(what.removeprefix("pages/"))
        if request.scope["armoon.clear"]:
            more = f"?{JOINING_HELP}" if JOINING_HELP in request.query_params else ""
            return render_warning(request, request.headers["host"], what + more)
        return render_entrance(room, request, find_client_address(request.scope))

    guard = Guard(app, room.setup, report_refusal)
    return guard


def _read_body(request: Request, kind: type[lines.Body]) -> lines.Body:
    return lines.read_body(kind, request.scope["armoon.body"])


def _read_fields(request: Request, **kinds: type) -> list[Any]:
    return lines.read_fields(request.scope["armoon.body"], **kinds)


def _make_json_response(value: Any, status: int = 200) -> Response:
    return Response(encode_json(value), status, media_type="application/json")
