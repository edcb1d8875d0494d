"""The moon's events as lines of a log: plain dictionaries, every float with all its bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from armoon.codec import encode
from armoon.engine.events import Closed, Happened
from armoon.engine.intake import Record
from armoon.engine.records import records_of
from armoon.games.moon.figures.figure import Figures
from armoon.games.moon.referee.events import Rolled
from armoon.games.moon.rules.moves import Move
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Verdict
from armoon.games.moon.table.events import FactsChanged, GraceOver, Hinted, PlaceChosen, Stood
from armoon.games.moon.table.records import MOVES


def moon_records(happened: Happened[Any]) -> Iterator[Record]:
    """Yield the lines of an event."""
    kind, fields = _line(happened.event, happened.state)
    if kind:
        yield {"kind": kind, "tick": happened.tick, **fields}
    else:
        yield from records_of(happened)


def _line(event: object, state: State) -> tuple[str, Record]:
    """Return an event's kind and fields; no kind: it has no line of its own."""
    names = state.players
    match event:
        case Rolled(player, die):
            return "die", {"player": names[player], "die": die.value}
        case Hinted(player):
            return "hint", {"player": names[player]}
        case PlaceChosen(player, rank):
            return "place", {"player": names[player], "rank": rank}
        case GraceOver(ladder):
            return "grace", {"ladder": ladder}
        case FactsChanged(facts):
            return "facts", {
                "held": facts.held,
                "frozen": facts.held_frozen,
                **({"waits": True} if facts.held_waits else {}),
                "at_rest": facts.at_rest,
                "pieces": [[p.piece, p.status.value, p.lowest_m, p.highest_m] for p in facts.pieces],
                "contacts": [[c.a, c.b, c.distance_m] for c in facts.contacts],
            }
        case Stood(facts):
            return "poses", {"poses": {p.piece: [*p.pose.position, *p.pose.rotation] for p in facts.pieces}}
        case Figures(turn, player, ladder, figures):
            told = [[figure.kind.value, list(figure.others)] for figure in figures]
            return "figures", {"turn": turn, "player": names[player], "ladder": ladder, "figures": told}
        case Verdict():
            return "verdict", _verdict(event, state)
        case Closed():
            ending = None if state.ending is None else state.ending.value
            return "end", {"over": state.over, "ending": ending, "tally": _tally(state)}
        case Move():
            return "move", MOVES.encode(event)
    return "", {}


def _verdict(verdict: Verdict, state: State) -> Record:
    """Return a verdict with its evidence (ruling X3)."""
    return {
        "turn": verdict.turn,
        "player": state.players[verdict.player],
        "die": None if verdict.die is None else verdict.die.value,
        "ok": verdict.ok,
        "ruling": verdict.ruling,
        "rulings": list(verdict.rulings),
        "reason": verdict.reason.value,
        "ladder": verdict.ladder,
        "touched": list(verdict.touched),
        "height_m": verdict.height_m,
        "rival": verdict.rival,
        "rival_m": verdict.rival_m,
        "charged": None if verdict.charged is None else state.players[verdict.charged],
        "tears": verdict.tears,
        "tally": _tally(state),
        "fallen": encode(verdict.fallen),
        "removed": list(verdict.removed),
        "stood_back": list(verdict.stood_back),
    }


def _tally(state: State) -> Record:
    return dict(zip(state.players, state.tears, strict=True))
