"""State of the screens and of the guided first game, as frozen values."""

from __future__ import annotations

import datetime
import enum
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from armoon.games import game_names, game_options
from armoon.games.news import FinalNews, GuideFacts, ResultNews, Trials, UnfinishedGame, VerdictNews
from armoon.screens import events
from armoon.screens.form import Form
from armoon.screens.measuring import HandMeasurement, HeadMeasurement, PhraseRecording, ReactionMeasurement
from armoon.settings.preferences import Preferences
from armoon.values import replace
from armoon.values.acts import Act, Feature
from armoon.values.choices import BY_HAND, Device
from armoon.values.page import IN_PLACE, Rect
from armoon.values.places import HINT, TableChoice
from armoon.values.poses import Vec2


@dataclass(frozen=True)
class GuideStep:
    """A task of the guided game."""

    key: str
    """Key of its text below ``screens.guide``."""
    is_done: Callable[[GuideFacts], bool]
    hold_s: float
    """Seconds for which ``is_done`` must hold; reading time if it is always true."""
    usual_s: float
    has_device_texts: bool = False
    """Whether the text depends on the device; its key then ends in the device's name."""
    needs_hand: bool = False
    needs_carrying: bool = False
    """Whether players who choose places skip the step, because the simulated hand carries their ladders."""


STEPS: tuple[GuideStep, ...] = (
    GuideStep("show", lambda f: f.hand_seen, 1.0, 6.0, needs_hand=True),
    GuideStep("pinch", lambda f: f.hand_seen and f.pinching, 0.5, 6.0, needs_hand=True),
    GuideStep("open", lambda f: f.hand_seen and not f.pinching, 0.5, 4.0, needs_hand=True),
    GuideStep("roll", lambda f: f.offered or f.held, 0.3, 6.0, has_device_texts=True),
    GuideStep("side", lambda f: f.offered or f.held, 5.0, 5.0, has_device_texts=True, needs_carrying=True),
    GuideStep("hint", lambda f: f.hinted, 2.0, 6.0, has_device_texts=True, needs_carrying=True),
    GuideStep("take", lambda f: f.held, 0.3, 12.0, has_device_texts=True),
    GuideStep(
        "carry", lambda f: f.held and f.over_base, 0.5, 12.0, has_device_texts=True, needs_carrying=True
    ),
    GuideStep("ghost", lambda f: f.held, 5.0, 6.0, needs_carrying=True),
    GuideStep("waits", lambda f: f.waits, 0.5, 12.0, has_device_texts=True, needs_carrying=True),
    GuideStep(
        "touch", lambda f: f.held and f.touching >= 1 and f.good is True, 0.5, 14.0, needs_carrying=True
    ),
    GuideStep("let_go", lambda f: not f.held and (f.settling or f.judged), 0.0, 6.0, has_device_texts=True),
    GuideStep("judged", lambda f: f.stands, 2.0, 6.0),
    GuideStep("table", lambda f: f.turned, 0.5, 10.0, has_device_texts=True),
    GuideStep("die", lambda f: True, 8.0, 8.0),
    GuideStep("tears", lambda f: True, 6.0, 6.0),
    GuideStep("help", lambda f: True, 4.0, 4.0, has_device_texts=True),
)
_STEP_INDEX = {step.key: index for index, step in enumerate(STEPS)}
#: Minimum duration of a step, for reading its text, in seconds.
MIN_STEP_S = 2.5


@dataclass(frozen=True)
class GuidedGame:
    """Progress of the guided game."""

    step: int = 0
    seconds: float = 0.0
    held_s: float = 0.0
    """Seconds for which the step's condition has been true."""
    card: int = 0
    """Index of the card's area among those that the page offers."""
    is_repeated: bool = False
    """Whether the turn is repeated after a failed one."""

    @property
    def is_over(self) -> bool:
        return self.step >= len(STEPS)

    @property
    def text_name(self) -> str:
        if self.is_repeated and self.step == _STEP_INDEX["roll"]:
            return "again"
        return "end" if self.is_over else STEPS[self.step].key

    def text_key(self, device: Device, *, chooses: bool = False) -> str:
        key = f"screens.guide.{self.text_name}"
        if self.is_over or self.text_name == "again" or not STEPS[self.step].has_device_texts:
            return key
        return f"{key}.{'choice' if chooses else device.value}"

    def fit_to(self, device: Device, *, chooses: bool = False) -> GuidedGame:
        """Return the guide at the first step from here that applies to the player's device."""
        guide = self
        while not guide.is_over and (
            (STEPS[guide.step].needs_hand and (device is not Device.HAND or chooses))
            or (STEPS[guide.step].needs_carrying and chooses)
        ):
            guide = guide.next_step()
        return guide

    @property
    def progress(self) -> float:
        """Progress from 0 to 1, with each step weighted by its usual duration."""
        return sum(step.usual_s for step in STEPS[: self.step]) / sum(step.usual_s for step in STEPS)

    def advance(self, facts: GuideFacts, seconds: float) -> GuidedGame:
        if self.is_over:
            return self
        in_turn = _STEP_INDEX["roll"] < self.step <= _STEP_INDEX["judged"]
        if in_turn and facts.judged and not facts.stands:
            return GuidedGame(_STEP_INDEX["roll"], card=self.card, is_repeated=True)
        if in_turn and facts.stands and self.step != _STEP_INDEX["judged"]:
            return GuidedGame(_STEP_INDEX["judged"], card=self.card)
        if self.step == _STEP_INDEX["let_go"] and facts.held and facts.good is False:
            return GuidedGame(_STEP_INDEX["touch"], card=self.card)
        step = STEPS[self.step]
        later = self.seconds + seconds
        held_s = self.held_s + seconds if step.is_done(facts) else 0.0
        if step.is_done(facts) and held_s >= step.hold_s and later >= MIN_STEP_S:
            return self.next_step()
        return replace(self, seconds=later, held_s=held_s)

    def next_step(self) -> GuidedGame:
        return GuidedGame(min(self.step + 1, len(STEPS)), card=self.card)


class Key(enum.Enum):
    """Keys with a meaning on every page."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    ENTER = "enter"
    ESCAPE = "escape"
    TAB = "tab"
    BACKTAB = "backtab"
    BACKSPACE = "backspace"
    HELP = "help"


class SwitchEvent(enum.Enum):
    DOWN = "down"
    """The only switch was pressed, or the one of two that selects."""
    UP = "up"
    STEP = "step"
    """The switch that steps was pressed; only for players with two switches."""


class WidgetAction(enum.Enum):
    """A screen reader's action on a widget."""

    PRESS = "click"
    FOCUS = "focus"
    MORE = "increment"
    LESS = "decrement"


@dataclass(frozen=True)
class Scan:
    page: str = ""
    names: tuple[str, ...] = ()
    """The highlighted widgets: one, or all of a row; empty: none."""
    row: tuple[str, ...] = ()
    """The row being scanned; empty: the whole page is scanned."""
    seconds: float = 0.0
    """Time for which ``names`` have been highlighted."""
    rounds: int = 0
    pause_s: float = 0.0
    """Remaining time in which nothing is highlighted and presses are ignored, in seconds."""
    is_asleep: bool = False
    is_down: bool = False


@dataclass(frozen=True)
class OpenChoices:
    """The choices that are open at the table."""

    choices: tuple[TableChoice, ...] = ()
    sentence: str = ""
    """A sentence shown with the choices, such as during the search for places."""

    @property
    def has_hint(self) -> bool:
        return self.has(HINT)

    @property
    def awaits_release(self) -> bool:
        """Whether the simulated hand holds a ladder over a place until the player commands the release."""
        return self.has(Act.LET_GO.word)

    def has(self, name: str) -> bool:
        return any(choice.name == name for choice in self.choices)


#: Margin around the current widget for trembling hands, relative to the window: about 15 of 1280 pixels.
TREMOR_MARGIN = 0.012
#: Dwell time that presses a widget, in seconds; other dwell systems use 0.5 to 1.0 s.
DWELL_S = 0.8


class PageName(enum.Enum):
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
    TOWER = "tower"
    RESULT = "result"
    SCORES = "scores"
    REVIEW = "review"
    TRIALS = "trials"
    RESEARCH = "research"
    FAR = "far"
    PARTY = "party"


@dataclass(frozen=True)
class Dwell:
    """Progress of a hand's dwell on a widget."""

    widget: str | None = None
    side: int = 0
    """Part of a choice: -1 or 1 for an arrow, 2 for its name; 0 for other widgets."""
    seconds: float = 0.0
    blocked_area: Rect | None = None
    """Area of the last pressed widget; the hand must leave it before it can press again."""


@dataclass(frozen=True)
class RulesPosition:
    """Position in the rules: book, screen and step."""

    book: int = 0
    screen: int = 0
    step: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class KeysPageState:
    """State of the page that assigns keys."""

    group: int = 0
    waiting_act: str = ""
    """Act for which the page waits for a new key; empty: none."""
    taken_key: str = ""
    """Pressed key that belongs to another act; pressing it again swaps the keys of the two acts."""


@dataclass(frozen=True)
class Screens:
    """State of the screens; for each input, ``machine`` has a function that returns the next state."""

    form: Form = field(default_factory=Form)
    preferences: Preferences = field(default_factory=Preferences)
    games: tuple[str, ...] = ()
    dwell_s: float = DWELL_S
    aspect: float = 16.0 / 9.0
    height_px: int = 720
    scrolled: int | None = None
    """Index of the open screen of a page with very large text; None: the screen with the focus."""
    page: PageName = PageName.TITLE
    back: tuple[PageName, ...] = ()
    past_focus: tuple[str | None, ...] = ()
    focus: str | None = None
    focus_shown: bool = False
    """Whether to draw the focus, because keys or a gamepad were used last."""
    pointer: Vec2 | None = None
    hover: Vec2 | None = None
    active_choice: tuple[Vec2, str, int] | None = None
    """Point, widget name and side of the choice that the mouse last changed; None once the mouse has moved away."""
    dwell: Dwell = field(default_factory=Dwell)
    rested: float = 0.0
    """Progress of a resting mouse towards a click, 0 to 1."""
    editing: int = 0
    """Seat whose name or profile is being edited."""
    typed: str = ""
    date_key: str = "born"
    """Edited date: ``"born"`` or ``"full_moon"``."""
    date: datetime.date = datetime.date(2000, 1, 1)
    today: datetime.date = datetime.date(2000, 1, 1)
    camera: events.CameraStatus = events.CameraStatus()  # noqa: RUF009 - frozen
    seed: int = 0
    possible: frozenset[Act] = frozenset(Act) - {Act.LOOK_BACK}
    """Acts with a button on the table's pages that the game currently accepts."""
    unfinished: tuple[UnfinishedGame, ...] = ()
    temp_folder: str = ""
    """Temporary folder of saved games; empty if the usual folder can be used."""
    in_game: bool = False
    practice: bool = False
    party: tuple[str, ...] = ()
    verdict: VerdictNews | None = None
    final: FinalNews | None = None
    result: ResultNews | None = None
    alone_s: float = 0.0
    """Remaining time for which only the finished game's structure is shown, in seconds."""
    score: int | None = None
    """A team's current score; None without scoring."""
    best_score: int = 0
    """The team's best score; 0: none."""
    is_saved: bool = True
    """Whether the game is being saved."""
    is_awaiting_face: bool = False
    picture: str = ""
    """The sentence about the saved picture, if any."""
    scores: events.HighScores = events.HighScores()  # noqa: RUF009 - frozen
    review: events.ReviewState = events.ReviewState()  # noqa: RUF009 - frozen
    trials: Trials = Trials()  # noqa: RUF009 - frozen
    trial_group: int = 0
    trial_player: int = 0
    keys: KeysPageState = field(default_factory=KeysPageState)
    trial: events.StartTrial | None = None
    stopped_by: str = ""
    guide: GuidedGame | None = None
    table: events.TableSearch = field(default_factory=events.TableSearch)
    book_page: int = 0
    book: Mapping[str, tuple[events.FigureCount, ...]] = field(default_factory=dict, hash=False)
    """Players who have built each figure, the most frequent first."""
    device: Device = Device.HAND
    rules: RulesPosition = field(default_factory=RulesPosition)
    scan: Scan = Scan()
    measuring: ReactionMeasurement = ReactionMeasurement()  # noqa: RUF009 - frozen
    hand: HandMeasurement = HandMeasurement()  # noqa: RUF009 - frozen
    head: HeadMeasurement = HeadMeasurement()  # noqa: RUF009 - frozen
    phrases: PhraseRecording = PhraseRecording()  # noqa: RUF009 - frozen
    choices: OpenChoices = OpenChoices()
    is_trying_switch: bool = False
    """Whether a single switch was chosen at the first start; input from another device cancels the choice."""
    must_choose_way: bool = False
    """Whether the player must still choose a way to play, as at the first start."""
    numbers: tuple[tuple[str, Rect], ...] = ()
    """Name of each selectable place, and the area of its number in the picture."""
    tabbed: bool = False
    """Whether Tab has moved the focus at the table; Enter then presses the focused widget."""
    party_state: events.PartyState = events.PartyState()  # noqa: RUF009 - frozen
    remote_tables: events.RemoteTablesStatus = events.RemoteTablesStatus()  # noqa: RUF009 - frozen
    party_on_lan: bool = False
    common_preferences: Preferences | None = None
    """Everyone's preferences while the current player's own are in use; None if everyone's are in use."""
    on_turn: str = ""
    table_width_index: int = 4
    """Index of the chosen table width among the offered ones."""

    @property
    def features(self) -> frozenset[Feature]:
        return game_options(self.game).has

    @property
    def game(self) -> str:
        """Name of the game at the table; practice uses the first one."""
        if self.trial is not None:
            return self.trial.game
        return game_names()[0] if self.practice else self.form.game

    @property
    def draws_any(self) -> bool:
        return Feature.LADDER in self.features and self.form.options.draws_any and not self.practice

    @property
    def is_scanning(self) -> bool:
        """Whether widgets are scanned: for switch users, and on the page that asks for a switch."""
        return self.preferences.uses_switch or (
            self.must_choose_way and self.page is PageName.SWITCH and not self.focus_shown
        )

    @property
    def plays_without_hand(self) -> bool:
        return self.page is PageName.TABLE and self.preferences.way not in BY_HAND

    def active_choice_at(self, point: Vec2) -> tuple[str, int] | None:
        if self.active_choice is None or math.dist(self.active_choice[0], point) > TREMOR_MARGIN:
            return None
        return self.active_choice[1:]

    @property
    def has_large_text(self) -> bool:
        return self.preferences.text_scale > IN_PLACE

    @property
    def is_tall(self) -> bool:
        return self.aspect < 1.0

    def go_to(self, page: PageName) -> Screens:
        return self._with_page(page, (*self.back, self.page), (*self.past_focus, self.focus))

    def reset_to(self, page: PageName) -> Screens:
        return self._with_page(page, (), ())

    def cleared_for(self, page: PageName) -> Screens:
        return replace(
            self.reset_to(page),
            preferences=self.common_preferences or self.preferences,
            common_preferences=None,
            on_turn="",
            verdict=None,
            final=None,
            result=None,
            guide=None,
            score=None,
            is_awaiting_face=False,
            picture="",
            possible=self.possible - {Act.LOOK_BACK},
            choices=OpenChoices(),
        )

    def go_back(self) -> Screens:
        if not self.back:
            return self
        before = self._with_page(self.back[-1], self.back[:-1], self.past_focus[:-1])
        return replace(before, focus=self.past_focus[-1])

    def _with_page(self, page: PageName, back: tuple[PageName, ...], past: tuple[str | None, ...]) -> Screens:
        return replace(self, page=page, back=back, past_focus=past, focus=None, scrolled=None, tabbed=False)
