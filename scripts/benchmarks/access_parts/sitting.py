"""A table with its screens in front, as an evening has it, without window and picture: one ladder is placed at it."""

from __future__ import annotations

import time
from dataclasses import replace

from armoon import __version__
from armoon.app.front import Front
from armoon.app.input_modes.heads import as_mouse
from armoon.app.sources import Fed
from armoon.app.table import Table, mouse_for
from armoon.camera.seat import SEATS
from armoon.engine.setup import table_at
from armoon.faces.pointing import HeadPointing
from armoon.games.moon.choosing.above import SeekerAbove
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.play import MoonGame
from armoon.games.moon.rules.values import Verdict
from armoon.games.moon.setup import MoonSetup
from armoon.hands.pose.metric import DEFAULT_PALM_M
from armoon.inputs.steady import SteadyGrip
from armoon.placement.question import Answer, Question
from armoon.placement.search import PlaceSearch
from armoon.screens.actions import Choose, TurnTable
from armoon.screens.machine import first_screens, page_of
from armoon.screens.state import PageName
from armoon.settings.options import PlayOptions
from armoon.settings.preferences import Preferences
from armoon.settings.table import Settings
from armoon.sinks.hub import Sinks
from armoon.values.choices import Slots, Way
from armoon.values.intents import CommandKind
from armoon.values.page import Page
from armoon.values.poses import Vec2
from armoon.world.structures.structure import Structure
from armoon.world.structures.towers import CONFIGURATION
from benchmarks.placement_parts.cases import EDITION, PLAYERS, Case
from benchmarks.placement_parts.table import started

SIZE = (640, 360)
FRAME_S = 1.0 / 30.0


class Remembered(PlaceSearch):
    """A search that is asked the same by every way, and searches once."""

    _answers: dict[tuple[object, ...], Answer] | None = None
    _asked: tuple[object, ...] = ()

    def ask(self, question: Question) -> None:
        """Begin only what isn't known yet."""
        self._answers = {} if self._answers is None else self._answers
        places = tuple(
            (name, tuple(round(v, 4) for v in pose.position)) for name, pose, _ in question.standing
        )
        self._asked = (places, question.piece, question.wanted)
        if self._asked not in self._answers:
            super().ask(question)

    def wait(self, seconds: float = 60.0) -> Answer:
        """What was found, now or for another way."""
        assert self._answers is not None
        if self._asked not in self._answers:
            until = time.monotonic() + seconds
            while not (answer := super().answers()).done and time.monotonic() < until:
                time.sleep(0.01)
            self._answers[self._asked] = answer
        return self._answers[self._asked]

    def answers(self, standing: object = None) -> Answer:
        """The same."""
        return (self._answers or {}).get(self._asked, Answer())

    def close(self) -> None:
        """A table that is left ends nothing: the next asks as well."""

    def end(self) -> None:
        """End the processes."""
        super().close()


class Sitting:
    """One fresh table with this structure on it; close it."""

    def __init__(
        self, structure: Structure, seed: int, preferences: Preferences, search: Remembered | None
    ) -> None:
        placed = tuple((name, pose) for name, pose, fixed in structure.standing if not fixed)
        case = Case(seed, len(structure.standing), placed)
        seat = SEATS["table"](*SIZE)
        match = MoonMatch(
            table_at(seat, __version__, DEFAULT_PALM_M),
            MoonSetup(
                seed=seed,
                edition=EDITION,
                players=PLAYERS,
                auto_roll_s=None,
                slots=Slots(CONFIGURATION),
                start=started(case) if placed else None,
            ),
        )
        self.search = search or Remembered(match.ladders, match.base, make=SeekerAbove, niceness=0)
        self.game = MoonGame(match, on_time=False, search=self.search)
        screens = first_screens(Settings(players=PLAYERS), preferences)
        self.front = Front(replace(screens.home(PageName.TABLE), in_game=True, party=PLAYERS))
        steady = SteadyGrip(seat.table_from_camera, seat.mirrored, "keys")
        mouse = mouse_for(PlayOptions(button=preferences.button), seat)
        self.table = Table(self.game, Sinks(), mouse=mouse, steady=steady)
        self.now_s = 0.0
        self.presses = 0
        self.verdict: Verdict | None = None

    @property
    def page(self) -> Page:
        """What is seen."""
        return page_of(self.front.screens)

    def close(self) -> None:
        """Leave the table; the search goes on for the next."""
        self.table.close()

    def frame(self) -> None:
        """As the evening does it."""
        self.now_s += FRAME_S
        self.front.passed(self.now_s)
        for action in self.front.take_actions():
            if isinstance(action, Choose):
                self.table.choose(action.name)
            elif isinstance(action, TurnTable):
                self.table.ask(CommandKind.TURN, action.by_deg)
        self.table.offer(self.front.screens.preferences.chooses, self.front.looked_at)
        out = self.table.advance(Fed(), self.now_s, None if self.front.running else "screen")
        for event in self.table.news(out):
            self.front.tell(event)
        verdicts = getattr(out, "verdicts", ())
        if verdicts and self.verdict is None:
            self.verdict = verdicts[0]

    # Devices, as the app hands on what the window says ----------------------------------------------------------

    def key(self, name: str, pressed: bool) -> None:
        """A key."""
        self.presses += pressed
        if not self.front.key(name, pressed):
            self.table.controls.key(name, pressed)

    def pad(self, name: str, pressed: bool) -> None:
        """A gamepad's button."""
        self.presses += pressed
        if not self.front.pad(name, pressed):
            self.table.controls.pad(name, pressed)

    def head(self, pointing: HeadPointing | None) -> None:
        """A head before the camera, as it was seen in a frame."""
        over = self.front.head(pointing)
        if over is not None:
            self.table.controls.pointer(as_mouse(over))

    def point(self, place: Vec2, pressed: bool, before: bool) -> None:
        """The mouse."""
        from armoon.view.window import Pointer

        self.presses += pressed and not before
        pointer = Pointer(place, pressed, over=place)
        if not self.front.pointer(pointer):
            self.table.controls.pointer(pointer)


def preferences_for(way: Way, period_s: float) -> Preferences:
    """What somebody who plays so has set."""
    return Preferences(way=way, choosing=True, scan_s=period_s)
