"""How a game ended, and a team's results: the page of the result, and the one of chart and high scores."""

from __future__ import annotations

from armoon.messages import text
from armoon.screens.actions import KeepPicture
from armoon.screens.layout import GAP, HIGHEST_ROW, back_button, body_place, foot, grid, heading, lines
from armoon.screens.pages.opening import look_at_scores, start_game, start_practice
from armoon.screens.pages.review import to_review
from armoon.screens.pages.table import leave_game, named_colour
from armoon.screens.pages.trials import start_trial, to_trials
from armoon.screens.state import Item, Plan, Reply, Screens, asking, go_back
from armoon.values.page import Rect, Widget, WidgetKind

#: So many high scores are shown.
MOST_SCORES = 5
#: Of the guests who guessed best, so many.
MOST_GUESSERS = 3
#: In a wide window the guessers stand beside the sentences, in the room of so many of them.
_LEAST_LINES = 4


def result(screens: Screens) -> Plan:
    """Who won and why the game ended; places, tears and figures of each; the highest ladder."""
    told = screens.result
    assert told is not None
    tall = screens.tall
    body = body_place(tall)
    words = tuple(line for line in (told.sentence, told.rank, *told.more, screens.picture) if line)
    said, rest, listed = _parted(screens, body, len(words))
    columns = 1 if tall or len(told.lines) < 3 else 2
    places = grid(rest, len(told.lines), columns, HIGHEST_ROW[tall], (0.03, 0.02)) if told.lines else []
    trial = screens.trial is not None
    team = screens.form.options.together and not screens.practice and not trial
    return Plan(
        (
            heading(screens, text("screens.result.heading")),
            *lines(said, words, "outcome", 1.0),
            *(
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
            ),
            *_guessers(screens, listed),
            *foot(
                screens,
                ("title", text("screens.result.title"), leave_game, True),
                *((("scores", text("screens.result.scores"), look_at_scores, True),) if team else ()),
                *((("trials", text("screens.result.trials"), to_trials, True),) if trial else ()),
                ("review", text("screens.result.review"), to_review, True),
                ("picture", text("screens.result.picture"), asking(KeepPicture()), not screens.picture),
                ("again", text("screens.result.again"), _again, True),
            ),
        ),
        veil=0.62,
        leave=leave_game,
        first="again",
        moon=True,
    )


def _parted(screens: Screens, body: Rect, sentences: int) -> tuple[Rect, Rect, Rect | None]:
    """Where the sentences stand, the players below them, and the best guessers of a party, where there are any."""
    if not screens.on_air.best:
        said = Rect(body.x, body.y, body.width, body.height * (0.105 * sentences + 0.01))
        return said, _below(said, body), None
    if not screens.tall:
        high = body.height * (0.105 * max(sentences, _LEAST_LINES) + 0.01)
        said = Rect(body.x, body.y, body.width * 0.62, high)
        listed = Rect(body.x + body.width * 0.66, body.y, body.width * 0.34, high)
        return said, _below(said, body), listed
    said = Rect(body.x, body.y, body.width, body.height * (0.055 * sentences + 0.01))
    rest = _below(said, body)
    kept = Rect(rest.x, rest.y, rest.width, rest.height * 0.70)
    return said, kept, Rect(rest.x, rest.y + rest.height * 0.73, rest.width, rest.height * 0.27)


def _below(said: Rect, body: Rect) -> Rect:
    top = said.y + said.height + GAP[1]
    return Rect(body.x, top, body.width, body.y + body.height - top)


def _guessers(screens: Screens, area: Rect | None) -> tuple[Item, ...]:
    """The best guessers with their points."""
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
    """The same game for the same party."""
    if screens.trial is not None:
        return start_trial(screens, screens.trial)
    return start_practice(screens) if screens.practice else start_game(screens)


def scores(screens: Screens) -> Plan:
    """The chart of ranks on one side, the best results on the other."""
    told, tall = screens.scores, screens.tall
    body = body_place(tall)
    if tall:
        left = Rect(body.x, body.y, body.width, body.height * 0.46)
        right = Rect(body.x, body.y + body.height * 0.50, body.width, body.height * 0.50)
    else:
        left = Rect(body.x, body.y, body.width * 0.35, body.height)
        right = Rect(body.x + body.width * 0.38, body.y, body.width * 0.62, body.height)
    chart = grid(left, len(told.chart), 1, HIGHEST_ROW[tall], (0.0, 0.008)) if told.chart else []
    best = told.best[:MOST_SCORES]
    rows = grid(right, len(best), 1, HIGHEST_ROW[tall], (0.0, 0.008)) if best else []
    return Plan(
        (
            heading(screens, text("screens.scores.heading")),
            *(
                Item(
                    Widget(
                        f"rank {least}",
                        WidgetKind.TEXT,
                        place,
                        text("screens.scores.rank", points=least, rank=name),
                        chosen=_reached(screens, least),
                    )
                )
                for place, (least, name) in zip(chart, told.chart, strict=True)
            ),
            *(
                Item(
                    Widget(
                        f"best {k}",
                        WidgetKind.SCORE,
                        place,
                        text("screens.scores.best", count=line.points, names=line.names),
                        value=line.note,
                    )
                )
                for k, (place, line) in enumerate(zip(rows, best, strict=True))
            ),
            *(() if best else lines(right, (text("screens.scores.none"),), "none", 0.2)),
            *foot(screens, back_button()),
        ),
        veil=0.72,
        leave=go_back,
    )


def _reached(screens: Screens, least: int) -> bool:
    """Whether it is the rank of the game that has just ended."""
    points = None if screens.result is None else screens.result.score
    reached = [one for one, _ in screens.scores.chart if points is not None and one <= points]
    return bool(reached) and least == max(reached)
