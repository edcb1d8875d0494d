"""The moon's values, editions, modes and tasks: everything that rules and options share."""

from __future__ import annotations

import enum
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from armoon.games.shared import FirstBy
from armoon.values.choices import OneHand, Word
from armoon.values.player_settings import Guidance, Handicap, VisualAids, handicap_of_seat
from armoon.values.poses import PoseRow

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


class TaskKind(Word):
    """The kinds of trials, in the order in which they are offered."""

    TODAY = "today"
    """As high as possible with what the date deals to everybody."""
    HIGHEST = "highest"
    """As high as possible with ten ladders."""
    DROPS = "drops"
    """Up to a height with as few ladders as possible."""
    PLACE = "place"
    """These ladders, each as its die asks."""
    ASLANT = "aslant"
    """These ladders, of which those count that rise."""
    FINISH = "finish"
    ENDLESS = "endless"
    """As many as possible until too much has gone wrong, or the box is empty."""


class Counts(enum.Enum):
    """The quantity that a trial's score counts."""

    HEIGHT = "height"
    """The most millimetres that the tower stood high when a ladder was judged."""
    PLACED = "placed"
    """Ladders that were judged, or of them those that rise, less the tears."""
    DROPS = "drops"
    """Ladders let go of until the goal was reached; fewer are better."""


#: What is counted in each kind.
COUNTED = {
    TaskKind.TODAY: Counts.HEIGHT,
    TaskKind.HIGHEST: Counts.HEIGHT,
    TaskKind.DROPS: Counts.DROPS,
    TaskKind.PLACE: Counts.PLACED,
    TaskKind.ASLANT: Counts.PLACED,
    TaskKind.FINISH: Counts.PLACED,
    TaskKind.ENDLESS: Counts.PLACED,
}
#: Maximum height of a goal, in millimetres.
HIGHEST_MM = 1000
#: Ladders that stand in the slots whatever the task.
SLOTTED = ("L01", "L02")


class Medal(Word):
    """The medal for a score, the best last."""

    BRONZE = "bronze"
    SILVER = "silver"
    GOLD = "gold"


@dataclass(frozen=True)
class Task:
    """All that the rules know of a trial. Raises ValueError with a sentence where its parts don't go together."""

    name: str
    kind: TaskKind
    deal: tuple[PieceId, ...]
    faces: tuple[Die, ...]
    """The die turn by turn, from the first again when they are used up."""
    tears: int
    medals: tuple[int, int, int]
    """The scores for bronze, silver and gold; the most for each where fewer are better, else the least."""
    goal_m: float | None = None
    """How high the tower has to come, above the table; None: the kind has no such goal."""
    standing: tuple[tuple[PieceId, PoseRow], ...] = ()
    """What stands besides the ladders in the slots when it begins."""

    def __post_init__(self) -> None:
        pieces = [*SLOTTED, *(piece for piece, _ in self.standing), *self.deal]
        known = {f"L{n:02d}" for n in range(1, 31)}
        if not self.deal or not self.faces or self.tears < 1:
            raise ValueError("ladders, faces and tears are at least one")
        if not set(pieces) <= known or len(set(pieces)) != len(pieces):
            raise ValueError("a ladder is unknown or named twice")
        if (self.goal_m is not None) is not (self.kind is TaskKind.DROPS):
            raise ValueError("a goal belongs to the fewest drops, and to them alone")
        if list(self.medals) != sorted(self.medals, reverse=self.fewer) or min(self.medals) < 1:
            raise ValueError("bronze, silver and gold don't follow each other")
        if self.counts is Counts.PLACED and self.medals[-1] > len(self.deal):
            raise ValueError("gold asks for more ladders than are dealt")
        if self.goal_m is not None and not 0.05 < self.goal_m < 1.0:
            raise ValueError("a goal is between 0.05 and 1 m")

    @property
    def counts(self) -> Counts:
        return COUNTED[self.kind]

    @property
    def fewer(self) -> bool:
        return self.counts is Counts.DROPS

    def face_of(self, turn: int) -> Die:
        return self.faces[(turn - 1) % len(self.faces)]

    def better(self, score: int, other: int) -> bool:
        return score < other if self.fewer else score > other

    def medal_of(self, score: int | None) -> Medal | None:
        reached = [
            medal
            for medal, asked in zip(Medal, self.medals, strict=True)
            if score is not None and (score == asked or self.better(score, asked))
        ]
        return reached[-1] if reached else None

    def score_of(self, *, turn: int, tears: int, top_m: float, risen: int = 0) -> int | None:
        if self.kind is TaskKind.ASLANT:
            return max(0, risen - tears)
        if self.counts is Counts.HEIGHT:
            return round(top_m * 1000.0)
        if self.counts is Counts.PLACED:
            return max(0, turn - 1 - tears)
        return turn - 1 if self.reached(top_m) else None

    def possible(self, score: int) -> bool:
        """Whether a game of this task can end with that score: a file of results may have been edited."""
        most = HIGHEST_MM if self.counts is Counts.HEIGHT else len(self.deal)
        return 0 < score <= most

    def reached(self, top_m: float) -> bool:
        return self.goal_m is not None and top_m >= self.goal_m


#: Ladders of the box, ruling M1: the first three are straight, the others crooked.
ALL_LADDERS: tuple[str, ...] = tuple(f"L{n:02d}" for n in range(1, 31))
STRAIGHT = ALL_LADDERS[:3]
CROOKED = ALL_LADDERS[3:]


class EditionName(Word):
    """The published editions (ruling M3)."""

    BOMBYX_2017 = "bombyx-2017"
    KOSMOS_2022 = "kosmos-2022"


@dataclass(frozen=True)
class Edition:
    """One column of the table in ruling M3."""

    name: EditionName
    least_players: int
    most_players: int
    straight_in_supply: bool
    """Whether the straight ladder left over belongs to the supply; if not, it is a spare."""
    tears: int
    two_player_limit: int
    """With two players, this many tears eliminate (ruling E3)."""
    last_tear_eliminates: bool
    cooperative_tears: int | None
    """Tears of the team (ruling C1); None where the edition has no co-operative game."""
    final_optional: bool
    """The tied players may share the victory instead of playing the final, as the French second edition prints it."""
    first_player: FirstBy
    """How its first player is found: chosen, or who last saw a full moon, else the youngest."""
    words: Mapping[str, str]
    """What it calls its things: message keys by the names that texts have for them."""
    socle: bool


BOMBYX_2017 = Edition(
    name=EditionName.BOMBYX_2017,
    least_players=2,
    most_players=6,
    straight_in_supply=True,
    tears=7,
    two_player_limit=3,
    last_tear_eliminates=True,
    cooperative_tears=None,
    final_optional=True,
    first_player=FirstBy.CHOSEN,
    words={"tear": "word.tear", "tears": "word.tears", "base": "word.base", "in_lid": "word.in_lid"},
    socle=True,
)
KOSMOS_2022 = Edition(
    name=EditionName.KOSMOS_2022,
    least_players=1,
    most_players=6,
    straight_in_supply=False,
    tears=7,
    two_player_limit=4,
    last_tear_eliminates=False,
    cooperative_tears=5,
    final_optional=False,
    first_player=FirstBy.MOON,
    words={
        "tear": "word.raindrop",
        "tears": "word.raindrops",
        "base": "word.cloud",
        "in_lid": "word.in_insert",
    },
    socle=False,
)
EDITIONS: Mapping[str, Edition] = {edition.name: edition for edition in (BOMBYX_2017, KOSMOS_2022)}


class Mode(Word):
    """Against each other, or together (alone included, ruling C5)."""

    COMPETITIVE = "competitive"
    COOPERATIVE = "cooperative"


class OnTimeout(Word):
    """What running out of time costs (ruling X1)."""

    MISTAKE = "mistake"
    """A warning; then, after the grace time, F2 for the held ladder."""
    WARN = "warn"
    OFF = "off"


class DieSource(Word):
    """Where the die's faces come from."""

    SEEDED = "seeded"
    """A pure function of seed and turn: a resumed game has the same next die; no other face is accepted."""
    REAL = "real"
    """A real die thrown on the real table and told to the game: any face is accepted."""
    EITHER = "either"
    """Both in one game: a face that is told is accepted, and rolled on the screen the die shows the seeded one."""


class DrawFrom(Word):
    """Which ladder a player draws out of the lid."""

    PRESENTED = "presented"
    """The one that is presented, next in a shuffled supply."""
    ALL = "all"
    """Any that lies there, as at a table: the one presented can be laid down for another."""


#: The printed lid, 20 cm square, stood on its edge (ruling C2).
LINE_M = 0.20


@dataclass(frozen=True)
class Options:
    """The house options of one game; None means what the edition says."""

    mode: Mode = Mode.COMPETITIVE
    young_climbers: bool = False
    """Three starting ladders (rulings M2, M4)."""
    one_hand: OneHand = OneHand.WARN
    turn_limit_s: float | None = None
    """Seconds from the roll to letting go (ruling X1); None: no limit."""
    on_timeout: OnTimeout = OnTimeout.MISTAKE
    timeout_grace_s: float = 10.0
    """Seconds from the warning to the mistake; long enough to put a ladder down without haste."""
    two_player_limit: int | None = None
    tears: int | None = None
    die: DieSource = DieSource.SEEDED
    supply_size: int | None = None
    no_hints: bool = False
    line_m: float = LINE_M
    """The height line of the co-operative game: the lid's upper edge above the table (ruling C2)."""
    draw_from: DrawFrom = DrawFrom.PRESENTED
    practice: bool = False
    """Nothing costs a tear, anybody may play alone, and a face may be asked of the die."""
    auto_roll_s: float | None = None
    """Seconds at rest after which the die is rolled for the players, never for a team; None: they roll it."""
    handicaps: tuple[Handicap, ...] = ()
    """By seat; empty: no handicaps (ruling X5)."""
    trial: Task | None = None
    """One player alone against a task (ruling P1); None: a game of the box."""

    def handicap_of(self, seat: int) -> Handicap:
        return handicap_of_seat(self.handicaps, seat)

    def guidance_of(self, seat: int) -> Guidance:
        """Return how much that player's ladders are guided: never in a trial or without helps."""
        handicap = self.handicap_of(seat)
        unhelped = self.no_hints or handicap.helps is VisualAids.NONE
        return Guidance.OFF if unhelped else handicap.guidance

    def tears_of(self, edition: Edition) -> int:
        if self.tears is not None:
            return self.tears
        if self.mode is Mode.COOPERATIVE and edition.cooperative_tears is not None:
            return edition.cooperative_tears
        return edition.tears

    def limit_of(self, edition: Edition) -> int:
        return edition.two_player_limit if self.two_player_limit is None else self.two_player_limit


def trial_options(trial: Task | None) -> Options:
    return Options() if trial is None else Options(trial=trial, tears=trial.tears, no_hints=True)


def starting_ladders(options: Options) -> tuple[str, ...]:
    """Return the default starting ladders: two straight ones, three for young climbers (rulings M2, M4)."""
    return STRAIGHT if options.young_climbers else STRAIGHT[:2]


def supply_ladders(edition: Edition, options: Options) -> tuple[str, ...]:
    """Return the default supply before it is shuffled: 28 or 27 ladders (rulings M3, M4)."""
    left_over = edition.straight_in_supply and not options.young_climbers
    return (*STRAIGHT[2:], *CROOKED) if left_over else CROOKED


#: Ruling C2.
POINTS_PARTLY = 1
POINTS_WHOLLY = 3


@dataclass(frozen=True)
class Extent:
    """How far down and up a ladder reaches."""

    piece: str
    lowest_m: float
    highest_m: float


def points(extent: Extent, line_m: float) -> int:
    """3 for a ladder wholly above the line, 1 for one with a point above it, else 0; on it is not above."""
    if extent.lowest_m > line_m:
        return POINTS_WHOLLY
    return POINTS_PARTLY if extent.highest_m > line_m else 0


def score(extents: Iterable[Extent], line_m: float) -> tuple[tuple[str, int], ...]:
    scored = ((extent.piece, points(extent, line_m)) for extent in extents)
    return tuple((piece, worth) for piece, worth in scored if worth)


#: Points from which a team's result has a name, and its message key: our own chart (ruling C6); "touch the moon" at
#: 4 points is the one entry known from the printed one.
CHART: tuple[tuple[int, str], ...] = (
    (0, "rank.feet_on_the_ground"),
    (1, "rank.head_in_the_clouds"),
    (2, "rank.on_tiptoe"),
    (4, "rank.touch_the_moon"),
    (7, "rank.sit_on_the_moon"),
    (11, "rank.dance_on_the_moon"),
    (16, "rank.moon_gardener"),
    (22, "rank.neighbour_of_the_stars"),
)


def rank(result: int) -> str:
    return max((least, key) for least, key in CHART if least <= result)[1]
