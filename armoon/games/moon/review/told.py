"""A review in words, and as a picture: an SVG file, which any browser shows."""

from __future__ import annotations

from html import escape

from armoon.games.moon.review.weigh import Weighed, turned
from armoon.games.reviews import Reviewed, ReviewedTurn
from armoon.games.shared.seating import SEAT_COLOURS
from armoon.messages import text
from armoon.messages.numbers import number

WIDTH, HEIGHT = 960, 420
_LEFT, _RIGHT, _TOP, _FOOT = 70, 30, 70, 70
_PAPER, _INK, _PALE = "#12142e", "#f4efe2", "#8f93b5"


def line_of(weighed: Weighed) -> str:
    """One turn in a line."""
    played = weighed.played
    key = "review.turn" if played.verdict.ok else "review.mistake"
    return text(
        key,
        turn=played.number,
        player=played.player,
        die=text(f"die.{played.die.value.lower()}"),
        done=_percent(weighed.done),
        best=_percent(weighed.best_safety),
    )


def turn_of(weighed: Weighed) -> ReviewedTurn:
    """One turn, to be shown."""
    played = weighed.played
    done, best = weighed.done, weighed.best_safety
    return ReviewedTurn(played.number, played.seat, done, best, played.verdict.ok, line_of(weighed))


def reviewed(weighed: list[Weighed], title: str) -> Reviewed:
    """Return the whole game."""
    turning = turned(weighed)
    return Reviewed(
        turning_line(weighed) or text("review.empty"),
        None if turning is None else turning.played.number,
        picture_of(weighed, title),
    )


def turning_line(weighed: list[Weighed]) -> str:
    """Where the game turned; empty for a game without a turn."""
    turning = turned(weighed)
    if turning is None:
        return text("review.even") if weighed else ""
    return text(
        "review.turned",
        turn=turning.played.number,
        player=turning.played.player,
        lost=_percent(turning.lost),
    )


def picture_of(weighed: list[Weighed], title: str) -> str:
    """Return the curve over the game: what was done in the players' colours, the best there was behind it."""
    across = (WIDTH - _LEFT - _RIGHT) / max(1, len(weighed) - 1)
    down = HEIGHT - _TOP - _FOOT

    def place(k: int, safety: float) -> str:
        return f"{_LEFT + k * across:.1f},{_TOP + (1.0 - safety) * down:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>',
        _words(_LEFT, 34, title, 22, _INK),
    ]
    for share in (0.0, 0.5, 1.0):
        y = _TOP + (1.0 - share) * down
        parts.append(
            f'<path d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}" stroke="{_PALE}" stroke-width="1" opacity="0.35"/>'
        )
        parts.append(_words(12, y + 5, _percent(share), 14, _PALE))
    best = " ".join(place(k, one.best_safety) for k, one in enumerate(weighed))
    done = " ".join(place(k, one.done) for k, one in enumerate(weighed))
    parts.append(
        f'<polyline points="{best}" fill="none" stroke="{_PALE}" stroke-width="2" stroke-dasharray="6 5"/>'
    )
    parts.append(f'<polyline points="{done}" fill="none" stroke="{_INK}" stroke-width="2"/>')
    turning = turned(weighed)
    for k, one in enumerate(weighed):
        at_x, at_y = place(k, one.done).split(",")
        colour = SEAT_COLOURS[one.played.seat % len(SEAT_COLOURS)]
        if one is turning:
            parts.append(
                f'<circle cx="{at_x}" cy="{at_y}" r="14" fill="none" stroke="{_INK}" stroke-width="2"/>'
            )
        if one.played.verdict.ok:
            parts.append(f'<circle cx="{at_x}" cy="{at_y}" r="7" fill="{colour}"/>')
        else:  # a tear
            parts.append(
                f'<path transform="translate({at_x},{at_y})" d="M0-10Q9 3 0 9Q-9 3 0-10" fill="{colour}"/>'
            )
        parts.append(_words(float(at_x), HEIGHT - _FOOT + 24, str(one.played.number), 13, _PALE, "middle"))
    parts += _legend(weighed, turning)
    return "\n".join([*parts, "</svg>", ""])


def _legend(weighed: list[Weighed], turning: Weighed | None) -> list[str]:
    seats = {one.played.seat: one.played.player for one in weighed}
    parts: list[str] = []
    x = float(_LEFT)
    for seat in sorted(seats):
        colour = SEAT_COLOURS[seat % len(SEAT_COLOURS)]
        parts.append(f'<circle cx="{x:.1f}" cy="{HEIGHT - 22}" r="7" fill="{colour}"/>')
        parts.append(_words(x + 14, HEIGHT - 17, seats[seat], 15, _INK))
        x += 44 + 9 * len(seats[seat])
    marks = [text("review.legend"), *([text("review.legend_turned")] if turning is not None else [])]
    parts.append(_words(WIDTH - _RIGHT, HEIGHT - 17, " · ".join(marks), 14, _PALE, "end"))
    return parts


def _words(x: float, y: float, words: str, size: int, colour: str, anchor: str = "start") -> str:
    at = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"'
    return f"<text {at}>{escape(words)}</text>"


def _percent(share: float) -> str:
    return text("review.percent", share=number(100.0 * share, 0))
