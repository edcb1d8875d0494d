"""Demos that are played for a benchmark: before the rendered camera, or without pictures.

Without them the player's hand is read as a skeleton with the real tracker's noise. Everything else is the ordinary
path: the hand is seen by a camera's geometry, grips, physics and the referee follow. Many times as fast as pictures
and the real tracker, which have the last word.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

from armoon.app.loop import Loop
from armoon.app.playing import OneGame
from armoon.app.setup import seeded, set_up
from armoon.app.sources.demo import DemoPart
from armoon.app.sources.frames import Incoming, LockStep
from armoon.app.table import Table
from armoon.app.webcam import open_demo
from armoon.camera.frame import Frame, unseen
from armoon.camera.seat import SEATS
from armoon.clock import ManualClock
from armoon.engine.events import Output
from armoon.games import game_names, game_options
from armoon.games.contract.kind import Game
from armoon.games.moon.player.demo_player import DemoPlayer
from armoon.games.moon.player.manner import Manner
from armoon.hands.tracking.tracker import HandTracker, Region
from armoon.hands.tracking.worker import Tracked
from armoon.players.demo import DemoOptions, hand_habits, hand_of
from armoon.players.sight import Sight
from armoon.settings.options import PlayOptions, games_folder
from armoon.sinks.files import begin_log, game_sinks_of
from armoon.sinks.hub import Sinks
from armoon.sinks.moment import Moment, Picture
from armoon.synthetic_camera.anatomy import HandState
from benchmarks.placement_parts.skeleton import SKELETON, SkeletonTracker

#: A function that is called with each frame of a game, and returns whether it has seen enough.
Looks = Callable[[Output], bool]
#: Maximum time of a demo's process.
PATIENCE_S = 3600.0


def play_demo(*options: str, patience_s: float | None = PATIENCE_S) -> None:
    """Let the demo play before its rendered camera, in a process of its own. Raises what ``subprocess.run`` does."""
    command = [sys.executable, "-m", "armoon", "play", "--headless", "--camera", "demo", *options]
    subprocess.run(command, check=True, timeout=patience_s)


class SkeletonSource:
    """The demo's player and its hand, frame by frame, and what a tracker would make of it; close it."""

    steady = False

    def __init__(self, demo: DemoOptions, clock: ManualClock) -> None:
        """``clock`` is moved to each frame's time."""
        habits = hand_habits(demo.seat)
        self._rest, self._player = habits.rest, demo.mind(habits)
        self._tracker = SkeletonTracker(demo.seat, demo.seed, demo.rate_hz, 1.0)
        self._clock = clock
        self.lead_s = 1.0 / demo.rate_hz
        self.image: Picture = unseen(16, 9)
        self._frames = 0
        self._sight: Sight | None = None
        self._before: Sight | None = None
        """A frame is drawn while the game works on the one before."""
        self.hands: list[HandState] = []
        """The hand of every frame, so that it can be drawn later."""

    def show(self, sight: Sight) -> None:
        """Let the player see the table."""
        self._sight = sight

    def take(self) -> Incoming:
        """Return the next frame's hand, as a tracker reads it."""
        time_s = self._frames * self.lead_s
        hand = hand_of(self._player, self._before, time_s, self._rest)
        self._before = self._sight
        self.hands.append(hand)
        hands = self._tracker.track(hand, time_s, self._frames)
        self._frames += 1
        self._clock.set_s(time_s)
        return Incoming(Tracked(Frame(self._frames, time_s, self.image), hands), shown=True)

    def look_at(self, region: Region | None) -> None:
        """There is nothing to look at."""

    def close(self) -> None:
        """Give back what thinking took."""
        self._player.close()


@dataclass
class _SeenGame(OneGame):
    """One game with an onlooker."""

    looks: Looks = lambda output: False
    _seen: bool = False

    @property
    def done(self) -> bool:
        """It is over, or enough was seen."""
        return super().done or self._seen

    def play(self, fed: Incoming, now_s: float, notice: str) -> Moment:
        """One frame, which is looked at."""
        moment = super().play(fed, now_s, notice)
        self._seen = self._seen or (moment.output is not None and self.looks(moment.output))
        return moment


def demo_of(seed: int | None, log: Path) -> PlayOptions:
    """Return the options of the demo of a seed, or of the trailer, as the command line has them."""
    game = game_names()[0]
    options = PlayOptions(
        size=DemoPart.size,
        headless=True,
        game=game,
        game_options=game_options(game)(),
        log=log,
        saved=False,
        seed=seed or 0,
        asked=frozenset() if seed is None else frozenset({"seed"}),
    )
    return seeded(options)


def play_here(
    options: PlayOptions,
    manner: Manner | None = None,
    *,
    tracker: str = SKELETON,
    onlooker: Callable[[Game[Any]], Looks] = lambda game: lambda output: False,
) -> list[HandState]:
    """Play the demo of these options in lock step, in this manner or its own, and write its log where they say.

    It ends when the ``onlooker`` has seen enough. ``tracker``: the real one, before the rendered
    camera, or a skeleton's, of which the hand of every frame is returned.
    """
    quiet = Console(quiet=True)
    hands: list[HandState] = []
    clock = ManualClock()
    seat = SEATS[options.seat](options.width_px, options.height_px)
    with contextlib.ExitStack() as stack:
        set_table = set_up(options, seat, games_folder(), quiet, cropped=False, on_time=False)
        demo = set_table.demo
        assert demo is not None, "the game has a demo"
        if manner is not None and isinstance(demo.mind, partial) and demo.mind.func is DemoPlayer:
            demo = replace(demo, mind=partial(demo.mind, manner=manner))
        sinks = Sinks(lock_step=True)
        stack.callback(sinks.close)
        log = begin_log(options, quiet.print)
        table = Table(set_table.game, sinks, game_sinks_of(log, None), turns=options.turns)
        stack.callback(table.close)
        source: LockStep | SkeletonSource
        if tracker == SKELETON:
            source = table.onlooker = stack.enter_context(contextlib.closing(SkeletonSource(demo, clock)))
            hands = source.hands
        else:
            camera = table.onlooker = stack.enter_context(contextlib.closing(open_demo(demo, lambda: None)))
            source = LockStep(camera, stack.enter_context(HandTracker()), clock)
        director = _SeenGame(table, source)
        director.looks = onlooker(set_table.game)
        Loop(director, sinks, clock).run()
    return hands
