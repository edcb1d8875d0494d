"""Bots of several strengths for the lake game: a move for every position, the same one every time."""

from __future__ import annotations

from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import TypeVar

from armoon.games.lake.bots.search import Search
from armoon.games.lake.rules.game import apply, legal
from armoon.games.lake.rules.moves import Choose, Move
from armoon.games.lake.rules.ring import carries, landing
from armoon.games.lake.rules.scoring import points
from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.strength import Strength
from armoon.games.lake.rules.values import Colour, Phase
from armoon.games.shared.chance import shuffled

#: Nodes that the strongest bot may spend on a move, so that it takes less than 2 s on a slow laptop: at the start
#: of a game, when they cost most, a shared core of a small server took 20,000 of them in 1.0 to 1.1 s.
STRONG_NODES = 16_000
#: Plies that a bot looks ahead; the strongest as many as its nodes allow, the weak one doesn't search.
PLIES = {Strength.MIDDLE: 2}

_Thing = TypeVar("_Thing")


def choose(state: State, strength: Strength, nodes: int = STRONG_NODES) -> Move:
    """Return the bot's move for the player on turn, who must have one; ``nodes`` bounds the strongest bot's search."""
    if state.phase is Phase.CHOOSE:
        return _colour(state, strength)
    if state.phase is Phase.SPLIT:
        return _split(state, strength)
    if strength is Strength.WEAK:
        return _any(state, legal(state)) if _any(state, (True, False)) else Search(state).gains()[0][1]
    deepest = nodes if strength is Strength.STRONG else PLIES[strength]
    return Search(state).best(nodes, deepest).carry


def think(pipe: Connection) -> None:
    """Answer positions until the pipe ends; here, where the process that thinks needs no table."""
    while True:
        state, strength = pipe.recv()
        pipe.send((state, choose(state, strength)))


def _any(state: State, things: Sequence[_Thing]) -> _Thing:
    """One of the things, by the game's seed, the turn and how many things there are."""
    order = shuffled(state.seed, [str(at) for at in range(len(things))], f"bot:{state.turn}:{len(things)}")
    return things[int(order[0])]


def _colour(state: State, strength: Strength) -> Choose:
    """Return the colour that can move most and is landed on least; a weak bot takes any."""
    free = state.free_colours
    return Choose(
        _any(state, free) if strength is Strength.WEAK else max(free, key=lambda c: _freedom(state, c))
    )


def _freedom(state: State, colour: Colour) -> int:
    """Return the carries of a colour less those that land on it."""
    freedom = 0
    for carry in carries(state.stars, tuple(Colour)):
        target = landing(state.stars, carry.star, carry.direction)
        assert target is not None  # it is legal
        freedom += state.stars[carry.star][-1].colour is colour
        freedom -= state.stars[target][-1].colour is colour
    return freedom


def _split(state: State, strength: Strength) -> Move:
    """Return the split after which the lead over the best of the others is greatest; a weak bot takes any."""
    splits = legal(state)
    return _any(state, splits) if strength is Strength.WEAK else max(splits, key=lambda s: _lead(state, s))


def _lead(state: State, move: Move) -> tuple[int, int]:
    """Return the lead over the best of the others after a move, and then over all of them together."""
    after = points(apply(state, move))
    own = after[state.player]
    others = [sum_ for seat, sum_ in enumerate(after) if seat != state.player]
    return own - max(others), -sum(others)
