"""How a game ended, and a team's results: the page of the result, and the one of chart and high scores."""

from __future__ import annotations

from armoon.messages import text
from armoon.screens.actions import Request
from armoon.screens.layout import HIGHEST_ROW, back_button, body_place, lines, page
from armoon.screens.pages.opening import look_at_scores, start_game, start_practice
from armoon.screens.pages.review import to_review
from armoon.screens.pages.table import leave_game, named_colour
from armoon.screens.pages.trials import start_trial, to_trials
from armoon.screens.state import Item, Plan, Reply, Screens, asking
from armoon.values.flex import GAP, REST, columns, grid, rows
from armoon.values.page import Rect, Widget, WidgetKind

#: Number of high scores that are shown.
MOST_SCORES = 5
#: Number of best guessers among the guests.
MOST_GUESSERS = 3
#: In a wide window the guessers stand beside the sentences, in the room of this many of them.
_LEAST_LINES = 4


def result(screens: Screens) -> Plan:
    """Who won and why the game ended; places, tears and figures of each; the highest ladder."""
    told = screens.result
    assert told is not None
    tall = screens.tall
    body = body_place(tall)
    words = tuple(line for line in (told.sentence, told.rank, *told.more, screens.picture) if line)
    said, rest, listed = _parted(screens, body, len(words))
    across = 1 if tall or len(told.lines) < 3 else 2
    places = grid(rest, len(told.lines), across, HIGHEST_ROW[tall], (0.03, 0.02)) if told.lines else []
    trial = screens.trial is not None
    team = screens.form.options.traits.together and not screens.practice and not trial
    scores = (
        Item(
            Widget(
                f"score {k}",
                WidgetKind.SCORE,
                place,
                f"{line.place}. {line.name}" if line.place else line.name,
                swatch=line.colour or named_colour(screens, line.name),
                value=line.note,
                tears=line.tears,
                chosen=line.winner,
                enabled=not line.out,
            )
        )
        for k, (place, line) in enumerate(zip(places, told.lines, strict=True))
    )
    return page(
        screens,
        text("screens.result.heading"),
        (*lines(said, words, "outcome", 1.0), *scores, *_guessers(screens, listed)),
        ("title", text("screens.result.title"), leave_game, True),
        *((("scores", text("screens.result.scores"), look_at_scores, True),) if team else ()),
        *((("trials", text("screens.result.trials"), to_trials, True),) if trial else ()),
        ("review", text("screens.result.review"), to_review, True),
        ("picture", text("screens.result.picture"), asking(Request.KEEP_PICTURE), not screens.picture),
        ("again", text("screens.result.again"), _again, True),
        veil=0.62,
        leave=leave_game,
        first="again",
        moon=True,
    )


def _parted(screens: Screens, body: Rect, sentences: int) -> tuple[Rect, Rect, Rect | None]:
    """Where the sentences stand, the players below them, and the best guessers of a party, where there are any."""
    if not screens.on_air.best:
        said, rest = rows(body, 0.105 * sentences + 0.01, REST, gap=GAP[1])
        return said, rest, None
    if not screens.tall:
        above, rest = rows(body, 0.105 * max(sentences, _LEAST_LINES) + 0.01, REST, gap=GAP[1])
        said, _, listed = columns(above, 0.62, 0.04, REST)
        return said, rest, listed
    said, rest = rows(body, 0.055 * sentences + 0.01, REST, gap=GAP[1])
    kept, _, listed = rows(rest, 0.70, 0.03, REST)
    return said, kept, listed


def _guessers(screens: Screens, area: Rect | None) -> tuple[Item, ...]:
    """Return the best guessers with their points."""
    if area is None:
        return ()
    best = screens.on_air.best[:MOST_GUESSERS]
    head, *places = grid(area, 1 + len(best), 1, HIGHEST_ROW[screens.tall], (0.0, 0.004))
    title = Widget("guessers", WidgetKind.TEXT, head, text("screens.result.guessers"), chosen=True)
    listed = (
        Widget(
            f"guesser {k}",
            WidgetKind.TEXT,
            place,
            text("screens.result.guesser", name=name, count=points),
        )
        for k, (place, (name, points)) in enumerate(zip(places, best, strict=True))
    )
    return (Item(title), *map(Item, listed))


def _again(screens: Screens) -> Reply:
    """Return the same game for the same party."""
    if screens.trial is not None:
        return start_trial(screens, screens.trial)
    return start_practice(screens) if screens.practice else start_game(screens)


def scores(screens: Screens) -> Plan:
    """Return the chart of ranks on one side, the best results on the other."""
    told, tall = screens.scores, screens.tall
    body = body_place(tall)
    left, _, right = rows(body, 0.46, 0.04, REST) if tall else columns(body, 0.35, 0.03, REST)
    chart = grid(left, len(told.chart), 1, HIGHEST_ROW[tall], (0.0, 0.008)) if told.chart else []
    best = told.best[:MOST_SCORES]
    listed = grid(right, len(best), 1, HIGHEST_ROW[tall], (0.0, 0.008)) if best else []
    ranks = (
        Widget(
            f"rank {least}",
            WidgetKind.TEXT,
            place,
            text("screens.scores.rank", points=least, rank=name),
            chosen=_reached(screens, least),
        )
        for place, (least, name) in zip(chart, told.chart, strict=True)
    )
    results = (
        Widget(
            f"best {k}",
            WidgetKind.SCORE,
            place,
            text("screens.scores.best", count=line.points, names=line.names),
            value=line.note,
        )
        for k, (place, line) in enumerate(zip(listed, best, strict=True))
    )
    none = () if best else lines(right, (text("screens.scores.none"),), "none", 0.2)
    items = (*map(Item, ranks), *map(Item, results), *none)
    return page(screens, text("screens.scores.heading"), items, back_button(), veil=0.72)


def _reached(screens: Screens, least: int) -> bool:
    """Whether it is the rank of the game that has just ended."""
    points = None if screens.result is None else screens.result.score
    reached = [one for one, _ in screens.scores.chart if points is not None and one <= points]
    return bool(reached) and least == max(reached)
