"""The game at the table: plays the input of each frame, and returns a moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from armoon.app.frames import FrameInput, Source
from armoon.app.instant_replay import FINALE_TICKS, SlowMotion, VerdictReplay, circle_winner
from armoon.clock import FixedStep
from armoon.engine.events import Output
from armoon.engine.setup import Intake
from armoon.games.contract import Game
from armoon.games.news import News, VerdictNews
from armoon.inputs.controls import Controls
from armoon.messages import text
from armoon.processes.system import release_memory
from armoon.sinks.files import LogSink
from armoon.sinks.hub import Sinks
from armoon.sinks.sink import LazyValue, Moment, Sink
from armoon.values.acts import Act
from armoon.values.pieces import CHOICE_SOURCE, Command
from armoon.values.poses import Pose
from armoon.values.scene import Scene

if TYPE_CHECKING:  # their packages are slow to import
    from armoon.players.hand import Observation
    from armoon.remote.shared import SharedGame

#: Time for which the last verdict is shown before the program ends, in ticks.
LINGER_TICKS = 75


class Table:
    """A game with its controls, pauses, replays and sinks."""

    def __init__(
        self,
        game: Game[Any],
        sinks: Sinks,
        game_sinks: tuple[Sink, ...] = (),
        controls: Controls | None = None,
        *,
        turns: int | None = None,
        shared: SharedGame | None = None,
    ) -> None:
        """``game_sinks``: this game's sinks; ``turns``: maximum number of turns; ``shared``: game at several tables."""
        self.game = game
        self.controls = controls or Controls()
        self.source: Source | None = None
        self.on_observation: Callable[[Observation], None] | None = None
        """Called once per frame with the demo player's observation of the game."""
        self.replay = VerdictReplay()
        self.has_slow_motion = True
        self.has_finale = False
        """Whether the camera circles the winner's structure before the table is over."""
        self._slow = SlowMotion()
        self._sinks, self._game_sinks = sinks, game_sinks
        self._turns = turns
        self._shared = shared
        self._steps: FixedStep | None = None
        self._now_s = 0.0
        self.passed_s = 0.0
        """Time since the previous frame, in seconds."""
        self._was_over = False
        self._paused_by: str | None = None
        self._linger_ticks = 0
        # Tables of a shared game compare events frame by frame, so each frame must finish its last tick.
        game.match.overlaps = shared is None
        sinks.add(*game_sinks)
        opening = game.match.opening
        # Without a scene, because it is sent before the first picture.
        self.opening = Moment(
            0.0,
            opening,
            tuple(game.list_sentences(opening)),
            feed_events=LazyValue(partial(self.game.list_feed_events, opening)),
            standing=LazyValue(self.game.build_standing),
        )
        sinks.distribute(self.opening)

    @property
    def is_held_by_device(self) -> bool:
        match = self.game.match
        by_choice = match.grip is not None and match.grip.source == CHOICE_SOURCE
        return bool(match.holding) and (self.controls.is_holding or by_choice)

    def pause_if_held(self) -> None:
        """Pause if a device holds something, which it can't move while the window lacks the focus."""
        self.controls.paused = self.controls.paused or self.is_held_by_device

    @property
    def is_shared(self) -> bool:
        return self._shared is not None

    @property
    def is_elsewhere(self) -> bool:
        return self._shared is not None and not self._shared.has_turn and not self.game.match.over

    def can_request(self, act: Act) -> bool:
        shared = self._shared
        return self.game.can_request(act) and (shared is None or shared.has_turn or shared.can_send(act))

    @property
    def is_over(self) -> bool:
        has_won = self.has_finale and self.game.match.over
        return self._linger_ticks > (FINALE_TICKS if has_won else LINGER_TICKS)

    def find_pause_reason(self, pause_key: str | None) -> str | None:
        """Return the message key of the pause, if any: a player's request, or else ``pause_key``."""
        return "pause.asked" if self.controls.paused else pause_key

    def set_choice_listing(self, wanted: bool, highlighted: str | None, *, suggested: bool = False) -> None:
        """Set whether choices are listed (``suggested``: also if the game suggests it), and the highlighted one."""
        self.game.should_list_choices = wanted or (suggested and self.game.should_list_choices_unasked())
        self.game.consider_choice(highlighted)

    def advance(
        self,
        frame_input: FrameInput,
        now_s: float,
        reason: str | None = None,
        new_table_pose: Pose | None = None,
        *,
        lead_s: float = 0.0,
    ) -> Output:
        """Play the due ticks with this input.

        ``reason``: message key of a pause, if any; ``new_table_pose``: pose of a table that has moved; ``lead_s``: game
        time before the first frame, in seconds.
        """
        self.passed_s, self._now_s = now_s - self._now_s if self._now_s else 0.0, now_s
        if frame_input.intake is not None:
            return self.play_intake(frame_input.intake)
        if new_table_pose is not None:
            self.controls.set_table_pose(new_table_pose)
        if self._steps is None:
            self._steps = FixedStep(now_s - lead_s)
        hands = None if frame_input.result is None else frame_input.result.hands
        if frame_input.result is not None:
            for device in self.controls.devices:
                device.add_picture(frame_input.result.frame.image, frame_input.result.frame.time_s)
        if self._shared is not None and not self._shared.is_playing and reason != "pause.asked":
            reason = None  # a fault of this table's camera doesn't pause other tables
        commands = self.controls.drain_commands() + self._pause_commands(reason)
        grips = self.controls.collect_grips(now_s, self.game)
        ticks = self._steps.advance(now_s, slow=self.game.match.is_tick_running)
        intake = Intake(now_s, ticks, hands, commands, grips, new_table_pose)
        if self._shared is None:
            output = self.play_intake(intake)
        else:
            output = self._shared.play(intake, self._step_shared, lambda: self.is_over)
        if self.on_observation is not None:
            self.on_observation(self.game.build_observation(now_s))
        return output

    def play_intake(self, intake: Intake) -> Output:
        output = self.game.advance(intake)
        all_turns_played = self._turns is not None and self.game.turns_played >= self._turns
        if (all_turns_played and self.game.match.at_rest) or self.game.match.over:
            self._linger_ticks += intake.ticks
        return output

    def _step_shared(self, intake: Intake, remote: bool) -> Output:
        """Play a frame of the table whose turn it is; ``remote``: another table, whose bots act in the intake."""
        self.game.is_replayed = remote
        return self.play_intake(intake)

    def list_news(self, output: Output) -> list[News]:
        """Return the news of a frame for the pages; a verdict can be replayed until the next roll."""
        just_over, self._was_over = self.is_over and not self._was_over, self.is_over
        news = self.game.list_news(output, over=just_over)
        if any(isinstance(item, VerdictNews) for item in news):
            self.replay.mark_verdict(self._now_s)
            release_memory()
        elif self.replay.is_possible and not (self.game.is_awaiting_roll or self.game.match.over):
            self.replay.forget_verdict()
        return news

    def make_moment(self, output: Output, now_s: float, *, shown: bool = False) -> Moment:
        return Moment(
            now_s,
            output=output,
            sentences=(
                *self.game.list_sentences(output),
                *(() if self._shared is None else self._shared.drain_notices()),
            ),
            cues=LazyValue(
                lambda: self._slow.delay_cues(
                    self.game.list_sound_cues(output) + self.game.list_click_cues(output)
                )
            ),
            scene=LazyValue(partial(self.compose_scene, "")),
            feed_events=LazyValue(partial(self.game.list_feed_events, output)),
            standing=LazyValue(self.game.build_standing),
            shown=shown,
        )

    def play_step(self, intake: Intake) -> Moment:
        moment = self.make_moment(self.play_intake(intake), intake.now_s, shown=True)
        self._now_s = intake.now_s
        self._sinks.distribute(moment)
        return moment

    @property
    def log(self) -> Path | None:
        return next((sink.path for sink in self._game_sinks if isinstance(sink, LogSink)), None)

    def compose_scene(self, banner: str) -> Scene:
        fraction = 1.0 if self._steps is None else self._steps.fraction()
        if self._shared is not None and not self._shared.is_playing:
            fraction = self._shared.playout.fraction
        note = "" if self._shared is None else self._shared.note
        scene = self.game.build_turned_scene(fraction, banner or note)
        if self.is_elsewhere and scene.hud.hint:
            match = self.game.match
            sentence = text("remote.plays_there", player=match.players[match.on_turn[1]])
            scene = replace(scene, hud=replace(scene.hud, hint=sentence, keys=""))
        if words := self.controls.describe_status(self._now_s):
            scene = replace(scene, hud=replace(scene.hud, keys=words))
        if not self.has_slow_motion:
            return scene
        has_won = self.has_finale and self.game.match.over
        return circle_winner(scene, self._linger_ticks) if has_won else self._slow.delay_scene(scene)

    def play_finale(self) -> Iterator[Scene]:
        """Yield the remaining scenes of the winner's finale, at 30 pictures per second."""
        if self.has_finale and self.game.match.over:
            scene = self.game.build_turned_scene(1.0, "")
            for ticks in range(2, FINALE_TICKS - self._linger_ticks, 2):
                yield circle_winner(replace(scene, tick=scene.tick + ticks), self._linger_ticks + ticks)

    def close(self) -> None:
        """Write the last records of the game, and close its sinks and processes; safe to call after an error."""
        try:
            output = self.game.finish()
            sentences = tuple(self.game.list_sentences(output))
            self._sinks.distribute(Moment(self._now_s, output=output, sentences=sentences, ended=True))
        finally:
            for device in self.controls.devices:
                device.close()
            self._sinks.remove(*self._game_sinks)
            self.game.close()
            if self._shared is not None:
                self._shared.close()

    def _pause_commands(self, reason: str | None) -> tuple[Command, ...]:
        previous, self._paused_by = self._paused_by, reason
        if reason is not None and previous is None:
            return (Command(Act.PAUSE, reason),)
        if reason is None and previous is not None:
            return (Command(Act.RESUME, previous),)
        return ()
