"""Whole games by keys, clicks, one switch and the head, each alone, through what the app itself hears."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.app_kit import FRAME_S, HEIGHT, WIDTH
from support.doors_kit import a_home
from support.evening_kit import Evening, towards, way_to
from support.face_kit import Sitter

from armoon.app.input_modes.head_front import settings_of
from armoon.app.input_modes.heads import as_mouse
from armoon.camera.seat import SEATS
from armoon.faces.pointing import HeadPointer
from armoon.games.contract.replay import verify
from armoon.games.moon.play import MoonGame
from armoon.geometry import project_table_points
from armoon.screens.machine import page_of
from armoon.screens.state import PageName
from armoon.settings.options import games_folder
from armoon.values.choices import ButtonKind, Way
from armoon.values.facts import PieceFacts, PieceStatus
from armoon.values.poses import Vec3
from armoon.view.window import Pointer

pytestmark = pytest.mark.slow
#: Beside the base there is nothing but the table under a ladder.
BESIDE: Vec3 = (-0.17, 0.0, 0.10)
PATIENCE_S = 60.0
#: Over everything that stands.
HIGH_M = 0.30
#: Nearer to the table than this a ladder that is let go of falls instead of waiting in the air.
NEAR_M = 0.012


class Person:
    """Somebody at an evening who plays in one way."""

    def __init__(self, way: Way, *, begun: bool = True) -> None:
        """At a game that has begun, or before the title."""
        self.evening = Evening("moon", "Ann,Ben", games=("moon",))
        if begun:
            self.evening.choose(*way_to("moon", self.evening.front.screens))
        front = self.evening.front
        preferences = replace(front.screens.preferences, way=way, button=ButtonKind.CLICK)
        front.screens = replace(front.screens, preferences=preferences)
        self.presses = 0

    @property
    def game(self) -> MoonGame:
        game = self.evening.game
        assert isinstance(game, MoonGame)
        return game

    def frame(self) -> None:
        """What the app does in a frame before it plays."""
        self.evening.live()
        if self.evening.screens.page is PageName.VERDICT:
            self.evening.back_to_the_table()

    def rest(self, seconds: float) -> None:
        end_s = self.evening.now_s + seconds
        while self.evening.now_s < end_s:
            self.frame()

    def until(self, true: Callable[[], bool], what: str) -> None:
        end_s = self.evening.now_s + PATIENCE_S
        while not true():
            said = (self.evening.screens.choices, self.evening.screens.guide, self.evening.screens.page)
            assert self.evening.now_s < end_s, f"waited in vain for {what}: {said}"
            self.frame()
            end_s += self.let_search()

    def let_search(self) -> float:
        """The search has a clock of its own: give it some of that, and say how much longer to be patient for it."""
        told = self.evening.screens.choices
        if told.choices or not told.said:
            return 0.0
        time.sleep(0.05)
        return FRAME_S

    def hold(self, name: str, seconds: float = 0.1) -> None:
        """A key goes down, and up again."""
        self.presses += 1
        for pressed in (True, False):
            front = self.evening.front
            if not front.key(name, pressed):
                self.evening.controls.key(name, pressed)
            self.rest(seconds if pressed else 0.1)

    @property
    def _counts(self) -> bool:
        """A press does something now."""
        return self.evening.screens.scan.rests_s <= 0.0

    def press_when_lit(self, name: str) -> None:
        """Wait until it is lit, as its group may be before, and press the one switch."""
        for _ in range(2):
            # Right after a press the next thing is marked already, but no press counts.
            self.until(lambda: name in self.evening.screens.scan.names and self._counts, name)
            alone = self.evening.screens.scan.names == (name,)
            self.rest(0.3)
            assert name in self.evening.screens.scan.names
            self.hold("j")
            if alone:
                return

    def hold_until(self, name: str, true: Callable[[], bool]) -> None:
        """A key stays down until what is seen is as wanted."""
        self.presses += 1
        self.evening.controls.key(name, True)
        self.until(true, name)
        self.evening.controls.key(name, False)
        self.rest(0.2)

    def point(self, place: Vec3, *, pressed: bool = False) -> None:
        """The mouse is over what is seen there."""
        seat = SEATS["mirror"](WIDTH, HEIGHT) if self.mirrored else SEATS["table"](WIDTH, HEIGHT)
        ((x, y),) = project_table_points(seat.camera, seat.table_from_camera, [place])
        across = (float(x) + 0.5) / WIDTH
        over = (1.0 - across if seat.mirrored else across, (float(y) + 0.5) / HEIGHT)
        pointer = Pointer(over, pressed, over=over)
        if not self.evening.front.pointer(pointer):
            self.evening.controls.pointer(pointer)

    def click(self, place: Vec3) -> None:
        self.presses += 1
        for pressed in (False, True, False):
            self.point(place, pressed=pressed)
            self.rest(0.1)

    @property
    def mirrored(self) -> bool:
        return self.game.match.table.mirrored

    def ready(self) -> bool:
        return self.game.match.over or (self.game.asks_for_roll and self.game.match.at_rest)

    @property
    def offered(self) -> Vec3 | None:
        pieces = self.game.match.facts.pieces
        return next((p.pose.position for p in pieces if p.status is PieceStatus.OFFERED), None)

    def play_out(self, turn: Callable[[], None]) -> None:
        """Turn after turn until the game is over; what was played is in the log to the bit."""
        while not self.game.match.over:
            self.until(self.ready, "the next turn")
            if not self.game.match.over:
                turn()
        self.evening.host.clear_table()
        (log,) = games_folder().glob("evening*.jsonl")
        assert verify(log).same


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return a_home(tmp_path, monkeypatch)


def test_a_whole_game_by_keys_alone(home: Path) -> None:
    """Space rolls, Enter takes and lets go, arrows and page keys carry: no key is held with another."""
    person = Person(Way.KEYS)
    turns = 0

    def held() -> PieceFacts:
        facts = person.game.match.facts
        assert facts.held is not None
        return facts[facts.held]

    def turn() -> None:
        nonlocal turns
        turns += 1
        person.hold("space")
        person.until(lambda: person.offered is not None, "a ladder")
        person.rest(0.3)
        person.hold("enter")
        assert person.game.match.holding
        person.hold("pageup", 1.2)
        person.hold_until("right" if person.mirrored else "left", lambda: held().pose.position[0] < BESIDE[0])
        person.hold_until("pagedown", lambda: held().lowest_m < NEAR_M)
        assert person.game.match.holding
        person.hold("enter")
        person.rest(0.5)
        assert not person.game.match.holding

    person.play_out(turn)
    assert turns >= 3
    assert person.presses == 6 * turns


def test_a_whole_game_by_clicks_alone(home: Path) -> None:
    """A click rolls, takes and lets go; nothing is held down, and what is held stays while the mouse rests."""
    person = Person(Way.MOUSE)
    turns = 0

    def turn() -> None:
        nonlocal turns
        turns += 1
        person.click((0.0, 0.0, 0.2))
        person.until(lambda: person.offered is not None, "a ladder")
        person.rest(0.3)
        offered = person.offered
        assert offered is not None
        person.click(offered)
        person.rest(0.5)
        assert person.game.match.holding
        high, low = (BESIDE[0], BESIDE[1], HIGH_M), (BESIDE[0], BESIDE[1], offered[2] - 0.006)
        for place in ((offered[0], offered[1], HIGH_M), high, low):
            person.point(place)
            person.rest(0.8)
        assert person.game.match.holding, f"it slipped: {person.evening.glass}"
        person.click(low)
        person.rest(0.5)
        assert not person.game.match.holding

    person.play_out(turn)
    assert turns >= 3
    assert person.presses == 3 * turns


def test_a_whole_game_by_one_switch(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first ladder goes to the best place that is offered; the others are carried freely, and go beside."""
    monkeypatch.setattr("armoon.games.moon.choosing.offers.SEARCH_S", 900.0)  # however busy the machine is
    person = Person(Way.SWITCH)
    turns = 0

    def turn() -> None:
        nonlocal turns
        turns += 1
        person.press_when_lit("choose roll")
        if turns == 1:
            person.press_when_lit("choose place 1")
            person.press_when_lit("choose let_go")
            person.until(lambda: person.game.turns_played == 1, "the verdict")
            (placed,) = person.game.match.placed_by.items()
            assert placed[1] == 0, (
                "it was judged where it stands; how often that is as wanted is measured elsewhere"
            )
            assert person.game.match.places_chosen == [1, 0]
            return
        person.press_when_lit("choose free")
        person.press_when_lit("choose right" if person.mirrored else "choose left")
        person.until(lambda: held_x() < BESIDE[0], "the ladder beside the base")
        person.press_when_lit("choose stop")
        person.press_when_lit("choose let_go")
        person.until(lambda: not person.game.match.holding, "the ladder let go of")

    def held_x() -> float:
        facts = person.game.match.facts
        return math.inf if facts.held is None else facts[facts.held].pose.position[0]

    person.play_out(turn)
    assert turns >= 3


def test_the_guided_first_game_by_one_switch(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the title to the choice of a real game, by nothing but one key."""
    monkeypatch.setattr("armoon.games.moon.choosing.offers.SEARCH_S", 900.0)  # however busy the machine is
    person = Person(Way.SWITCH, begun=False)
    seen: list[str] = []

    def step() -> str:
        guide = person.evening.screens.guide
        return "" if guide is None else guide.name

    def comes_to(name: str) -> None:
        person.until(lambda: step() == name, f"the step {name}")
        seen.append(name)

    person.press_when_lit("guide")
    for name, choice in (("roll", "roll"), ("take", "place 1"), ("let_go", "let_go")):
        comes_to(name)
        person.press_when_lit(f"choose {choice}")
    comes_to("table")
    person.press_when_lit("turn right")
    comes_to("die")
    person.press_when_lit("next")
    comes_to("tears")
    person.press_when_lit("next")
    comes_to("end")
    person.press_when_lit("next")
    person.until(lambda: person.evening.screens.page is PageName.GAME, "the choice of a game")
    assert seen == ["roll", "take", "let_go", "table", "die", "tears", "end"]


class Steered:
    """A person's head before the camera, frame by frame with the game."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.sitter = Sitter(rate_hz=1.0 / FRAME_S)
        self.pointer = HeadPointer(settings_of(person.evening.front.screens))

    def frame(self, right_deg: float = 0.0, down_deg: float = 0.0, *, mouth: float = 0.03) -> None:
        front = self.person.evening.front
        head = self.sitter.head(right_deg, -down_deg, mouth=mouth)
        over = front.head(self.pointer.see(self.sitter.frame(head)))
        if over is not None:
            self.person.evening.controls.pointer(as_mouse(over))
        self.person.frame()

    def press(self, name: str) -> None:
        """Turn towards it until the pointer is on it, and open the mouth."""
        end_s = self.person.evening.now_s + PATIENCE_S
        while True:
            assert self.person.evening.now_s < end_s, f"the head never comes to {name}"
            screens = self.person.evening.screens
            widget = next((one for one in page_of(screens).widgets if one.name == name), None)
            if widget is None or self.pointer.trouble or screens.pointer is None:
                self.frame()
                end_s += self.person.let_search()
                continue
            off = [to - at for to, at in zip(widget.rect.centre, screens.pointer, strict=True)]
            if max(abs(part) for part in off) < 0.025:
                break
            self.frame(*(towards(part) for part in off))
        for mouth in (0.4,) * round(0.5 / FRAME_S) + (0.03,) * 3:
            self.frame(mouth=mouth)
        self.person.presses += 1


def test_a_whole_game_by_the_head_alone(home: Path) -> None:
    """Turned it moves the pointer, the mouth presses: nothing else is touched; each ladder goes beside."""
    person = Person(Way.HEAD)
    steered = Steered(person)
    turns = 0

    def held_x() -> float:
        facts = person.game.match.facts
        return math.inf if facts.held is None else facts[facts.held].pose.position[0]

    def turn() -> None:
        nonlocal turns
        turns += 1
        for name in ("choose roll", "choose free", "choose right" if person.mirrored else "choose left"):
            steered.press(name)
        end_s = person.evening.now_s + PATIENCE_S
        while held_x() >= BESIDE[0]:
            assert person.evening.now_s < end_s
            steered.frame()
        steered.press("choose stop")
        if turns == 1:  # the face is lost in mid-turn: what is held stays held, and the game goes on
            for _ in range(round(3.0 / FRAME_S)):
                front = person.evening.front
                front.head(steered.pointer.see(steered.sitter.frame()))
                person.frame()
            assert person.game.match.holding
            assert steered.pointer.trouble == "head.nobody"
        steered.press("choose let_go")
        person.until(lambda: not person.game.match.holding, "the ladder let go of")

    person.play_out(turn)
    assert turns >= 3
    assert person.presses == 5 * turns
