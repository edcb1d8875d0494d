"""The actions of the host's page."""

from __future__ import annotations

from armoon.codec import MalformedError
from armoon.party.server.bodies import Do
from armoon.party.server.lines import Wish
from armoon.party.server.room import Room
from armoon.party.votes.ballots import Question
from armoon.values.acts import Act

_WISHES = {act.word: act for act in (Act.PAUSE, Act.RESUME, Act.UNDO, Act.GIVE_TEAR_BACK, Act.ADD_TEAR)}
#: Number of seats; later ones are empty.
MOST_SEATS = 12


def do(room: Room, asked: Do) -> bool:
    """Apply it; return whether there was anything to do. Raises MalformedError for unknown names."""
    if asked.what in _WISHES:
        if not 0 <= asked.value < MOST_SEATS:
            raise MalformedError("`value`: no seat")
        room.wish(Wish(_WISHES[asked.what], asked.value))
        return True
    done = _vote(room, asked)
    room.changed()
    return done


def _vote(room: Room, asked: Do) -> bool:
    ballots = room.ballots
    match asked.what:
        case "ask":
            question = _question(asked.name)
            if not room.may(question):
                return False
            room.ask(question)
        case "close":
            if ballots.ballot is None or not ballots.ballot.open:
                return False
            room.close()
        case "clear":
            ballots.clear()
        case "allow":
            room.allowed.add(_question(asked.name).value)
        case "forbid":
            room.allowed.discard(_question(asked.name).value)
        case "ban":
            return ballots.ban(asked.name)
        case "names":
            ballots.names_shown = bool(asked.value)
        case _:
            raise MalformedError("`what`")
    return True


def _question(name: str) -> Question:
    try:
        return Question(name)
    except ValueError as error:
        raise MalformedError("`name`: no question") from error
