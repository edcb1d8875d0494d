"""The actions of the host's page, and those of them that a moderator has."""

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
#: What a moderator may do from another phone: nothing that stops or changes the game.
MODERATES = ("ask", "close", "clear", "ban", "let_in", "lock")
#: A question of the host's own, and each of its choices, in letters; and how many choices.
LONGEST_QUESTION, LONGEST_CHOICE, CHOICES = 80, 40, (2, 6)


def do(room: Room, asked: Do, role: str) -> bool:
    """Apply it; return whether there was anything to do.

    ``role``: the key's, ``host`` or ``moderator``. Raises MalformedError for unknown names, and what the role may not.
    """
    if role == "moderator" and asked.what not in MODERATES:
        raise MalformedError("`what`: the host's alone")
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
        case "ask_own":
            choices = tuple(one for one in (_line(one, LONGEST_CHOICE) for one in asked.choices) if one)
            words = _line(asked.name, LONGEST_QUESTION)
            if not words or not CHOICES[0] <= len(choices) <= CHOICES[1]:
                raise MalformedError("`choices`")
            room.ask_own(words, choices)
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
            return room.door.ban(asked.name)
        case "let_in":
            return ballots.let_in(asked.name)
        case "names":
            ballots.names_shown = bool(asked.value)
        case "hide":
            ballots.hidden = bool(asked.value)
        case "lock":
            ballots.locked = bool(asked.value)
        case "approve":
            ballots.approves = bool(asked.value)
        case _:
            raise MalformedError("`what`")
    return True


def _line(words: str, longest: int) -> str:
    """Return words in one line, without what can't be seen."""
    return " ".join("".join(one if one.isprintable() else " " for one in words).split())[:longest]


def _question(name: str) -> Question:
    try:
        return Question(name)
    except ValueError as error:
        raise MalformedError("`name`: no question") from error
