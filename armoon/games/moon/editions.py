"""Values shared by rules and options: verdicts, editions, modes, house options and tasks."""

from __future__ import annotations

import enum
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from armoon.games.shared import FirstBy
from armoon.values.choices import OneHand, Word
from armoon.values.player_settings import NO_HANDICAP, Guidance, Handicap, VisualAids
from armoon.values.poses import PoseRow

#: A ladder's name, such as "L07".
PieceId = str


class Die(enum.Enum):
    """The faces of the die (rulings M1, T4)."""

    ONE = "ONE"
    TWO = "TWO"
    MOON = "MOON"


class Phase(enum.Enum):
    """The phase of a turn (ruling T1)."""

    ROLL = "roll"
    """Between turns: the next player may roll."""
    DRAW = "draw"
    """After the roll: the drawn ladder is in the lid."""
    HOLD = "hold"
    SETTLE = "settle"
    """After the release: everything comes to rest and is judged."""
    OVER = "over"


class FallPlace(enum.Enum):
    """The place where a fallen ladder ended (ruling F2)."""

    TABLE = "table"
    BASE = "base"
    AWAY = "away"


class Reason(enum.Enum):
    """The reason for a verdict. Message key: ``verdict.`` and the value."""

    HONOURED = "honoured"
    TOUCHES_NONE = "touches_none"
    TOO_FEW = "too_few"
    TOO_MANY = "too_many"
    NOT_HIGHEST = "not_highest"
    HELD_TOUCHED = "held_touched"
    PLACED_FELL = "placed_fell"
    OTHERS_FELL = "others_fell"
    LATE_FALL = "late_fall"
    """A fall after the verdict and before the next roll (F5)."""
    SAME_INCIDENT = "same_incident"
    """A fall while the structure still moves after a judged fall or a rebuild (F4)."""
    NOBODY = "nobody"
    """A fall charged to nobody: before the first turn, or after the turn in which a player was eliminated."""
    TWO_HANDS = "two_hands"
    TWO_HANDS_NOTED = "two_hands_noted"
    """A mistake to be charged when the turn is judged."""
    TWO_HANDS_WARNED = "two_hands_warned"
    TIME_WARNED = "time_warned"
    TIME_OUT = "time_out"
    GAVE_UP = "gave_up"
    SCORED = "scored"
    TEAR_GIVEN_BACK = "tear_given_back"
    TEAR_ADDED = "tear_added"
    TURN_PUT_BACK = "turn_put_back"


class MoonRefusal(enum.Enum):
    """The reason for refusing a move. Message key: ``refusal.`` and the value."""

    GAME_OVER = "game_over"
    WRONG_PHASE = "wrong_phase"
    STRUCTURE_MOVING = "structure_moving"
    """A roll must not charge a falling ladder to the next player (F5)."""
    WRONG_FACE = "wrong_face"
    NO_FACE = "no_face"
    """The face of a real die hasn't been entered."""
    WRONG_LADDER = "wrong_ladder"
    ALREADY_DRAWN = "already_drawn"
    NO_OTHER_LADDER = "no_other_ladder"
    """The last ladder is drawn, so there is none to exchange it for."""
    NOT_DRAWN = "not_drawn"
    NOTHING_TO_CLOSE = "nothing_to_close"
    BAD_EVIDENCE = "bad_evidence"
    """The evidence names impossible ladders."""
    OPTION_OFF = "option_off"
    PAUSED = "paused"
    HAND_LOST = "hand_lost"
    """Nothing is judged while the held ladder is frozen (X2)."""
    ALREADY_NOTED = "already_noted"
    NOT_COOPERATIVE = "not_cooperative"
    NOT_BETTER = "not_better"
    """A scoring that doesn't beat the best one would waste a tear (C3)."""
    NO_TEAR_TO_GIVE = "no_tear_to_give"
    NO_TURN_TO_PUT_BACK = "no_turn_to_put_back"
    IN_THE_FINAL = "in_the_final"
    """The final counts no tears (E4); undo the turn instead."""
    NO_SUCH_PLAYER = "no_such_player"
    IN_PRACTICE = "in_practice"
    """Practice has no tears to give back or add."""
    IN_A_TRIAL = "in_a_trial"
    """All players must get the same task, so nothing can be overruled (P1)."""


class Elimination(enum.Enum):
    """The reason why a player is out of the game."""

    TEAR_LIMIT = "tear_limit"
    """Too many tears in a game of two (E3)."""
    LAST_TEAR = "last_tear"
    """Took the last tear, in the Bombyx edition (E2)."""
    NOT_TIED = "not_tied"
    """Not among the players of the final (E4)."""
    FINAL_MISTAKE = "final_mistake"
    """Made a mistake in the final (E4)."""


class Ending(enum.Enum):
    """The reason why the game is over."""

    LAST_LADDER = "last_ladder"
    LAST_TEAR = "last_tear"
    LAST_LADDER_AND_TEAR = "last_ladder_and_tear"
    TEAR_LIMIT = "tear_limit"
    LAST_STANDING = "last_standing"
    SHARED = "shared"
    FINAL_LADDERS_OUT = "final_ladders_out"
    GOAL = "goal"
    """The tower reached the height that the trial requires (P1)."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on one move, with the evidence (ruling X3)."""

    turn: int
    player: int
    """Seat of the player whose turn was judged."""
    ok: bool
    reason: Reason
    rulings: tuple[str, ...]
    """Rulings that apply; the first one decides."""
    die: Die | None = None
    ladder: PieceId | None = None
    touched: tuple[PieceId, ...] = ()
    height_m: float | None = None
    rival: PieceId | None = None
    rival_m: float | None = None
    charged: int | None = None
    """Seat of the player charged with a tear or with elimination from the final."""
    tears: int = 0
    """Tears taken: 1 for a mistake, -1 for a tear given back."""
    fallen: tuple[tuple[PieceId, FallPlace], ...] = ()
    removed: tuple[PieceId, ...] = ()
    stood_back: tuple[PieceId, ...] = ()
    """Fallen starting ladders, which return to their slots (ruling M3)."""
    points: tuple[tuple[PieceId, int], ...] = ()
    """Points of a scoring by ladder (ruling C2)."""
    note: str = ""

    @property
    def ruling(self) -> str:
        return self.rulings[0]


@dataclass(frozen=True)
class Outcome:
    """The result of a game, and its reason."""

    ending: Ending
    ruling: str
    winners: tuple[int, ...]
    """Seats of the winners; several share the victory. Empty in a co-operative game."""
    tears: tuple[int, ...]
    out: tuple[Elimination | None, ...]
    score: int | None = None
    """The team's result in a co-operative game (ruling C3)."""


class IllegalMove(Exception):  # noqa: N818 - the usual term
    """A move that the rules refuse; ``refusal`` is the reason."""

    def __init__(self, move: object, refusal: MoonRefusal) -> None:
        super().__init__(f"{move}: {refusal.value}")
        self.refusal = refusal


def refuse_if(condition: bool, refusal: MoonRefusal, move: object = "a request") -> None:
    if condition:
        raise IllegalMove(move, refusal)


class SetupFault(enum.Enum):
    """Reasons to refuse a setup that players can correct. Message key: ``setup.`` and the value."""

    PLAYERS = "players"
    NAMES = "names"
    ALONE = "alone"
    TOGETHER = "together"
    TRIAL = "trial"
    TRIAL_HOUSE = "trial_house"


class IllegalSetup(ValueError):  # noqa: N818 - named like IllegalMove
    """A game that can't be set up because players, edition, options or ladders are incompatible."""

    def __init__(self, problem: SetupFault | str) -> None:
        """``problem``: a fault that players can correct, or a sentence."""
        self.fault = problem if isinstance(problem, SetupFault) else None
        super().__init__(f"illegal setup: {problem.value}" if isinstance(problem, SetupFault) else problem)


#: The die's six sides, two for each face (ruling M1).
FACES = (Die.ONE, Die.ONE, Die.TWO, Die.TWO, Die.MOON, Die.MOON)


def roll_seeded_face(seed: int, turn: int) -> Die:
    """Return the die's face in that turn; a turn that is undone and replayed has the same face.

    Only ``random()`` is used, because Python guarantees a stable sequence for no other method.
    """
    return FACES[int(random.Random(f"{seed}:die:{turn}").random() * len(FACES))]


def find_face(number: int) -> Die | None:
    """Return the face for an entered number: 1, 2, or 3 for the moon; None for any other."""
    faces = tuple(Die)
    return faces[number - 1] if 1 <= number <= len(faces) else None


class TaskKind(Word):
    """Kinds of trials, in the order in which they are offered."""

    TODAY = "today"
    """As high as possible with ten ladders chosen by the date."""
    HIGHEST = "highest"
    """As high as possible with ten ladders."""
    DROPS = "drops"
    """Reach a height with as few ladders as possible."""
    PLACE = "place"
    """Place the given ladders as their dice require."""
    ASLANT = "aslant"
    """Place the given ladders; only rising ones count."""
    FINISH = "finish"
    """Place the given ladders on a structure that already stands."""
    ENDLESS = "endless"
    """Place as many ladders as possible until the tears or the ladders are used up."""


class TrialMeasure(enum.Enum):
    """The quantity that a trial's score measures."""

    HEIGHT = "height"
    """Highest point of any ladder that honoured its die, in millimetres."""
    PLACED = "placed"
    """Number of judged ladders (for ASLANT, of rising ones) minus the tears."""
    DROPS = "drops"
    """Number of ladders placed until the goal was reached; fewer are better."""


#: The measure of each kind of trial; the other kinds count placed ladders.
_MEASURES = {
    TaskKind.TODAY: TrialMeasure.HEIGHT,
    TaskKind.HIGHEST: TrialMeasure.HEIGHT,
    TaskKind.DROPS: TrialMeasure.DROPS,
}
#: Ladders in the slots in every task.
SLOT_LADDERS = ("L01", "L02")


class Medal(Word):
    """The medal for a score, the best last."""

    BRONZE = "bronze"
    SILVER = "silver"
    GOLD = "gold"


@dataclass(frozen=True)
class Task:
    """The task of a trial. Raises ValueError if the fields are invalid or inconsistent."""

    name: str
    kind: TaskKind
    deal: tuple[PieceId, ...]
    faces: tuple[Die, ...]
    """Faces of the die by turn, repeated cyclically."""
    tears: int
    medals: tuple[int, int, int]
    """Scores for bronze, silver and gold: maxima if fewer are better, otherwise minima."""
    goal_m: float | None = None
    """Required height of the tower above the table; None if the kind has no goal."""
    standing: tuple[tuple[PieceId, PoseRow], ...] = ()
    """Ladders that stand at the start, besides those in the slots."""

    def __post_init__(self) -> None:
        pieces = [*SLOT_LADDERS, *(piece for piece, _ in self.standing), *self.deal]
        if not self.deal or not self.faces or self.tears < 1:
            raise ValueError("deal, faces or tears are missing")
        if not set(pieces) <= set(ALL_LADDERS) or len(set(pieces)) != len(pieces):
            raise ValueError("a ladder is unknown or named twice")
        if (self.goal_m is not None) is not (self.kind is TaskKind.DROPS):
            raise ValueError('goal_m is required for the kind "drops" and not allowed for any other')
        if list(self.medals) != sorted(self.medals, reverse=self.is_fewer_better) or min(self.medals) < 1:
            raise ValueError("bronze, silver and gold must be increasingly hard, and at least 1")
        if self.measure is TrialMeasure.PLACED and self.medals[-1] > len(self.deal):
            raise ValueError("gold requires more ladders than are dealt")
        if self.goal_m is not None and not 0.05 < self.goal_m < 1.0:
            raise ValueError("goal_m must be between 0.05 and 1")

    @property
    def measure(self) -> TrialMeasure:
        return _MEASURES.get(self.kind, TrialMeasure.PLACED)

    @property
    def is_fewer_better(self) -> bool:
        return self.measure is TrialMeasure.DROPS

    def get_face(self, turn: int) -> Die:
        return self.faces[(turn - 1) % len(self.faces)]

    def is_better(self, score: int, other: int) -> bool:
        return score < other if self.is_fewer_better else score > other

    def find_medal(self, score: int | None) -> Medal | None:
        if score is None:
            return None
        reached = [
            medal for medal, goal in zip(Medal, self.medals, strict=True) if not self.is_better(goal, score)
        ]
        return reached[-1] if reached else None

    def compute_score(self, *, turn: int, tears: int, top_m: float, rises: int = 0) -> int | None:
        if self.kind is TaskKind.ASLANT:
            return max(0, rises - tears)
        if self.measure is TrialMeasure.HEIGHT:
            return round(top_m * 1000.0)
        if self.measure is TrialMeasure.PLACED:
            return max(0, turn - 1 - tears)
        return turn - 1 if self.is_goal_reached(top_m) else None

    def is_goal_reached(self, top_m: float) -> bool:
        return self.goal_m is not None and top_m >= self.goal_m


#: The ladders of the box (ruling M1): the first three are straight, the others crooked.
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
    min_players: int
    max_players: int
    straight_in_supply: bool
    """Whether the third straight ladder belongs to the supply; otherwise it is a spare."""
    tears: int
    two_player_limit: int
    """Number of tears that eliminates a player in a game of two (ruling E3)."""
    last_tear_eliminates: bool
    cooperative_tears: int | None
    """Tears of the team (ruling C1); None if the edition has no co-operative game."""
    is_final_optional: bool
    """Whether tied players may share the victory instead of playing the final, as in the French second edition."""
    first_player: FirstBy
    """How the first player is chosen."""
    terms: Mapping[str, str]
    """The edition's terms: maps placeholders in texts to message keys."""
    has_socle: bool
    """Whether the base is a wooden socle; otherwise it is a cloud."""


BOMBYX_2017 = Edition(
    name=EditionName.BOMBYX_2017,
    min_players=2,
    max_players=6,
    straight_in_supply=True,
    tears=7,
    two_player_limit=3,
    last_tear_eliminates=True,
    cooperative_tears=None,
    is_final_optional=True,
    first_player=FirstBy.CHOSEN,
    terms={"tear": "word.tear", "tears": "word.tears", "base": "word.base", "in_lid": "word.in_lid"},
    has_socle=True,
)
KOSMOS_2022 = Edition(
    name=EditionName.KOSMOS_2022,
    min_players=1,
    max_players=6,
    straight_in_supply=False,
    tears=7,
    two_player_limit=4,
    last_tear_eliminates=False,
    cooperative_tears=5,
    is_final_optional=False,
    first_player=FirstBy.MOON,
    terms={
        "tear": "word.raindrop",
        "tears": "word.raindrops",
        "base": "word.cloud",
        "in_lid": "word.in_insert",
    },
    has_socle=False,
)
EDITIONS: Mapping[str, Edition] = {edition.name: edition for edition in (BOMBYX_2017, KOSMOS_2022)}


class Mode(Word):
    """Competitive, or co-operative, which includes a single player (ruling C5)."""

    COMPETITIVE = "competitive"
    COOPERATIVE = "cooperative"


class OnTimeout(Word):
    """The consequence of running out of time (ruling X1)."""

    MISTAKE = "mistake"
    """A warning and, after the grace time, a mistake as for a dropped ladder (F2)."""
    WARN = "warn"
    OFF = "off"


class DieSource(Word):
    """The source of the die's faces."""

    SEEDED = "seeded"
    """A face that depends only on seed and turn, as a resumed game needs; other faces are refused."""
    REAL = "real"
    """A real die: players enter its face, and any face is accepted."""
    EITHER = "either"
    """Both: an entered face is accepted, and a roll on the screen gives the seeded one."""


class DrawFrom(Word):
    """The ladders that a player can draw from the lid."""

    PRESENTED = "presented"
    """Only the next one of the shuffled supply."""
    ALL = "all"
    """Any, as at a real table: the presented ladder can be exchanged for another."""


#: Height of the printed lid, 20 cm square, standing on its edge (ruling C2), metres.
LINE_M = 0.20


@dataclass(frozen=True)
class Options:
    """The house options of one game; None means the edition's value."""

    mode: Mode = Mode.COMPETITIVE
    young_climbers: bool = False
    """Whether there are three starting ladders (rulings M2, M4)."""
    one_hand: OneHand = OneHand.WARN
    turn_limit_s: float | None = None
    """Seconds from the roll to the release (ruling X1); None: no limit."""
    on_timeout: OnTimeout = OnTimeout.MISTAKE
    timeout_grace_s: float = 10.0
    """Seconds from the warning to the mistake, enough to put a ladder down calmly."""
    two_player_limit: int | None = None
    tears: int | None = None
    die: DieSource = DieSource.SEEDED
    supply_size: int | None = None
    no_hints: bool = False
    line_m: float = LINE_M
    """Scoring height in a co-operative game: the lid's upper edge above the table (ruling C2)."""
    draw_from: DrawFrom = DrawFrom.PRESENTED
    practice: bool = False
    """Whether mistakes cost no tears, one player can play alone, and the face can be chosen."""
    auto_roll_s: float | None = None
    """Seconds at rest after which the die rolls automatically, never for a team; None: only on request."""
    handicaps: tuple[Handicap, ...] = ()
    """Handicaps by seat; empty without handicaps (ruling X5)."""
    trial: Task | None = None
    """Task of a trial for one player (ruling P1); None: a normal game."""

    def get_handicap(self, seat: int) -> Handicap:
        return self.handicaps[seat] if seat < len(self.handicaps) else NO_HANDICAP

    def get_guidance(self, seat: int) -> Guidance:
        """Return the guidance of that player's ladders; off in trials and without hints or visual aids."""
        handicap = self.get_handicap(seat)
        is_off = self.no_hints or handicap.helps is VisualAids.NONE
        return Guidance.OFF if is_off else handicap.guidance

    def get_tears(self, edition: Edition) -> int:
        if self.tears is not None:
            return self.tears
        if self.mode is Mode.COOPERATIVE and edition.cooperative_tears is not None:
            return edition.cooperative_tears
        return edition.tears

    def get_tear_limit(self, edition: Edition) -> int:
        return edition.two_player_limit if self.two_player_limit is None else self.two_player_limit


def make_trial_options(trial: Task | None) -> Options:
    return Options() if trial is None else Options(trial=trial, tears=trial.tears, no_hints=True)


def list_starting_ladders(options: Options) -> tuple[str, ...]:
    """Return the default starting ladders: two straight ones, three for young climbers (rulings M2, M4)."""
    return STRAIGHT if options.young_climbers else STRAIGHT[:2]


def list_supply_ladders(edition: Edition, options: Options) -> tuple[str, ...]:
    """Return the default supply before shuffling: 28 or 27 ladders (rulings M3, M4)."""
    has_straight = edition.straight_in_supply and not options.young_climbers
    return (*STRAIGHT[2:], *CROOKED) if has_straight else CROOKED


@dataclass(frozen=True)
class Extent:
    """Lowest and highest point of a ladder."""

    piece: str
    lowest_m: float
    highest_m: float


def count_points(extent: Extent, line_m: float) -> int:
    """Return 3 points for a ladder wholly above the line, 1 if it is partly above, else 0 (ruling C2)."""
    return 3 if extent.lowest_m > line_m else 1 if extent.highest_m > line_m else 0


def score_extents(extents: Iterable[Extent], line_m: float) -> tuple[tuple[str, int], ...]:
    scored = ((extent.piece, count_points(extent, line_m)) for extent in extents)
    return tuple((piece, points) for piece, points in scored if points)


#: Minimum points and message keys of a team's ranks, from our own chart (ruling C6). The only known rank of
#: the printed chart is "touch the moon" at 4 points.
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


def find_rank_key(result: int) -> str:
    return max((min_points, key) for min_points, key in CHART if min_points <= result)[1]
