"""The state of the screens: one frozen value, and the small steps from one to the next."""

from __future__ import annotations

import datetime
import enum
import math
from dataclasses import dataclass, field, replace

from armoon.games import game_names, game_options
from armoon.games.contract.library import Unfinished
from armoon.games.news import FinalNews, ResultNews, VerdictNews
from armoon.screens import events
from armoon.screens.form import Form
from armoon.screens.guide import Guide
from armoon.screens.input import ChoicesTold, Scan
from armoon.screens.measuring import HandMeasuring, HeadMeasuring, Measuring, OwnPhrases
from armoon.settings.preferences import Preferences
from armoon.values.acts import Act, Feature
from armoon.values.choices import Device, Way
from armoon.values.page import IN_PLACE, Rect
from armoon.values.poses import Vec2

#: A resting hand trembles: it has left a widget when it is this far outside, in parts of the window
#: (about 15 px of 1280, the 12 to 20 px that help for tremor).
STEADY = 0.012
#: A hand rests this long on a widget to press it: within the 0.5 to 1.0 s that dwell systems use.
DWELL_S = 0.8


class PageName(enum.Enum):
    """Every page."""

    TITLE = "title"
    MORE = "more"
    """What the next game is played with, and the pages that change it."""
    UNFINISHED = "unfinished"
    """Which of several games goes on."""
    GAME = "game"
    PLAYERS = "players"
    NAME = "name"
    PROFILE = "profile"
    """What one player has settled for all games."""
    HANDICAP = "handicap"
    """What makes the game even for a player."""
    HABITS = "habits"
    """What a player plays with."""
    DATE = "date"
    """A player's birthday, or the day of a full moon."""
    EDITION = "edition"
    OPTIONS = "options"
    FIRST = "first"
    SEAT = "seat"
    LEARN = "learn"
    OTHERS = "others"
    """Playing with other people: a party, two tables."""
    PRACTICE = "practice"
    WAY = "way"
    SWITCH = "switch"
    """Was it a switch that was pressed?"""
    PLAYING = "playing"
    """How it is played with that."""
    MEASURE = "measure"
    MOVING = "moving"
    MOVING_MEASURE = "moving_measure"
    """Its tremor, its reach and its grip."""
    HEAD = "head"
    HEAD_MEASURE = "head_measure"
    """How far a head turns, how still it is, and how a mouth opens."""
    PHRASES = "phrases"
    KEYS = "keys"
    SEEING = "seeing"
    SETTINGS = "settings"
    HEARING = "hearing"
    CAMERA = "camera"
    """Which camera looks at the table, or none."""
    DEPTH = "depth"
    KIT = "kit"
    """The paper kit: a ladder of paper in the hand."""
    CARD = "card"
    GUIDE = "guide"
    BOOK = "book"
    RULES = "rules"
    FIND = "find"
    """The real table is being found."""
    TABLE = "table"
    """The game itself: nothing but a button to pause it."""
    PAUSE = "pause"
    OVERRULE = "overrule"
    LEAVE = "leave"
    GIVE_UP = "give_up"
    QUIT = "quit"
    VERDICT = "verdict"
    FINAL = "final"
    RESULT = "result"
    SCORES = "scores"
    """A team's chart of ranks, and the high scores."""
    REVIEW = "review"
    """How safe each turn of the game that is over was."""
    TRIALS = "trials"
    RESEARCH = "research"
    """May the last trial's landmarks be written into a file to give away?"""
    FAR = "far"
    """Other tables are invited to a game, or this one joins another's."""
    PARTY = "party"
    """Others look on and vote: who can see what, and where."""


@dataclass(frozen=True)
class Dwell:
    """A hand that rests on a widget."""

    widget: str | None = None
    side: int = 0
    """The arrow of a choice: -1 or 1."""
    seconds: float = 0.0
    spent: Rect | None = None
    """What was pressed last: the hand has to leave it before it can press again."""


@dataclass(frozen=True)
class RulesAt:
    """Where the rules are open."""

    book: int = 0
    """Which of the games and their editions, where there is a choice."""
    screen: int = 0
    step: int = 0
    seconds: float = 0.0
    """For how long its picture has been moving."""


@dataclass(frozen=True)
class KeysAt:
    """Where the page of keys is open."""

    group: int = 0
    waits: str = ""
    """The act for which a key is to be pressed."""
    asked: str = ""
    """A key that another act has: pressed once more, the two change places."""


@dataclass(frozen=True)
class Screens:
    """The whole state; ``machine.hear`` gives the next one."""

    form: Form = field(default_factory=Form)
    preferences: Preferences = field(default_factory=Preferences)
    games: tuple[str, ...] = ()
    """The games that can be played on this table."""
    dwell_s: float = DWELL_S
    aspect: float = 16.0 / 9.0
    """The window's width over its height."""
    height_px: int = 720
    """The window's."""
    scrolled: int | None = None
    """In very large letters, which screen of the page was turned to; None: where the focus is."""
    page: PageName = PageName.TITLE
    back: tuple[PageName, ...] = ()
    """The pages to go back to, the nearest last."""
    left_at: tuple[str | None, ...] = ()
    """For each of them, the widget that had the focus there."""
    focus: str | None = None
    focus_shown: bool = False
    """Keys or a gamepad were used last, so the focus is drawn."""
    pointer: Vec2 | None = None
    """Where a hand points."""
    hover: Vec2 | None = None
    """Where any pointer was last."""
    in_use: tuple[Vec2, str, int] | None = None
    """Where the mouse turned a choice, its name and the side: it stays this one's place until the mouse moves on."""
    dwell: Dwell = field(default_factory=Dwell)
    rested: float = 0.0
    """The share of the resting time that is over, after which a resting mouse clicks."""
    editing: int = 0
    """The seat whose name is being typed, or whose profile is open."""
    typed: str = ""
    dating: str = "born"
    """What the date is of: ``"born"`` or ``"full_moon"``."""
    date: datetime.date = datetime.date(2000, 1, 1)
    """The date that is being set."""
    today: datetime.date = datetime.date(2000, 1, 1)
    """The day on which the program was started."""
    camera: events.CameraTold = events.CameraTold()  # noqa: RUF009 - frozen
    """The camera in use, and the others that could be."""
    seed: int = 0
    """Seed of the next game."""
    possible: frozenset[Act] = frozenset({Act.UNDO, Act.TIP, Act.HINT, Act.GIVE_UP})
    """What can be done now of: undo a turn, see a verdict once more, turn what is offered on its next side, give up."""
    unfinished: tuple[Unfinished, ...] = ()
    """The games that can go on, the one played last first."""
    elsewhere: str = ""
    """The folder that takes games and profiles because the home can't be written."""
    in_game: bool = False
    practice: bool = False
    party: tuple[str, ...] = ()
    """The names at the table."""
    verdict: VerdictNews | None = None
    final: FinalNews | None = None
    result: ResultNews | None = None
    score: int | None = None
    """What a team would score now; None while that would be refused."""
    best_score: int = 0
    """What its best scoring came to; 0: none did."""
    kept: bool = True
    """The game at the table is being saved."""
    asks_face: bool = False
    """A real die is to be thrown and told."""
    picture: str = ""
    """The sentence about the saved picture; empty: none was asked for."""
    scores: events.ScoresTold = events.ScoresTold()  # noqa: RUF009 - frozen
    review: events.ReviewTold = events.ReviewTold()  # noqa: RUF009 - frozen
    trials: events.TrialsTold = events.TrialsTold()  # noqa: RUF009 - frozen
    trial_group: int = 0
    trial_player: int = 0
    """Where the page of trials is open."""
    keys: KeysAt = field(default_factory=KeysAt)
    trial: events.StartTrial | None = None
    """The trial that is played, or was last."""
    stopped_by: str = ""
    """Why the table was paused, if no player asked for it."""
    guide: Guide | None = None
    table: events.TableTold = field(default_factory=events.TableTold)
    leaf: int = 0
    """The page at which the book of figures is open."""
    book: events.BookTold = field(default_factory=events.BookTold)
    device: Device = Device.HAND
    """What was played with last."""
    rules: RulesAt = field(default_factory=RulesAt)
    scan: Scan = Scan()  # noqa: RUF009 - frozen
    """The highlighted choice, for switch users."""
    measuring: Measuring = Measuring()  # noqa: RUF009 - frozen
    hand: HandMeasuring = HandMeasuring()  # noqa: RUF009 - frozen
    head: HeadMeasuring = HeadMeasuring()  # noqa: RUF009 - frozen
    phrases: OwnPhrases = OwnPhrases()  # noqa: RUF009 - frozen
    choices: ChoicesTold = ChoicesTold()  # noqa: RUF009 - frozen
    tries_switch: bool = False
    """The question at the first start was answered with one switch, perhaps by mistake."""
    asks_way: bool = False
    """The first start: nobody has shown yet with what they play."""
    numbers: tuple[tuple[str, Rect], ...] = ()
    """Places of the numbers of offered places in the picture, by the choice's name."""
    walked: bool = False
    """At the table: the focus was moved on purpose, so Enter presses it and isn't the game's."""
    on_air: events.OnAirTold = events.OnAirTold()  # noqa: RUF009 - frozen
    far: events.FarTold = events.FarTold()  # noqa: RUF009 - frozen
    lan: bool = False
    """The party that begins next is for the whole network."""
    house: Preferences | None = None
    """The preferences without the habits of the player on turn; None: ``preferences`` are those."""
    on_turn: str = ""
    """The player whose habits hold."""
    side: int = 4
    """Index of the length of the table's near side."""

    @property
    def has(self) -> frozenset[Feature]:
        return game_options(self.playing).has

    @property
    def playing(self) -> str:
        """The game at the table; what is practised is the house's usual one."""
        if self.trial is not None:
            return self.trial.game
        return game_names()[0] if self.practice else self.form.game

    @property
    def draws_any(self) -> bool:
        return Feature.LADDER in self.has and self.form.options.traits.draws_any and not self.practice

    @property
    def scans(self) -> bool:
        """Things are lit one after the other: for switch users, and where it is asked whether one is there."""
        return self.preferences.scans or (
            self.asks_way and self.page is PageName.SWITCH and not self.focus_shown
        )

    @property
    def handless(self) -> bool:
        return self.page is PageName.TABLE and self.preferences.way not in (Way.HAND, Way.CARD)

    def in_use_at(self, place: Vec2) -> tuple[str, int] | None:
        """Return the choice that the mouse is turning at this place, by its name, and the side."""
        if self.in_use is None or math.dist(self.in_use[0], place) > STEADY:
            return None
        return self.in_use[1:]

    @property
    def large(self) -> bool:
        return self.preferences.text_scale > IN_PLACE

    @property
    def tall(self) -> bool:
        """The window is higher than wide: things stand in one column."""
        return self.aspect < 1.0

    def to(self, page: PageName) -> Screens:
        return self._at(page, (*self.back, self.page), (*self.left_at, self.focus))

    def home(self, page: PageName) -> Screens:
        return self._at(page, (), ())

    def cleared(self, page: PageName) -> Screens:
        """Go back to a page, and drop all news of the game."""
        return replace(
            self.home(page),
            preferences=self.house or self.preferences,
            house=None,
            on_turn="",
            verdict=None,
            final=None,
            result=None,
            guide=None,
            score=None,
            asks_face=False,
            picture="",
            possible=self.possible - {Act.LOOK_BACK},
            choices=ChoicesTold(),
        )

    def returned(self) -> Screens:
        """One page back, to the widget that had the focus there; stays where there is no page."""
        if not self.back:
            return self
        before = self._at(self.back[-1], self.back[:-1], self.left_at[:-1])
        return replace(before, focus=self.left_at[-1])

    def _at(self, page: PageName, back: tuple[PageName, ...], left_at: tuple[str | None, ...]) -> Screens:
        return replace(self, page=page, back=back, left_at=left_at, focus=None, scrolled=None, walked=False)
