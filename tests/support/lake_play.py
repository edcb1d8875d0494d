"""Reads and plays the lake's playthroughs: text files with one move and its expected result per line.

The header, up to ``---``, contains ``rulings``, ``players`` and either ``seed`` and ``first_chooser`` or a starting
position: ``stars`` (``5:A3J1``, bottom pawn first; all other stars are empty), ``colours`` (``Ana:amber,ruby``) and
``player``. Stars are numbered from 0. Then each line is ``move`` or ``move => expectation; expectation``. Moves:
``choose amber``, ``carry 5 2 cw``, ``split top Ben``, ``take-back 1``, and ``drop 5 2 7``, which drops two floors of
star 5 on star 7. Expectations:

* ``refused colour_twice``: the move is illegal, for this reason
* ``next Ben``; ``phase split``; ``moves 12`` (how many are legal); ``at 7 A3J1``; ``empty 5``
* ``colours Ana amber,ruby``; ``neutral jade``; ``holds Ana A3J1R2S4 R1S2``; ``points 12 0``
* ``over no_move``; ``wins Ana Ben``; ``by L7``
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path

from armoon.games.lake.rules import (
    PAWNS,
    STARS,
    Carry,
    Choose,
    Colour,
    Direction,
    Half,
    IllegalLakeMove,
    LakePhase,
    LakeRefusal,
    LakeState,
    Move,
    Split,
    Stack,
    TakeBack,
    apply_move,
    count_points,
    create_state,
    find_outcome,
    legal_moves,
    plan_drop,
)
from support.playthrough import Step, read_steps

FOLDER = Path(__file__).parents[1] / "playthroughs" / "lake"
WAYS = {"cw": Direction.CLOCKWISE, "ccw": Direction.COUNTER_CLOCKWISE}
_PAWNS = {str(pawn): pawn for pawn in PAWNS}


def format_stack(stack: Stack) -> str:
    """Return a stack as a string, bottom pawn first: ``A3J1``, or ``-`` for an empty star."""
    return "".join(map(str, stack)) or "-"


def parse_stack(text: str) -> Stack:
    pawns = text.removeprefix("-")
    return tuple(_PAWNS[pawns[start : start + 2]] for start in range(0, len(pawns), 2))


@dataclass(frozen=True)
class Playthrough:
    name: str
    rulings: tuple[str, ...]
    first: LakeState
    steps: tuple[Step, ...]
    whole: bool
    """Whether the playthrough begins with the set-up, so that a log can contain all moves."""


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.txt"))


def read_playthrough(path: Path) -> Playthrough:
    head, steps = read_steps(path)
    names = head["players"].split()
    first = create_state(names, int(head.get("seed", "0")), first_chooser=int(head.get("first_chooser", "0")))
    if "stars" in head:
        colours = dict(words.split(":") for words in head["colours"].split())
        owned = tuple(tuple(map(Colour, colours[name].split(","))) for name in names)
        first = make_position(names, head["stars"], owned, names.index(head.get("player", names[0])))
    return Playthrough(path.stem, tuple(head["rulings"].split()), first, steps, "stars" not in head)


def make_position(
    names: list[str] | tuple[str, ...], stars: str, colours: tuple[tuple[Colour, ...], ...], player: int = 0
) -> LakeState:
    """Return a position in mid-game; only the given stars hold pawns."""
    stacks = dict(words.split(":") for words in stars.split())
    layout = tuple(parse_stack(stacks.get(str(star), "-")) for star in range(STARS))
    return dataclasses.replace(
        create_state(names), stars=layout, colours=colours, player=player, phase=LakePhase.CARRY, turn=1
    )


def parse_move(event: str, state: LakeState) -> Move | LakeRefusal:
    name, *rest = event.split()
    if name == "choose":
        return Choose(Colour(rest[0]))
    if name == "carry":
        return Carry(int(rest[0]), int(rest[1]), WAYS[rest[2]])
    if name == "split":
        return Split(Half(rest[0]), state.players.index(rest[1]))
    if name == "take-back":
        return TakeBack(int(rest[0]))
    assert name == "drop", event
    return plan_drop(state, *map(int, rest))


#: Ruling behind each refusal that has one.
REFUSED_BY = {
    LakeRefusal.NOT_YOURS: "L3",
    LakeRefusal.LANDS_ON_EMPTY: "L3",
    LakeRefusal.WRONG_DISTANCE: "L3",
    LakeRefusal.TOO_FEW_STARS: "L4",
    LakeRefusal.LEFT_HERE: "L4",
    LakeRefusal.COLOUR_TWICE: "L5",
    LakeRefusal.NO_SUCH_HEIR: "L6",
}


@dataclass
class LakeCitations:
    """Rulings and refusals that occurred in the playthroughs."""

    rulings: set[str] = field(default_factory=set)
    refusals: set[LakeRefusal] = field(default_factory=set)


def play_through(game: Playthrough, citations: LakeCitations | None = None) -> tuple[LakeState, list[Move]]:
    state, log, citations = game.first, [], citations or LakeCitations()
    for step in game.steps:
        where = f"{game.name} line {step.number}: {step.event}"
        move = parse_move(step.event, state)
        refused = move if isinstance(move, LakeRefusal) else None
        if not isinstance(move, LakeRefusal):
            try:
                state = apply_move(state, move)
                log.append(move)
            except IllegalLakeMove as error:
                refused = error.refusal
        if refused is not None:
            citations.refusals.add(refused)
            citations.rulings |= {REFUSED_BY[refused]} if refused in REFUSED_BY else set()
        if (result := find_outcome(state)) is not None:
            citations.rulings.add(result.ruling)
        for text in step.expected:
            kind, _, wanted = text.partition(" ")
            if kind != "refused":
                measured = describe_state(kind, wanted, state)
                assert measured == wanted, f"{where}: {kind} is {measured!r}"
        reason = next((text.partition(" ")[2] for text in step.expected if text.startswith("refused")), None)
        assert reason == (refused.value if refused else None), f"{where}: refused {refused}"
    return state, log


def describe_state(kind: str, wanted: str, state: LakeState) -> str | None:
    result = find_outcome(state)
    first = wanted.split()[0] if wanted else ""
    if kind == "at":
        return f"{first} {format_stack(state.stars[int(first)])}"
    if kind == "empty":
        return first if not state.stars[int(first)] else None
    if kind == "colours":
        return f"{first} {','.join(c.value for c in state.colours[state.players.index(first)])}"
    if kind == "holds":
        parts = state.held[state.players.index(first)]
        return " ".join([first, *(format_stack(pawns) for pawns, _ in parts)])
    values = {
        "next": state.players[state.player],
        "phase": state.phase.value,
        "moves": str(len(legal_moves(state))),
        "neutral": None if state.neutral is None else state.neutral.value,
        "points": " ".join(map(str, count_points(state))),
        "over": None if result is None else result.ending.value,
        "wins": None if result is None else " ".join(state.players[seat] for seat in result.winners),
        "by": None if result is None else result.ruling,
    }
    return values[kind]
