"""How the happenings of a moon match look as lines of a log: plain dictionaries, every float with all its bits."""

from __future__ import annotations

from armoon.codec import encode
from armoon.engine.intake import Record
from armoon.games.moon.codec import move_to_plain
from armoon.games.moon.figures_made import Made
from armoon.games.moon.referee.events import Event, Rolled
from armoon.games.moon.rules.moves import Move
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Verdict
from armoon.values.facts import Facts
from armoon.values.pieces import PieceId


def facts_key(facts: Facts) -> object:
    """What of the facts is worth a line when it changes."""
    return (
        facts.held,
        facts.held_frozen,
        facts.held_waits,
        facts.at_rest,
        tuple((p.piece, p.status) for p in facts.pieces),
        tuple((c.a, c.b) for c in facts.contacts),
    )


def facts_record(tick: int, facts: Facts) -> Record:
    """Who is where and touches whom, after a change."""
    return {
        "kind": "facts",
        "tick": tick,
        "held": facts.held,
        "frozen": facts.held_frozen,
        **({"waits": True} if facts.held_waits else {}),
        "at_rest": facts.at_rest,
        "pieces": [[p.piece, p.status.value, p.lowest_m, p.highest_m] for p in facts.pieces],
        "contacts": [[c.a, c.b, c.distance_m] for c in facts.contacts],
    }


def event_record(tick: int, event: Event, state: State) -> Record:
    """The die, or another happening by its name."""
    if isinstance(event, Rolled):
        return {
            "kind": "die",
            "tick": tick,
            "player": state.players[event.player],
            "die": event.die.value,
        }
    return {"kind": "event", "tick": tick, "event": type(event).__name__, **encode(event)}


def move_record(tick: int, move: Move) -> Record:
    """A move of the game: all of them, applied in their order, give the game again without its hands."""
    return {"kind": "move", "tick": tick, **move_to_plain(move)}


def hint_record(tick: int, player: str) -> Record:
    """Who asked where the ladder would hold."""
    return {"kind": "hint", "tick": tick, "player": player}


def place_record(tick: int, player: str, rank: int) -> Record:
    """Whose ladder the house's hand carries, to which of the places that were offered (0: freely)."""
    return {"kind": "place", "tick": tick, "player": player, "rank": rank}


def grace_record(tick: int, ladder: PieceId) -> Record:
    """The hand stayed away for longer than the grace time: its ladder is back in the lid (ruling X2)."""
    return {"kind": "grace", "tick": tick, "ladder": ladder}


def figures_record(tick: int, made: Made, state: State) -> Record:
    """The figures that a placed ladder makes."""
    return {
        "kind": "figures",
        "tick": tick,
        "turn": made.turn,
        "player": state.players[made.player],
        "ladder": made.piece,
        "figures": [[figure.kind.value, list(figure.others)] for figure in made.figures],
    }


def verdict_record(tick: int, verdict: Verdict, state: State) -> Record:
    """A verdict with its evidence (ruling X3)."""
    return {
        "kind": "verdict",
        "tick": tick,
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
        "tally": dict(zip(state.players, state.tears, strict=True)),
        "fallen": encode(verdict.fallen),
        "removed": list(verdict.removed),
        "stood_back": list(verdict.stood_back),
    }


def poses_record(tick: int, facts: Facts) -> Record:
    """Where every body is, to the last bit."""
    return {
        "kind": "poses",
        "tick": tick,
        "poses": {p.piece: [*p.pose.position, *p.pose.rotation] for p in facts.pieces},
    }


def end_record(tick: int, state: State) -> Record:
    """The last line: how the game stood when it was closed."""
    return {
        "kind": "end",
        "tick": tick,
        "over": state.over,
        "ending": None if state.ending is None else state.ending.value,
        "tally": dict(zip(state.players, state.tears, strict=True)),
    }
