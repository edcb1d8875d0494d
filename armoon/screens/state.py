"""The state of the screens: one frozen value, and the small steps from one to the next."""

from __future__ import annotations

import datetime
import enum
import math
from dataclasses import dataclass, field

from armoon.games import game_names, game_options
from armoon.games.contract.library import Unfinished
from armoon.games.news import FinalNews, ResultNews, VerdictNews
from armoon.screens import events
from armoon.screens.form import Form
from armoon.screens.guide import GuidedGame
from armoon.screens.input import OpenChoices, Scan
from armoon.screens.measuring import HandMeasuring, HeadMeasuring, Measuring, OwnPhrases
from armoon.settings.preferences import Preferences
from armoon.values import replace
from armoon.values.acts import Act, Feature
from armoon.values.choices import Device, Way
from armoon.values.page import IN_PLACE, Rect
from armoon.values.poses import Vec2

#: Margin by which a trembling hand leaves a widget, in parts of the window: about 15 px of 1280.
STEADY = 0.012
#: Rest on a widget that presses it, seconds; dwell systems use 0.5 to 1.0 s.
DWELL_S = 0.8


class PageName(enum.Enum):
    """Every page."""

    TITLE = "title"
    MORE = "more"
    UNFINISHED = "unfinished"
    GAME = "game"
    PLAYERS = "players"
    NAME = "name"
    PROFILE = "profile"
    HANDICAP = "handicap"
    HABITS = "habits"
    DATE = "date"
    EDITION = "edition"
    OPTIONS = "options"
    FIRST = "first"
    SEAT = "seat"
    LEARN = "learn"
    OTHERS = "others"
    PRACTICE = "practice"
    WAY = "way"
    SWITCH = "switch"
    PLAYING = "playing"
    MEASURE = "measure"
    MOVING = "moving"
    MOVING_MEASURE = "moving_measure"
    HEAD = "head"
    HEAD_MEASURE = "head_measure"
    PHRASES = "phrases"
    KEYS = "keys"
    SEEING = "seeing"
    SETTINGS = "settings"
    HEARING = "hearing"
    CAMERA = "camera"
    DEPTH = "depth"
    KIT = "kit"
    CARD = "card"
    GUIDE = "guide"
    BOOK = "book"
    RULES = "rules"
    FIND = "find"
    TABLE = "table"
    PAUSE = "pause"
    OVERRULE = "overrule"
    LEAVE = "leave"
    GIVE_UP = "give_up"
    QUIT = "quit"
    VERDICT = "verdict"
    FINAL = "final"
    RESULT = "result"
    SCORES = "scores"
    REVIEW = "review"
    TRIALS = "trials"
    RESEARCH = "research"
    FAR = "far"
    PARTY = "party"


@dataclass(frozen=True)
class Dwell:
    """Progress of a hand's rest on a widget."""

    widget: str | None = None
    side: int = 0
    seconds: float = 0.0
    spent: Rect | None = None
    """The widget pressed last, which the hand has to leave first."""


@dataclass(frozen=True)
class RulesAt:
    """The open page of the rules."""

    book: int = 0
    screen: int = 0
    step: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class KeysAt:
    """State of the page of keys."""

    group: int = 0
    waits: str = ""
    """The act that waits for a key."""
    asked: str = ""
    """Another act's key: a second press swaps the two."""


@dataclass(frozen=True)
class Screens:
    """State of the screens; ``machine.hear`` returns the next one."""

    form: Form = field(default_factory=Form)
    preferences: Preferences = field(default_factory=Preferences)
    games: tuple[str, ...] = ()
    dwell_s: float = DWELL_S
    aspect: float = 16.0 / 9.0
    height_px: int = 720
    scrolled: int | None = None
    """In very large letters, the number of the page's screen; None: with the focus."""
    page: PageName = PageName.TITLE
    back: tuple[PageName, ...] = ()
    left_at: tuple[str | None, ...] = ()
    focus: str | None = None
    focus_shown: bool = False
    """The focus is drawn, as keys or a gamepad were used last."""
    pointer: Vec2 | None = None
    hover: Vec2 | None = None
    in_use: tuple[Vec2, str, int] | None = None
    """Place, name and side of a choice turned by the mouse, which keeps it until it moves on."""
    dwell: Dwell = field(default_factory=Dwell)
    rested: float = 0.0
    """Share of a mouse's resting time until its click."""
    editing: int = 0
    """Seat of the name or profile being edited."""
    typed: str = ""
    dating: str = "born"
    """``"born"`` or ``"full_moon"``."""
    date: datetime.date = datetime.date(2000, 1, 1)
    today: datetime.date = datetime.date(2000, 1, 1)
    camera: events.CameraStatus = events.CameraStatus()  # noqa: RUF009 - frozen
    seed: int = 0
    possible: frozenset[Act] = frozenset({Act.UNDO, Act.TIP, Act.HINT, Act.GIVE_UP})
    """Possible acts among undo, look back, tip, hint and give up."""
    unfinished: tuple[Unfinished, ...] = ()
    elsewhere: str = ""
    in_game: bool = False
    practice: bool = False
    party: tuple[str, ...] = ()
    verdict: VerdictNews | None = None
    final: FinalNews | None = None
    result: ResultNews | None = None
    score: int | None = None
    """A team's score now; None while scoring is refused."""
    best_score: int = 0
    """Its best score; 0: none."""
    kept: bool = True
    asks_face: bool = False
    picture: str = ""
    """The sentence about the saved picture, if any."""
    scores: events.HighScores = events.HighScores()  # noqa: RUF009 - frozen
    review: events.ReviewState = events.ReviewState()  # noqa: RUF009 - frozen
    trials: events.TrialList = events.TrialList()  # noqa: RUF009 - frozen
    trial_group: int = 0
    trial_player: int = 0
    keys: KeysAt = field(default_factory=KeysAt)
    trial: events.StartTrial | None = None
    stopped_by: str = ""
    guide: GuidedGame | None = None
    table: events.TableSearch = field(default_factory=events.TableSearch)
    leaf: int = 0
    book: events.FigureBook = field(default_factory=events.FigureBook)
    device: Device = Device.HAND
    rules: RulesAt = field(default_factory=RulesAt)
    scan: Scan = Scan()  # noqa: RUF009 - frozen
    measuring: Measuring = Measuring()  # noqa: RUF009 - frozen
    hand: HandMeasuring = HandMeasuring()  # noqa: RUF009 - frozen
    head: HeadMeasuring = HeadMeasuring()  # noqa: RUF009 - frozen
    phrases: OwnPhrases = OwnPhrases()  # noqa: RUF009 - frozen
    choices: OpenChoices = OpenChoices()  # noqa: RUF009 - frozen
    tries_switch: bool = False
    """The first start's question was answered with one switch, perhaps by mistake."""
    asks_way: bool = False
    """The first start: the way to play is unknown."""
    numbers: tuple[tuple[str, Rect], ...] = ()
    """Places of the numbers of offered places in the picture, by the choice's name."""
    walked: bool = False
    """At the table: Tab moved the focus, so Enter presses it."""
    on_air: events.PartyState = events.PartyState()  # noqa: RUF009 - frozen
    far: events.FarTold = events.FarTold()  # noqa: RUF009 - frozen
    lan: bool = False
    house: Preferences | None = None
    """The preferences without the habits of the player on turn, if different."""
    on_turn: str = ""
    side: int = 4
    """Index of the length of the table's near side."""

    @property
    def has(self) -> frozenset[Feature]:
        return game_options(self.playing).has

    @property
    def playing(self) -> str:
        """The game at the table; practice uses the first one."""
        if self.trial is not None:
            return self.trial.game
        return game_names()[0] if self.practice else self.form.game

    @property
    def draws_any(self) -> bool:
        return Feature.LADDER in self.has and self.form.options.traits.draws_any and not self.practice

    @property
    def scans(self) -> bool:
        """Whether widgets are scanned: for switch users, and while asking for one."""
        return self.preferences.scans or (
            self.asks_way and self.page is PageName.SWITCH and not self.focus_shown
        )

    @property
    def handless(self) -> bool:
        return self.page is PageName.TABLE and self.preferences.way not in (Way.HAND, Way.CARD)

    def in_use_at(self, place: Vec2) -> tuple[str, int] | None:
        if self.in_use is None or math.dist(self.in_use[0], place) > STEADY:
            return None
        return self.in_use[1:]

    @property
    def large(self) -> bool:
        return self.preferences.text_scale > IN_PLACE

    @property
    def tall(self) -> bool:
        return self.aspect < 1.0

    def to(self, page: PageName) -> Screens:
        return self._at(page, (*self.back, self.page), (*self.left_at, self.focus))

    def home(self, page: PageName) -> Screens:
        return self._at(page, (), ())

    def cleared(self, page: PageName) -> Screens:
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
            choices=OpenChoices(),
        )

    def returned(self) -> Screens:
        if not self.back:
            return self
        before = self._at(self.back[-1], self.back[:-1], self.left_at[:-1])
        return replace(before, focus=self.left_at[-1])

    def _at(self, page: PageName, back: tuple[PageName, ...], left_at: tuple[str | None, ...]) -> Screens:
        return replace(self, page=page, back=back, left_at=left_at, focus=None, scrolled=None, walked=False)
