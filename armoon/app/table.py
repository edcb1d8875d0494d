"""A game at the table of an evening: its session, its news for the screens, and its last seconds."""

from __future__ import annotations

from collections import deque
from contextlib import ExitStack
from typing import TYPE_CHECKING

import cv2
import numpy as np

from armoon.app.feed import Fed, Feed
from armoon.app.laying import start_camera
from armoon.app.live import Pause
from armoon.app.pictures import Picture
from armoon.app.session import Onlooker, Session
from armoon.clock import Clock, FixedStep
from armoon.engine.intake import Intake
from armoon.inputs.controls import Controls
from armoon.inputs.mouse import MouseGrip
from armoon.messages import text
from armoon.screens.events import Event, GuideTold
from armoon.settings.options import PlayOptions
from armoon.sound.cues import SoundCue
from armoon.values.intents import Command, CommandKind
from armoon.values.poses import Pose
from armoon.values.scene import Scene

if TYPE_CHECKING:
    from armoon.players.demo import DemoCamera

#: "Show again" shows so much, at the rate in which pictures came.
AGAIN_S = 3.0
#: Pictures for it are kept no wider than this: 90 of them are 60 MB.
AGAIN_WIDTH_PX = 640
#: A button of the screens, and what it asks of the referee.
ASKED = {
    "undo": CommandKind.PUT_TURN_BACK,
    "give": CommandKind.GIVE_TEAR_BACK,
    "add": CommandKind.ADD_TEAR,
    "score": CommandKind.SCORE,
    "give_up": CommandKind.GIVE_UP_LADDER,
}


class Table:
    """One game of the evening, whichever it is."""

    def __init__(self, session: Session, mouse: MouseGrip) -> None:
        self.session = session
        self.controls = Controls(mouse)
        self.feed: Feed | None = None
        """The camera of this table alone, where it isn't the evening's."""
        self._onlooker: Onlooker | None = None
        self._opened = ExitStack()
        self._steps: FixedStep | None = None
        self._pause = Pause()
        self._told_over = False
        self._news: list[Event] = []
        self._image: Picture | None = None
        self._past: deque[tuple[float, Scene, Picture]] = deque()
        self._again: deque[tuple[float, Scene, Picture]] = deque()
        self._again_ends_s = 0.0
        self._now_s = 0.0

    @property
    def holding(self) -> bool:
        """A hand carries something, and points at nothing."""
        return self.session.game.holding

    def watch(self, camera: DemoCamera, options: PlayOptions, clock: Clock) -> None:
        """Play before this camera, whose player sees the table."""
        self._onlooker = camera
        self.feed = start_camera(options, camera, self._opened, clock)

    def ask(self, what: str, seat: int = 0) -> None:
        """Undo the last turn, give a tear back, or add one (ruling X4)."""
        self.controls.ask(Command(ASKED[what], "screen", 1 if what == "undo" else seat))

    def turn(self, fed: Fed, now_s: float, running: bool, moved: Pose | None = None) -> tuple[SoundCue, ...]:
        """One turn of the loop; the sounds that it makes. ``moved``: the table's new place, if it has one."""
        if moved is not None:
            self.controls.see_table(moved)
        if self._steps is None:
            self._steps = FixedStep(now_s)
        passed_s, self._now_s = now_s - self._now_s if self._now_s else 0.0, now_s
        hands = None if fed.result is None else fed.result.hands
        commands = self.controls.take() + self._pause.commands(None if running else "screen")
        grips = self.controls.grips(now_s, self.session.game)
        out = self.session.turn(Intake(now_s, self._steps.advance(now_s), hands, commands, grips, moved))
        if fed.result is not None:
            self._image = fed.result.frame.image
            self._remember()
        if self._onlooker is not None:
            self._onlooker.show(self.session.sight(now_s))
        over = self.session.over and not self._told_over
        self._told_over = self._told_over or over
        game = self.session.game
        self._news += game.news(out, over=over)
        self._news.append(GuideTold(game.guide_facts(), passed_s))
        return game.cues(out)

    def take_news(self) -> tuple[Event, ...]:
        """What the screens have to hear since the last call."""
        news = tuple(self._news)
        self._news.clear()
        return news

    def picture(self, night: Picture) -> tuple[Scene, Picture]:
        """What is to be drawn, and over which frame; ``night`` before the first."""
        if self._again:
            stamp_s, scene, image = self._again[0]
            last_s = self._again[-1][0]
            if last_s - stamp_s <= self._again_ends_s - self._now_s or len(self._again) == 1:
                self._again.popleft()
            return scene, image
        fraction = 0.0 if self._steps is None else self._steps.fraction()
        return self.session.scene(fraction), night if self._image is None else self._image

    def show_again(self) -> None:
        """Show the last seconds once more."""
        self._again = deque(self._past)
        self._again_ends_s = self._now_s + AGAIN_S

    def close(self) -> None:
        """End the game and close its log in order."""
        try:
            self._opened.close()
        finally:
            self.session.close()

    def _remember(self) -> None:
        assert self._image is not None
        height, width = self._image.shape[:2]
        image = self._image
        if width > AGAIN_WIDTH_PX:
            image = np.asarray(
                cv2.resize(image, (AGAIN_WIDTH_PX, AGAIN_WIDTH_PX * height // width)), np.uint8
            )
        self._past.append((self._now_s, self.session.scene(1.0, text("again.banner")), image))
        while self._past[0][0] < self._now_s - AGAIN_S:
            self._past.popleft()
