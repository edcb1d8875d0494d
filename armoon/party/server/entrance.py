"""The house's entrance: four letters lead to the vote, and one page explains a browser's warning beforehand."""

from __future__ import annotations

from html import escape
from importlib import resources
from string import Template

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from armoon.messages import LANGUAGES, language, speaking, text
from armoon.party.server.guard import POLICY
from armoon.party.server.lines import LENGTH
from armoon.party.server.room import Room

#: The pages' policy, with a form that leads back here.
_POLICY = {"content-security-policy": POLICY.replace("form-action 'none'", "form-action 'self'")}


def entrance(room: Room, request: Request, address: str) -> Response:
    """Return the page that asks for the code, or lead on who has given the right one."""
    given = str(request.scope["armoon.what"] or request.query_params.get("code", "")).strip().upper()
    with speaking(_language_of(request)):
        if given and not room.door.may_guess(address):
            return _page(_form(text("air.page.code_often")), 429)
        if given == room.setup.code:
            return RedirectResponse(f"/{room.setup.keys.join}/vote", 303)
        if given:
            room.door.guessed(address)
            return _page(_form(text("air.page.code_wrong")), 404)
        return _page(_form(""))


def explained(request: Request, host: str, code: str) -> Response:
    """Return the page that a phone without encryption gets: what its browser will say, and the way on."""
    with speaking(_language_of(request)):
        said = (text(f"air.page.warning_{part}") for part in ("why", "how", "sure"))
        lines = "".join(f"<p>{escape(one)}</p>" for one in said)
        on = f'<a href="https://{escape(host)}/{escape(code)}">{escape(text("air.page.warning_on"))}</a>'
        return _page(f"<h2>{escape(text('air.page.warning'))}</h2>{lines}{on}")


def _language_of(request: Request) -> str:
    """Return the first language of a request's that the house speaks, else the house's."""
    asked = [one.strip()[:2].lower() for one in request.headers.get("accept-language", "").split(",")]
    return next((one for one in asked if one in LANGUAGES), language())


def _form(wrong: str) -> str:
    """Return the form; ``wrong``: what was wrong with the last code."""
    said = f'<p role="alert" class="bad">{escape(wrong)}</p>' if wrong else ""
    ask, go = escape(text("air.page.code_ask")), escape(text("air.page.go"))
    return f"""<h2><label for="code">{ask}</label></h2>{said}<form action="/">
<input id="code" name="code" class="code" required maxlength="{LENGTH}" autocomplete="off" autocapitalize="characters"
spellcheck="false" autofocus><button type="submit">{go}</button></form>"""


def _page(body: str, status: int = 200) -> Response:
    html = resources.files("armoon.party.server").joinpath("pages/entrance.html").read_text("utf-8")
    title = escape(text("air.page.vote_title"))
    content = Template(html).substitute(title=title, body=body, lang=language())
    return Response(content, status, media_type="text/html", headers=_POLICY)
