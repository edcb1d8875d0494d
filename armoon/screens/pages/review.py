"""The review of a game that is over: the curve of safeties, turn by turn, and where the game turned."""

from __future__ import annotations

from collections.abc import Sequence

from armoon.games.reviews import ReviewedTurn
from armoon.messages import text
from armoon.screens.actions import Request
from armoon.screens.events import ReviewTold
from armoon.screens.layout import body_place, lines, page
from armoon.screens.plan import Item, Plan, Reply, asking
from armoon.screens.player import COLOURS
from armoon.screens.state import PageName, Screens
from armoon.values.drawing import WIDE, Drawing, Mark, Rgba, Shape, Sign, Stroke, Word
from armoon.values.flex import GAP, REST, columns, rows
from armoon.values.page import Rect, Rgb, Widget, WidgetKind
from armoon.values.poses import Vec2

_INK: Rgba = (0.95, 0.91, 0.82, 1.0)
_PALE: Rgba = (0.66, 0.73, 0.95, 0.55)
_FAINT: Rgba = (0.66, 0.73, 0.95, 0.16)
#: The curve's edges in the picture, in parts of its height.
LEFT, RIGHT, TOP, LOW = 0.20, WIDE - 0.06, 0.10, 0.84
#: Number of turns that can be numbered beneath it; with more, every second or third is.
MOST_NUMBERS = 9
#: How high the picture's letters are, in parts of its height.
LETTERS = 0.068


def review(screens: Screens) -> Plan:
    """Return the plan of the review with the turns weighed so far."""
    told, tall = screens.review, screens.tall
    body = body_place(tall)
    picture, said = _places(body, tall)
    words = [one for one in (_progress(told), told.trouble, told.turning, *_last(told), told.kept) if one]
    curve: tuple[Item, ...] = ()
    if told.turns:
        curve = (
            Item(Widget("curve", WidgetKind.PICTURE, picture, drawing=curve_of(told, _colours(screens)))),
        )
    else:
        said = body
    keeps = bool(told.picture) and not told.kept
    return page(
        screens,
        text("screens.review.heading"),
        (*curve, *lines(said, words, "said", 0.2 if curve else 0.12)),
        ("back", text("screens.back" if told.done else "screens.review.skip"), leave, True),
        ("keep", text("screens.review.keep"), asking(Request.KEEP_REVIEW), keeps),
        veil=0.86,
        leave=leave,
        first="back",
    )


def to_review(screens: Screens) -> Reply:
    """Return the action of a button to the review."""
    return screens.to(PageName.REVIEW), (Request.LOOK_AT_REVIEW,)


def leave(screens: Screens) -> Reply:
    """Back; what isn't finished is given up."""
    return screens.returned(), (Request.STOP_REVIEW,)


def _colours(screens: Screens) -> tuple[Rgb, ...]:
    """By seat, as on the page of the result."""
    of_seats = () if screens.result is None else screens.result.lines
    own = tuple(line.colour or COLOURS[seat % len(COLOURS)] for seat, line in enumerate(of_seats))
    return (*own, *COLOURS[len(own) :])


def curve_of(told: ReviewTold, colours: Sequence[Rgb] = COLOURS) -> Drawing:
    """Return the drawing of each turn's safety in the players' colours, before the safest that there was."""
    turns = told.turns
    count = max(told.total, len(turns))
    shapes: list[Shape] = []
    for share in (0.0, 0.5, 1.0):
        shapes.append(Stroke((LEFT, _y(share)), (RIGHT, _y(share)), 0.004, _FAINT))
        shapes.append(
            Word(
                text("review.percent", share=f"{100 * share:.0f}"),
                (LEFT / 2.0 + 0.01, _y(share)),
                LETTERS,
                _PALE,
            )
        )
    for k in range(1, len(turns)):
        a, b = _x(k - 1, count), _x(k, count)
        shapes.append(Stroke((a, _y(turns[k - 1].best)), (b, _y(turns[k].best)), 0.008, _PALE))
        shapes.append(Stroke((a, _y(turns[k - 1].done)), (b, _y(turns[k].done)), 0.012, _INK))
    for k, turn in enumerate(turns):
        colour = (*colours[turn.seat % len(colours)], 1.0)
        shapes += _turn(turn, (_x(k, count), _y(turn.done)), colour, turned=turn.number == told.turned)
        if k % (1 + count // MOST_NUMBERS) == 0:
            shapes.append(Word(f"{turn.number}", (_x(k, count), 0.93), LETTERS, _PALE))
    return Drawing(tuple(shapes))


def _turn(turn: ReviewedTurn, place: Vec2, colour: Rgba, *, turned: bool) -> list[Shape]:
    ring = [Mark(Sign.DISC, place, (0.042, 0.042), (1.0, 0.8, 0.42, 0.55))] if turned else []
    sign, size = (Sign.DISC, 0.022) if turn.ok else (Sign.TEAR, 0.032)
    return [*ring, Mark(sign, place, (size, size), colour, colour)]


def _x(k: int, count: int) -> float:
    return LEFT + 0.05 + (RIGHT - LEFT - 0.08) * (k / (count - 1) if count > 1 else 0.5)


def _y(share: float) -> float:
    return LOW - (LOW - TOP) * share


def _places(body: Rect, tall: bool) -> tuple[Rect, Rect]:
    """Return the curve, and what is said of it."""
    if tall:
        picture, said = rows(body, 0.50, REST, gap=GAP[1])
    else:
        picture, said = columns(body, 0.58, REST, gap=GAP[0])
    return picture, said


def _progress(told: ReviewTold) -> str:
    if told.done:
        return text("screens.review.legend") if told.turns else ""
    return text("screens.review.progress", number=len(told.turns), count=max(told.total, len(told.turns)))


def _last(told: ReviewTold) -> tuple[str, ...]:
    """While it goes on, what was weighed last."""
    return () if told.done or not told.turns else (told.turns[-1].line.strip(),)
