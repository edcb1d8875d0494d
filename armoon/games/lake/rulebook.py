"""The lake game's rules for its players: screens of sentences with pictures."""

from __future__ import annotations

from functools import partial

from armoon.games.lake.pictures import play
from armoon.games.lake.rules.state import COLOURS_EACH
from armoon.games.lake.rules.values import PAWNS_OF_A_KIND, STARS, STRENGTHS
from armoon.games.shared.rulebook import Moving, RuleBook, RuleScreen, RuleStep
from armoon.messages import text

#: What is counted in the picture of the points, as its sentence says it.
_EXAMPLES = {
    f"{which}_{what}": value
    for which, domes in zip(("tower", "stack", "single"), play.EXAMPLES, strict=True)
    for what, value in (
        ("floors", len(domes)),
        ("strength", int(domes[-1][1])),
        ("points", len(domes) * int(domes[-1][1])),
    )
}


def rulebook(players: int | None = None) -> RuleBook:
    """Return the rules for this many players; for any party, where it isn't known yet."""
    parties = (players,) if players in COLOURS_EACH else tuple(sorted(COLOURS_EACH))
    neutral = 3 in parties
    return RuleBook(
        "",
        (
            _screen(
                "lake",
                _step("begins", play.begins, number=STARS),
                _step("strengths", play.strengths, most=max(STRENGTHS), each=PAWNS_OF_A_KIND),
                *(_step(*_COLOURS[count]) for count in parties),
                _step("order", play.order),
            ),
            _screen(
                "move",
                _step("lifting", play.lifting),
                _step("carrying", play.carrying),
                _step("both_ways", play.both_ways),
            ),
            _screen("forbidden", _step("nowhere", play.nowhere), _step("twice", play.twice)),
            _screen(
                "tower",
                _step("tower", play.tower),
                *(_step(*_TOWERS[count]) for count in parties),
            ),
            _screen(
                "end",
                _step("no_move", play.no_move),
                _step("points", play.points, **_EXAMPLES),
                _step("whose", play.whose),
                *((_step("neutral_top", play.neutral_top),) if neutral else ()),
                _step("winner", play.winner),
            ),
        ),
    )


def _step(name: str, picture: Moving, **fields: object) -> RuleStep:
    return RuleStep(name, text(f"rules.lake.{name}", **fields), picture)


def _screen(name: str, *steps: RuleStep) -> RuleScreen:
    return RuleScreen(name, text(f"rules.lake.heading.{name}"), steps)


#: By the number of players: the step's name and its picture.
_COLOURS: dict[int, tuple[str, Moving]] = {
    2: ("colours_two", partial(play.colours, ("AJ", "RS"))),
    3: ("colours_three", partial(play.colours, ("A", "J", "R"), neutral="S")),
    4: ("colours_four", partial(play.colours, ("A", "J", "R", "S"))),
}
_TOWERS: dict[int, tuple[str, Moving]] = {
    2: ("tower_two", play.kept_whole),
    3: ("tower_three", partial(play.split, 3)),
    4: ("tower_four", partial(play.split, 4)),
}
