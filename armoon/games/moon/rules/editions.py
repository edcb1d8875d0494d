"""The two published editions and the house options of the moon game, as data (rulings M1 to M4)."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from armoon.games.moon.rules.values import Die, PieceId
from armoon.games.shared.seating import FirstBy
from armoon.values.choices import OneHand, Word
from armoon.values.player_settings import Guidance, Handicap, VisualAids, handicap_of_seat
from armoon.values.poses import PoseRow


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
