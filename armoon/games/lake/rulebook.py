"""The lake game's rules for its players: screens of sentences with pictures."""

from __future__ import annotations

from functools import partial

from armoon.games.lake import pictures
from armoon.games.lake.rules.values import COLOURS_EACH, PAWNS_OF_A_KIND, STARS, STRENGTHS
from armoon.games.shared.rulebook import Moving, RuleBook, RuleScreen, RuleStep
from armoon.messages import text

#: What is counted in the picture of the points, as its sentence says it.
_EXAMPLES = {
    f"{which}_{what}": value
    for which, domes in zip(("tower", "stack", "single"), pictures.EXAMPLES, strict=True)
    for what, value in (
        ("floors", len(domes)),
        ("strength", int(domes[-1][1])),
        ("points", len(domes) * int(domes[-1][1])),
    )
}


def rulebook(players: int | None = None) -> RuleBook:
    parties = (players,) if players in COLOURS_EACH else tuple(sorted(COLOURS_EACH))
    neutral = 3 in parties
    return RuleBook(
        "",
        (
            _screen(
                "lake",
                _step("begins", pictures.begins, number=STARS),
                _step("strengths", pictures.strengths, most=max(STRENGTHS), each=PAWNS_OF_A_KIND),
                *(_step(*_COLOURS[count]) for count in parties),
                _step("order", pictures.order),
            ),
            _screen(
                "move",
                _step("lifting", pictures.lifting),
                _step("carrying", pictures.carrying),
                _step("both_ways", pictures.both_ways),
            ),
            _screen("forbidden", _step("nowhere", pictures.nowhere), _step("twice", pictures.twice)),
            _screen("tower", _step("tower", pictures.tower), *(_step(*_TOWERS[count]) for count in parties)),
            _screen(
                "end",
                _step("no_move", pictures.no_move),
                _step("points", pictures.points, **_EXAMPLES),
                _step("whose", pictures.whose),
                *((_step("neutral_top", pictures.neutral_top),) if neutral else ()),
                _step("winner", pictures.winner),
            ),
        ),
    )


def _step(name: str, picture: Moving, **fields: object) -> RuleStep:
    return RuleStep(name, text(f"rules.lake.{name}", **fields), picture)


def _screen(name: str, *steps: RuleStep) -> RuleScreen:
    return RuleScreen(name, text(f"rules.lake.heading.{name}"), steps)


#: By the number of players: the step's name and its picture.
_COLOURS: dict[int, tuple[str, Moving]] = {
    2: ("colours_two", partial(pictures.colours, ("AJ", "RS"))),
    3: ("colours_three", partial(pictures.colours, ("A", "J", "R"), neutral="S")),
    4: ("colours_four", partial(pictures.colours, ("A", "J", "R", "S"))),
}
_TOWERS: dict[int, tuple[str, Moving]] = {
    2: ("tower_two", pictures.kept_whole),
    3: ("tower_three", partial(pictures.split, 3)),
    4: ("tower_four", partial(pictures.split, 4)),
}
