"""The small values of the moon game: die, phases, and every "why" of a verdict, a refusal or an ending."""

from __future__ import annotations

import enum
import random
from dataclasses import dataclass

#: A ladder's name, such as "L07".
PieceId = str


class Die(enum.Enum):
    """The faces of the die (rulings M1, T4)."""

    ONE = "ONE"
    TWO = "TWO"
    MOON = "MOON"


class Phase(enum.Enum):
    """Where a turn stands (ruling T1)."""

    ROLL = "roll"
    """Between turns: the next player may roll."""
    DRAW = "draw"
    """Rolled: a ladder is drawn and waits in the lid to be taken."""
    HOLD = "hold"
    SETTLE = "settle"
    """Let go of: everything comes to rest, then it is judged."""
    OVER = "over"


class Onto(enum.Enum):
    """Where a fallen ladder ended (ruling F2)."""

    TABLE = "table"
    BASE = "base"
    AWAY = "away"


class Reason(enum.Enum):
    """Why a verdict says what it says; the message key is ``verdict.`` and this value."""

    HONOURED = "honoured"
    TOUCHES_NONE = "touches_none"
    TOO_FEW = "too_few"
    TOO_MANY = "too_many"
    NOT_HIGHEST = "not_highest"
    HELD_TOUCHED = "held_touched"
    PLACED_FELL = "placed_fell"
    OTHERS_FELL = "others_fell"
    LATE_FALL = "late_fall"
    """F5: after the verdict, before the next roll."""
    SAME_INCIDENT = "same_incident"
    """F4: more falls of an incident already charged."""
    NOBODY = "nobody"
    """A fall that is charged to no player: before the first turn, or to a player who is out of the final."""
    TWO_HANDS = "two_hands"
    TWO_HANDS_NOTED = "two_hands_noted"
    """The mistake is noted; it is charged when the turn is judged."""
    TWO_HANDS_WARNED = "two_hands_warned"
    TIME_WARNED = "time_warned"
    TIME_OUT = "time_out"
    GAVE_UP = "gave_up"
    SCORED = "scored"
    TEAR_GIVEN_BACK = "tear_given_back"
    TEAR_ADDED = "tear_added"
    TURN_PUT_BACK = "turn_put_back"


class MoonRefusal(enum.Enum):
    """Why a move is refused; the message key is ``refusal.`` and this value."""

    GAME_OVER = "game_over"
    WRONG_PHASE = "wrong_phase"
    STRUCTURE_MOVING = "structure_moving"
    """F5: a roll can't charge a falling ladder to the next player."""
    WRONG_FACE = "wrong_face"
    NO_FACE = "no_face"
    """A real die is used, and its face hasn't been told."""
    WRONG_LADDER = "wrong_ladder"
    ALREADY_DRAWN = "already_drawn"
    NO_OTHER_LADDER = "no_other_ladder"
    """The last ladder is drawn: there is none to change it for."""
    NOT_DRAWN = "not_drawn"
    NOTHING_TO_CLOSE = "nothing_to_close"
    BAD_EVIDENCE = "bad_evidence"
    """The evidence names ladders that can't be in it."""
    OPTION_OFF = "option_off"
    PAUSED = "paused"
    HAND_LOST = "hand_lost"
    """X2: nothing is judged while the held ladder is frozen."""
    ALREADY_NOTED = "already_noted"
    NOT_COOPERATIVE = "not_cooperative"
    NOT_BETTER = "not_better"
    """C3: a scoring that doesn't beat the best one would cost a tear for nothing."""
    NO_TEAR_TO_GIVE = "no_tear_to_give"
    NO_TURN_TO_PUT_BACK = "no_turn_to_put_back"
    IN_THE_FINAL = "in_the_final"
    """No tears are counted in the final (E4): put the turn back instead."""
    NO_SUCH_PLAYER = "no_such_player"
    IN_PRACTICE = "in_practice"
    """Nothing costs a tear there, so none is given back or added."""
    IN_A_TRIAL = "in_a_trial"
    """P1: all play the same task, so nothing is taken back."""


class Out(enum.Enum):
    """Why a player is out of the game."""

    TEAR_LIMIT = "tear_limit"
    """E3."""
    LAST_TEAR = "last_tear"
    """E2, bombyx."""
    NOT_TIED = "not_tied"
    """E4: not among those who play the final."""
    FINAL_MISTAKE = "final_mistake"
    """E4."""


class Ending(enum.Enum):
    """Why the game is over."""

    LAST_LADDER = "last_ladder"
    LAST_TEAR = "last_tear"
    LAST_LADDER_AND_TEAR = "last_ladder_and_tear"
    TEAR_LIMIT = "tear_limit"
    LAST_STANDING = "last_standing"
    SHARED = "shared"
    FINAL_LADDERS_OUT = "final_ladders_out"
    GOAL = "goal"
    """The tower has come as high as the trial asks (P1)."""


@dataclass(frozen=True)
class Verdict:
    """The rules' verdict on one move, with the evidence (ruling X3)."""

    turn: int
    player: int
    """The player whose turn it concerns."""
    ok: bool
    reason: Reason
    rulings: tuple[str, ...]
    """The one cited first decides."""
    die: Die | None = None
    ladder: PieceId | None = None
    touched: tuple[PieceId, ...] = ()
    height_m: float | None = None
    rival: PieceId | None = None
    rival_m: float | None = None
    charged: int | None = None
    """The player who pays: a tear, or the place in the final."""
    tears: int = 0
    """Tears that change hands: 1 for a mistake, -1 for one given back."""
    fallen: tuple[tuple[PieceId, Onto], ...] = ()
    removed: tuple[PieceId, ...] = ()
    stood_back: tuple[PieceId, ...] = ()
    """Starting ladders, which never leave the game (ruling M3)."""
    points: tuple[tuple[PieceId, int], ...] = ()
    """A scoring, ladder by ladder (ruling C2)."""
    note: str = ""

    @property
    def ruling(self) -> str:
        return self.rulings[0]


@dataclass(frozen=True)
class Outcome:
    """How a game ended, and why."""

    ending: Ending
    ruling: str
    winners: tuple[int, ...]
    """Players by seat; more than one share the victory. Empty in a co-operative game."""
    tears: tuple[int, ...]
    out: tuple[Out | None, ...]
    score: int | None = None
    """The team's result in a co-operative game (ruling C3)."""


class IllegalMove(Exception):  # noqa: N818 - the field's name for it
    """A move the rules refuse; ``refusal`` says why."""

    def __init__(self, move: object, refusal: MoonRefusal) -> None:
        super().__init__(f"{move}: {refusal.value}")
        self.move = move
        self.refusal = refusal


class SetupFault(enum.Enum):
    """What players can choose that doesn't go together; each has a text."""

    PLAYERS = "players"
    NAMES = "names"
    ALONE = "alone"
    TOGETHER = "together"
    TRIAL = "trial"
    TRIAL_HOUSE = "trial_house"


class IllegalSetup(ValueError):  # noqa: N818 - named like IllegalMove
    """A game that can't be set up: players, edition, options or ladders that don't go together."""

    def __init__(self, sentence: str, fault: SetupFault | None = None) -> None:
        super().__init__(sentence)
        self.fault = fault


#: Six faces, two of each (ruling M1).
FACES = (Die.ONE, Die.ONE, Die.TWO, Die.TWO, Die.MOON, Die.MOON)


def face_of_turn(seed: int, turn: int) -> Die:
    """Return the die's face in that turn. A turn that is put back and played again has the same face.

    Of Python's generator only the sequence of ``random()`` is promised to stay, so nothing else is used.
    """
    return FACES[int(random.Random(f"{seed}:die:{turn}").random() * len(FACES))]


def face_told(number: int) -> Die | None:
    """Return the face by the number that players tell: 1, 2, or 3 for the moon; None for anything else."""
    faces = tuple(Die)
    return faces[number - 1] if 1 <= number <= len(faces) else None
