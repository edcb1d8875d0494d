"""The structure's height, turn by turn, as a chart in a page."""

from __future__ import annotations

from armoon.messages import text
from armoon.messages.numbers import centimetres
from armoon.party.evening.told import Played
from armoon.party.paper import said

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
