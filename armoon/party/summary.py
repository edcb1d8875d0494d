"""Summary of a game night, as a self-contained HTML page for the host."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape

from armoon.broadcast import FeedBegan, FeedFall, FeedResult, FeedVerdict, Happening, Seat
from armoon.messages import centimetres, language, text
from armoon.party.html_page import render_page
from armoon.party.tables import localise, render_seat_row
from armoon.party.votes import Ballots, SavedGuests

#: Maximum number of guessers on the page.
MAX_GUESSERS = 10


@dataclass
class GameSummary:
    """One game of the night, perhaps unfinished."""

    began: FeedBegan
    day: datetime
    seats: tuple[Seat, ...]
    result: FeedResult | None = None
    """None while the game is in progress, or if it was abandoned."""
    turns: int = 0
    """The last turn with a verdict or move; 0: none."""
    highest: tuple[float, int, int] = (0.0, 0, 0)
    """Maximum height of the structure in metres, with its turn and seat; 0.0: nothing was built."""
    fallen: int = 0

    def add_event(self, event: Happening) -> None:
        match event:
            case FeedVerdict(turn=turn, seat=seat, top_m=top_m):
                self.turns = max(self.turns, turn)
                self.highest = max(self.highest, (top_m or 0.0, turn, seat), key=lambda found: found[0])
            case FeedFall(pieces=pieces):
                self.fallen += len(pieces)
            case FeedResult():
                self.result = event


def render_summary(played: Sequence[GameSummary], guests: SavedGuests | None = None) -> str | None:
    """Return the HTML page; None if no turn was played. It omits banned guests, and all guests if names are hidden."""
    games = [game for game in played if game.turns]
    if not games:
        return None
    day = games[0].day
    number = text("summary.first") if day.day == 1 else day.day
    title = text(
        "summary.title",
        day=text("summary.day", day=number, month=text(f"summary.month.{day.month}"), year=day.year),
    )
    names = sorted({seat.name for game in games for seat in game.seats if seat.name}, key=str.casefold)
    counts = [
        text("summary.games", count=len(games)),
        text("summary.turns", count=sum(game.turns for game in games)),
    ]
    body = [f"<h1>{escape(title)}</h1>", f"<p>{escape(' · '.join(names))}</p>", _render_small(*counts)]
    body += [_render_game(number, game) for number, game in enumerate(games, 1)]
    ballots = None if guests is None or not guests.names_shown else Ballots(guests)
    if ballots is not None and (best := ballots.find_best_guessers(MAX_GUESSERS)):
        rows = "".join(
            f'<tr><td>{escape(guest.name)}</td><td class="n">{guest.points}</td></tr>' for guest in best
        )
        body.append(f"<h2>{escape(text('air.page.guessers'))}</h2>\n<section><table>{rows}</table></section>")
    return render_page(title, language(), "\n".join([*body, _render_small(text("summary.kept"))]))


def _render_game(number: int, game: GameSummary) -> str:
    title = text("summary.game", number=number, game=localise(game.began.title))
    parts = [_render_small(text("summary.hour", hour=game.day.hour, minute=f"{game.day.minute:02}"))]
    if game.result is None:
        parts.append(f"<p>{escape(text('summary.left', turn=game.turns))}</p>")
    else:
        won, more = escape(localise(game.result.words)), escape(localise(game.result.more))
        parts.append(f"<p><strong>{won}</strong> {more}</p>")
    winners = () if game.result is None else game.result.winners
    seats = enumerate(game.seats)
    rows = "".join(render_seat_row(seat, "turn" if place in winners else "") for place, seat in seats)
    player, counts = escape(text("summary.player")), escape(localise(game.began.counts))
    parts.append(f'<table><tr><th>{player}</th><th class="n">{counts}</th></tr>{rows}</table>')
    top_m, turn, seat = game.highest
    facts = []
    if top_m > 0.0:
        name = game.seats[seat].name if 0 <= seat < len(game.seats) else ""
        facts.append(text("summary.highest", height=centimetres(top_m), player=name, turn=turn))
    if game.fallen:
        facts.append(text("summary.fallen", count=game.fallen))
    return f"<h2>{escape(title)}</h2>\n<section>" + "\n".join([*parts, _render_small(*facts)]) + "</section>"


def _render_small(*words: str) -> str:
    return f'<p class="dim">{escape(" · ".join(words))}</p>' if words else ""
