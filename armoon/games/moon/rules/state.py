"""One position of the moon game: a frozen value of everything except the ladders' poses."""

from __future__ import annotations

from dataclasses import dataclass, field

from armoon.games.moon.rules.editions import EDITIONS, Edition, Extent, Mode, Options
from armoon.games.moon.rules.values import Die, Ending, Onto, Out, Phase, PieceId, Verdict, face_of_turn
from armoon.values.acts import Act
from armoon.values.text import short_repr


@dataclass(frozen=True)
class State:
    """A position. Players are named by their seat, 0 first, clockwise (ruling T5)."""

    edition_name: str
    options: Options
    players: tuple[str, ...]
    seed: int
    starting: tuple[PieceId, ...]
    """In their slots; they never leave the game."""
    supply: tuple[PieceId, ...]
    """Not yet drawn, the next one first."""
    tears_left: int
    tears: tuple[int, ...]
    """What each player has taken; in a co-operative game, whose mistakes cost the team."""
    out: tuple[Out | None, ...]
    spared: tuple[int, ...]
    """Mistakes that have cost each player nothing, by their handicap (ruling X5)."""
    player: int
    phase: Phase = Phase.ROLL
    turn: int = 1
    last_player: int | None = None
    """Who played last: until the next roll, what falls is theirs (ruling F5)."""
    die: Die | None = None
    ladder: PieceId | None = None
    placed: tuple[PieceId, ...] = ()
    """Standing in play, in the order in which they were placed; the starting ladders are not among them."""
    removed: tuple[PieceId, ...] = ()
    incident: bool = False
    """A charged incident is still moving: what falls now costs no second tear (ruling F4)."""
    two_hands: bool = False
    time_warned: bool = False
    final: bool = False
    final_turn: int = 0
    """Its first turn; 0 before a final."""
    top_m: float = 0.0
    """In a trial: greatest height above the table of a ladder that honoured its die, metres."""
    risen: int = 0
    """In a trial that counts them: ladders that rose and honoured their die when they were judged."""
    scorings: tuple[int, ...] = ()
    """Points of each scoring of a co-operative game."""
    ending: Ending | None = None
    overrulings: int = 0
    verdict: Verdict | None = None
    before: State | None = field(default=None, compare=False, repr=False)
    """The position before the last roll, so that a turn can be put back (ruling X4)."""

    @property
    def edition(self) -> Edition:
        return EDITIONS[self.edition_name]

    @property
    def cooperative(self) -> bool:
        return self.options.mode is Mode.COOPERATIVE

    @property
    def over(self) -> bool:
        return self.ending is not None

    @property
    def structure(self) -> tuple[PieceId, ...]:
        return self.starting + self.placed

    @property
    def in_game(self) -> tuple[int, ...]:
        return tuple(seat for seat, why in enumerate(self.out) if why is None)

    @property
    def tears_total(self) -> int:
        return self.options.tears_of(self.edition)

    @property
    def best_scoring(self) -> int:
        return max(self.scorings, default=0)

    @property
    def may_share(self) -> bool:
        """The final hasn't begun yet, and the edition leaves it to the tied players whether it does (E4)."""
        begins = self.final and self.turn == self.final_turn and self.phase is Phase.ROLL
        return begins and self.edition.final_optional

    @property
    def next_face(self) -> Die | None:
        """What the next roll must show; None if a real die may show anything."""
        if self.final:
            return Die.MOON
        if self.options.trial is not None:
            return self.options.trial.face_of(self.turn)
        if self.options.practice:
            return None
        return face_of_turn(self.seed, self.turn) if self.options.die.value == "seeded" else None

    @property
    def leaders(self) -> tuple[int, ...]:
        """Those with the fewest tears among the players who are not out (ruling E2)."""
        fewest = min(self.tears[seat] for seat in self.in_game)
        return tuple(seat for seat in self.in_game if self.tears[seat] == fewest)

    @property
    def trial_score(self) -> int | None:
        """How far the player has come in a trial (ruling P1); None without one, or before its goal."""
        trial = self.options.trial
        if trial is None:
            return None
        return trial.score_of(turn=self.turn, tears=self.tears[0], top_m=self.top_m, risen=self.risen)

    def after(self, seat: int) -> int:
        count = len(self.players)
        seats = ((seat + step) % count for step in range(1, count + 1))
        return next((s for s in seats if self.out[s] is None), seat)


@dataclass(frozen=True)
class Move:
    """What can happen to a game: each kind is a class of its own; kinds without fields are equal by their class."""


@dataclass(frozen=True)
class Roll(Move):
    """The player on turn rolls; in the final it begins a turn, and the face is MOON (ruling E4).

    The face stands in the move so that the log is the whole truth, and a seeded die refuses any other.
    """

    die: Die


@dataclass(frozen=True)
class Draw(Move):
    """The next ladder of the supply is offered in the lid; it stands in the move as the die's face does."""

    ladder: PieceId


class Take(Move):
    """The ladder in the lid is taken in the hand."""


class PutBack(Move):
    """The held ladder goes back into the lid, with no penalty (ours: nothing has happened yet)."""


class LetGo(Move):
    """The held ladder is let go of."""


@dataclass(frozen=True)
class Settle(Move):
    """Everything is at rest: what the placed ladder touches, and the two heights that MOON compares."""

    touched: tuple[PieceId, ...]
    """The other ladders it touches, starting ladders included."""
    height_m: float
    """Highest point of the placed ladder."""
    rival: PieceId
    """The highest of the other ladders."""
    rival_m: float
    rise_deg: float | None = None
    """The angle of its long axis from level, in trials that count it."""


@dataclass(frozen=True)
class Fallen:
    """One ladder that touches table or base, or has left the table."""

    piece: PieceId
    onto: Onto


@dataclass(frozen=True)
class Fall(Move):
    """Ladders fall (ruling F2); whose mistake it is follows from the phase (F5, F6)."""

    fallen: tuple[Fallen, ...]


class Rest(Move):
    """The structure is at rest again: the incident is closed, and the next fall is another one (F4)."""


class Rebuild(Move):
    """The structure was put back from saved places; a fall before rest costs nothing (ours)."""


class TwoHands(Move):
    """The held ladder was touched by a second hand, or passed from hand to hand (ruling F3)."""


class Timeout(Move):
    """The turn's time has run out (ruling X1): the first time a warning, the second time a mistake."""


class GiveUp(Move):
    """The player gives the drawn ladder up; it counts as dropped (ours)."""


@dataclass(frozen=True)
class Score(Move):
    """The team spends a tear to score what stands above the lid's edge (ruling C2)."""

    line_m: float
    extents: tuple[Extent, ...]
    """Every ladder of the structure."""


class Share(Move):
    """The tied players share the victory instead of playing the final, where the edition leaves that to them (E4)."""


#: What a host may ask for (ruling X4).
OVERRULINGS = (Act.GIVE_TEAR_BACK, Act.ADD_TEAR, Act.UNDO)


@dataclass(frozen=True)
class Overrule(Move):
    """The host overrules a verdict; it stands in the log like any other move (ruling X4)."""

    kind: Act
    """One of ``OVERRULINGS``."""
    player: int = 0
    """The seat whose tear it is; ignored when a turn is put back."""
    turns: int = 1
    """How many turns are put back, the one under way included."""
    note: str = ""

    def __post_init__(self) -> None:
        if self.kind not in OVERRULINGS:
            raise ValueError(f"{short_repr(self.kind.value)} is no overruling")


#: Every kind of move.
MOVE_KINDS: tuple[type[Move], ...] = tuple(Move.__subclasses__())
