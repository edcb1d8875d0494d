"""Reads and plays the moon game's playthroughs: text files with an event and its expected results on each line.

The header, up to ``---``, configures the game: ``rulings``, ``edition``, ``players``, and options by name. Then
each line is ``event`` or ``event => expectation; expectation``. Expectations:

* ``F1 too_many``: the verdict's deciding ruling and reason; required if the event leads to a verdict
* ``refused structure_moving``: the event is illegal, for that reason
* ``pays Ana`` or ``pays nobody``; ``tears 1 0 left 6``; ``next Ben``; ``phase hold``
* ``out Ana tear_limit``; ``final Ana Cleo``; ``ladders 3`` (left in the supply); ``standing 2`` (placed)
* ``over last_tear``; ``wins Ana Ben``; ``by E5``; ``score 4``; ``rulings T4 F2`` (all of the verdict's)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from armoon.games.moon import turn as moves
from armoon.games.moon.editions import (
    Die,
    DieSource,
    Extent,
    FallPlace,
    IllegalMove,
    Mode,
    MoonRefusal,
    OnTimeout,
    Options,
    Reason,
    make_trial_options,
)
from armoon.games.moon.rules import apply_move, create_state
from armoon.games.moon.trials import find_task
from armoon.games.moon.turn import State, find_outcome
from armoon.options.kinds import Handicaps
from armoon.values.acts import Act
from armoon.values.choices import OneHand
from support.playthrough import Step, read_steps

FOLDER = Path(__file__).parents[1] / "playthroughs"
SIMPLE: dict[str, moves.Move] = {
    "take": moves.Take(),
    "put-back": moves.PutBack(),
    "let-go": moves.LetGo(),
    "rest": moves.Rest(),
    "rebuild": moves.Rebuild(),
    "two-hands": moves.TwoHands(),
    "timeout": moves.Timeout(),
    "give-up": moves.GiveUp(),
    "share": moves.Share(),
}
OVERRULES = {"give": Act.GIVE_TEAR_BACK, "add": Act.ADD_TEAR}
#: Extents (bottom, top), in metres, of ladders that score 3, 1 and 0 points with the line at 1 m.
MARKS = {"wholly": (1.1, 1.2), "partly": (0.9, 1.1), "below": (0.5, 1.0)}
HEIGHTS = {"high": 0.3, "level": 0.2, "low": 0.1}
READERS: dict[str, Any] = {
    "mode": Mode,
    "one_hand": OneHand,
    "on_timeout": OnTimeout,
    "die": DieSource,
    "tears": int,
    "two_player_limit": int,
    "supply_size": int,
    "turn_limit_s": float,
    "handicaps": lambda text: Handicaps().read(Handicaps().parse_argument(text)),
    "young_climbers": lambda text: text == "yes",
}


@dataclass(frozen=True)
class Playthrough:
    name: str
    rulings: tuple[str, ...]
    first: State
    steps: tuple[Step, ...]


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.txt"))


def read_playthrough(path: Path) -> Playthrough:
    head, steps = read_steps(path)
    rulings = tuple(head.pop("rulings").split())
    players = tuple(head.pop("players").split())
    edition = head.pop("edition")
    first_player = int(head.pop("first_player", "0"))
    if "trial" in head:
        options = make_trial_options(find_task(head["trial"]))
    else:
        options = Options(**{"die": DieSource.REAL, **{k: READERS[k](v) for k, v in head.items()}})
    first = create_state(players, edition, 1, options, first_player=first_player)
    return Playthrough(path.stem, rulings, first, steps)


def parse_moves(event: str, state: State) -> Iterator[moves.Move]:
    name, *rest = event.split()
    if name in SIMPLE:
        yield SIMPLE[name]
    elif name == "roll":
        yield moves.Roll(Die(rest[0]))
    elif name == "draw":
        yield moves.Draw(state.supply[0])
    elif name in ("hold", "release", "play"):
        yield from (moves.Roll(Die(rest[0])), moves.Draw(state.supply[0]), moves.Take())
        if name != "hold":
            yield moves.LetGo()
        if name == "play":
            yield _parse_settle(rest[1:], state)
    elif name == "settle":
        yield _parse_settle(rest, state)
    elif name == "fall":
        places = [place.value for place in FallPlace]
        onto = FallPlace(rest[-1] if rest[-1] in places else "table")
        ladders = (_find(p, state) for p in rest if p not in places)
        yield moves.Fall(tuple(moves.FallenPiece(ladder, onto) for ladder in ladders))
    elif name == "score":
        marks = [*rest, *["below"] * (len(state.structure) - len(rest))]
        yield moves.Score(
            1.0, tuple(Extent(p, *MARKS[m]) for p, m in zip(state.structure, marks, strict=True))
        )
    elif event.startswith("overrule back"):
        yield moves.Overrule(Act.UNDO, turns=int(rest[1]))
    elif name == "overrule":
        yield moves.Overrule(OVERRULES[rest[0]], player=state.players.index(rest[1]))
    else:
        raise ValueError(f"no such event: {event}")


def _parse_settle(words: list[str], state: State) -> moves.Settle:
    height = HEIGHTS[words[1] if len(words) > 1 else "low"]
    return moves.Settle(state.structure[: int(words[0])], height, state.structure[0], HEIGHTS["level"])


def _find(word: str, state: State) -> str:
    """Return the ladder of a word: ``held`` (this turn's), ``#2`` (second placed) or ``S1`` (first starting)."""
    if word == "held":
        assert state.ladder is not None
        return state.ladder
    return state.placed[int(word[1:]) - 1] if word[0] == "#" else state.starting[int(word[1:]) - 1]


@dataclass
class MoonCitations:
    """Rulings of verdicts and outcomes, reasons of verdicts, and refusals that occurred in the playthroughs."""

    rulings: set[str] = field(default_factory=set)
    reasons: set[Reason] = field(default_factory=set)
    refusals: set[MoonRefusal] = field(default_factory=set)


def play_through(game: Playthrough, citations: MoonCitations | None = None) -> tuple[State, list[moves.Move]]:
    state, log, citations = game.first, [], citations or MoonCitations()
    for step in game.steps:
        where = f"{game.name} line {step.number}: {step.event}"
        refused = None
        try:
            for move in parse_moves(step.event, state):
                state = apply_move(state, move)
                log.append(move)
                if state.verdict is not None:
                    citations.rulings.update(state.verdict.rulings)
                    citations.reasons.add(state.verdict.reason)
        except IllegalMove as error:
            refused = error.refusal.value
            citations.refusals.add(error.refusal)
        if (result := find_outcome(state)) is not None:
            citations.rulings.add(result.ruling)
        expected = dict(_split(step.expected))
        assert expected.pop("refused", None) == refused, f"{where}: refused {refused}"
        if state.verdict is not None and refused is None:
            verdict = f"{state.verdict.ruling} {state.verdict.reason.value}"
            assert expected.pop("verdict", None) == verdict, f"{where}: {verdict}"
        for kind, wanted in expected.items():
            assert _describe(kind, state) == wanted, f"{where}: {kind} is {_describe(kind, state)!r}"
    return state, log


def _split(expected: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for text in expected:
        kind, _, rest = text.partition(" ")
        yield ("verdict", text) if kind[0].isupper() else (kind, rest)


def _describe(kind: str, state: State) -> str | None:
    names = state.players
    result = find_outcome(state)
    verdict = state.verdict
    if kind == "pays":
        return "nobody" if verdict is None or verdict.charged is None else names[verdict.charged]
    if kind == "tears":
        return " ".join([*map(str, state.tears), "left", str(state.tears_left)])
    if kind == "out":
        return " ".join(f"{names[s]} {why.value}" for s, why in enumerate(state.out) if why is not None)
    if kind == "final":
        return " ".join(names[s] for s in state.seats_in_game) if state.is_final else None
    values = {
        "next": names[state.player],
        "phase": state.phase.value,
        "ladders": str(len(state.supply)),
        "standing": str(len(state.placed)),
        "over": None if result is None else result.ending.value,
        "wins": None if result is None else " ".join(names[s] for s in result.winners),
        "by": None if result is None else result.ruling,
        "score": None if result is None else str(result.score),
        "rulings": None if verdict is None else " ".join(verdict.rulings),
    }
    return values[kind]


def key(state: State) -> State:
    return dataclasses.replace(state, verdict=None)


def refusal_of(state: State, move: moves.Move) -> MoonRefusal:
    with pytest.raises(IllegalMove) as refused:
        apply_move(state, move)
    return refused.value.refusal
