"""An evening's book as one self-contained page, videos included."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from armoon.messages import centimetres, language, text
from armoon.party.evening.facts import Played, Said
from armoon.party.paper import dot, page, said
from armoon.party.tables import spoken

#: Number of guessers that are named.
MOST_GUESSERS = 10


@dataclass(frozen=True)
class ShownClip:
    """A clip in the book."""

    title: str
    words: str
    content: bytes
    """Content of an MP4 file."""


@dataclass(frozen=True)
class Evening:
    """All that the book tells."""

    day: datetime
    games: tuple[Played, ...]
    guessers: tuple[tuple[str, int], ...] = ()
    """Names and points, the best first."""
    clips: tuple[ShownClip, ...] = ()


def evening_page(evening: Evening) -> str:
    """Return the page."""
    number = text("evening.first") if evening.day.day == 1 else evening.day.day
    month = text(f"evening.month.{evening.day.month}")
    day = text("evening.day", day=number, month=month, year=evening.day.year)
    title = text("evening.title", day=day)
    parts = [f"<h1>{said(title)}</h1>", _summary(evening.games)]
    if evening.clips:
        parts.append(
            _headed("evening.clips", '<div class="cards">' + "".join(map(_clip, evening.clips)) + "</div>")
        )
    parts += [_game(number, one) for number, one in enumerate(evening.games, 1)]
    if evening.guessers:
        rows = "".join(
            f'<tr><td>{said(name)}</td><td class="n">{points}</td></tr>'
            for name, points in evening.guessers[:MOST_GUESSERS]
        )
        parts.append(_headed("air.page.guessers", f"<table>{rows}</table>"))
    parts.append(f'<p class="dim">{said(text("evening.kept"))}</p>')
    return page(title, language(), "\n".join(parts))


def _summary(games: Sequence[Played]) -> str:
    highest = max((one.highest.top_m for one in games if one.highest is not None), default=0.0)
    names = sorted({seat.name for one in games for seat in one.seats if seat.name}, key=str.casefold)
    told = [
        text("evening.games", count=len(games)),
        text("evening.turns", count=sum(one.turns for one in games)),
    ]
    if highest > 0.0:
        told.append(text("evening.up_to", height=centimetres(highest)))
    fallen = sum(one.fallen for one in games)
    if fallen:
        told.append(text("evening.fallen", count=fallen))
    return f'<p>{said(" · ".join(names))}</p>\n<p class="dim">{said(" · ".join(told))}</p>'


def _game(number: int, one: Played) -> str:
    title = text("evening.game", number=number, game=spoken(one.began.title))
    parts = []
    if one.day is not None:
        hour = text("evening.hour", hour=one.day.hour, minute=f"{one.day.minute:02}")
        parts.append(f'<p class="dim">{said(hour)}</p>')
    if one.result is None:
        parts.append(f"<p>{said(text('evening.left', turn=one.turns))}</p>")
    else:
        parts.append(
            f"<p><strong>{said(spoken(one.result.words))}</strong> {said(spoken(one.result.more))}</p>"
        )
    winners = () if one.result is None else one.result.winners
    rows = "".join(
        f'<tr class="{"turn" if place in winners else ""}"><td>{dot(seat.colour)}{said(seat.name)}</td>'
        f'<td class="n">{seat.score}</td></tr>'
        for place, seat in enumerate(one.seats)
    )
    head = (
        f'<tr><th>{said(text("evening.player"))}</th><th class="n">{said(spoken(one.began.counts))}</th></tr>'
    )
    parts.append(f"<table>{head}{rows}</table>")
    drawn, missed = chart(one), any(not height.ok for height in one.heights)
    if drawn:
        parts += [f"<h3>{said(text('air.page.heights'))}</h3>", drawn]
        told = [highest_told(one), *([text("evening.cross")] if missed else [])]
        parts.append(f'<p class="dim">{said(" · ".join(told))}</p>')
    if one.figures:
        made = "".join(
            f"<li>{said(_figure(name, spoken(words), count))}</li>" for name, words, count in one.figures
        )
        parts += [f"<h3>{said(text('evening.figures'))}</h3>", f"<ul>{made}</ul>"]
    judged = any(words.ok is not None for words in one.said)
    parts.append(f"<h3>{said(text('evening.moon_said' if judged else 'evening.happened'))}</h3>")
    parts += map(_said, one.said)
    return f"<h2>{said(title)}</h2>\n<section>" + "\n".join(parts) + "</section>"


def _figure(name: str, figure: str, count: int) -> str:
    key = "evening.figure" if count == 1 else "evening.figure_often"
    return text(key, player=name, figure=figure, count=count)


def _said(one: Said) -> str:
    who = text("evening.who", turn=one.turn, player=one.name) if one.turn > 0 else one.name
    return f'<blockquote>{said(spoken(one.words))} <span class="dim">· {said(who)}</span></blockquote>'


def _clip(clip: ShownClip) -> str:
    film = base64.b64encode(clip.content).decode()
    return (
        f'<div class="card"><video controls preload="metadata" src="data:video/mp4;base64,{film}"></video>'
        f"<h3>{said(clip.title)}</h3><p>{said(clip.words)}</p></div>"
    )


def _headed(key: str, body: str) -> str:
    return f"<h2>{said(text(key))}</h2>\n<section>{body}</section>"


WIDTH, HEIGHT = 900, 260
#: A bar is no wider, however few there are.
_WIDEST = 60.0
_LEFT, _RIGHT, _TOP, _FOOT = 70, 10, 16, 34
#: Lines across at these distances, the first with which at most five fit.
_STEPS_M = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_FAULT, _INK, _DIM, _PLAIN = "#ff8a7a", "#f4efe0", "#b9bcd6", "#f2c14e"


def chart(played: Played) -> str:
    """Return the drawing; empty for a game without heights."""
    heights = played.heights
    if not heights:
        return ""
    top_m = max(max(one.top_m for one in heights), 0.02)
    step_m = next((step for step in _STEPS_M if top_m / step <= 5.0), _STEPS_M[-1])
    across = (WIDTH - _LEFT - _RIGHT) / len(heights)
    down = HEIGHT - _TOP - _FOOT
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{said(highest_told(played))}">']
    for number in range(1, int(top_m / step_m) + 1):
        y = _TOP + (1.0 - number * step_m / top_m) * down
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}" stroke="{_DIM}" stroke-opacity="0.3"/>')
        parts.append(_words(_LEFT - 8, y + 5, centimetres(number * step_m, 0), _DIM, "end"))
    every = max(1, -(-len(heights) // 24))
    for place, one in enumerate(heights):
        tall = max(1.0, one.top_m / top_m * down)
        wide = min(0.76 * across, _WIDEST)
        x = _LEFT + (place + 0.5) * across - wide / 2.0
        colour = _colour(played, one.seat)
        parts.append(
            f'<rect x="{x:.1f}" y="{_TOP + down - tall:.1f}" width="{wide:.1f}" '
            f'height="{tall:.1f}" rx="2" fill="{colour}"/>'
        )
        middle = x + wide / 2.0
        if not one.ok:
            y = _TOP + down - tall - 7
            parts.append(
                f'<path d="M{middle - 4:.1f} {y - 4:.1f}l8 8m0-8l-8 8" stroke="{_FAULT}" stroke-width="2"/>'
            )
        if place % every == 0:
            parts.append(_words(middle, HEIGHT - 12, str(one.turn), _DIM, "middle"))
    return "".join([*parts, "</svg>"])


def highest_told(played: Played) -> str:
    """Where it was highest, in words."""
    highest = played.highest
    assert highest is not None
    name = played.seats[highest.seat].name if 0 <= highest.seat < len(played.seats) else ""
    return text("evening.highest", height=centimetres(highest.top_m), player=name, turn=highest.turn)


def _colour(played: Played, seat: int) -> str:
    colour = played.seats[seat].colour if 0 <= seat < len(played.seats) else ""
    return said(colour) if colour.startswith("#") else _PLAIN


def _words(x: float, y: float, words: str, colour: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}" font-size="14">{said(words)}</text>'
