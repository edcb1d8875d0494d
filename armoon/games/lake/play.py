"""The lake game as the session drives it: a match, its bots, what is being shown, and the words."""

from __future__ import annotations

from dataclasses import replace

from armoon.engine.intake import Intake, Outturn, Record
from armoon.engine.stopwatch import Stopwatch
from armoon.games.lake.bots.seats import LakeBots
from armoon.games.lake.compose import Notice, begins_text, compose, lake_scene, notice_of, notice_of_move
from armoon.games.lake.rules.game import apply, outcome
from armoon.games.lake.rules.lines import move_lines, outcome_lines, score_lines
from armoon.games.lake.sight import LakeSight, lake_sight
from armoon.games.lake.table.cursor import MoveCursor
from armoon.games.lake.table.happenings import FlewHome, LakeOutturn, Lifted
from armoon.games.lake.table.match import LakeMatch
from armoon.games.lake.texts import spoken
from armoon.screens.events import Event, ResultTold, ScoreLine
from armoon.screens.guide import GuideFacts
from armoon.sound.cues import CueKind, SoundCue
from armoon.values.intents import Command
from armoon.values.poses import Vec3
from armoon.values.scene import Scene


class LakeGame:
    """A match of Jinns of the Lake with its bots, sentences and pictures."""

    def __init__(self, match: LakeMatch, bots: LakeBots | None = None) -> None:
        self.match = match
        self._bots = bots or LakeBots()
        self._notice: Notice | None = None
        self._cursor = MoveCursor()

    @property
    def stopwatch(self) -> Stopwatch:
        """Where the time of its phases is added up."""
        return self.match.stopwatch

    @property
    def opening(self) -> Outturn:
        """What came out before the first turn of the loop."""
        return self.match.opening

    @property
    def tick(self) -> int:
        """How many ticks have been played."""
        return self.match.tick

    @property
    def over(self) -> bool:
        """The rules have ended it."""
        return self.match.state.over

    @property
    def at_rest(self) -> bool:
        """Nothing on the table moves."""
        return self.match.at_rest

    @property
    def turns_played(self) -> int:
        """How many turns have been played to their end."""
        return max(0, self.match.state.turn - 1)

    @property
    def asks_for_roll(self) -> bool:
        """There is no die at the lake."""
        return False

    @property
    def offered(self) -> Vec3 | None:
        """Where what can be taken stands, table frame."""
        return self.match.offered

    @property
    def holding(self) -> bool:
        """A hand carries floors, and points at nothing."""
        return self.match.carried is not None

    def news(self, out: Outturn, *, over: bool) -> list[Event]:
        """With ``over``, the result."""
        return [self._result()] if over else []

    def cues(self, out: Outturn) -> tuple[SoundCue, ...]:
        """Stone on stone: what is lifted, what lands, what flies home."""
        assert isinstance(out, LakeOutturn)  # it came from this game
        cues = [SoundCue(CueKind.GRAB, 0.6) for h in out.happened if isinstance(h, Lifted)]
        cues += [SoundCue(CueKind.WARNING, 0.4) for h in out.happened if isinstance(h, FlewHome)]
        cues += [SoundCue(CueKind.KNOCK, 0.7, 0.02) for _ in out.played]
        return tuple(cues)

    def guide_facts(self) -> GuideFacts:
        """The guide teaches the moon game."""
        return GuideFacts()

    def _result(self) -> ResultTold:
        state = self.match.state
        result = outcome(state)
        winners = () if result is None else result.winners
        said = [] if result is None else [spoken(line) for line in outcome_lines(state, result)]
        return ResultTold(
            said[-1] if said else "",
            tuple(ScoreLine(name, 0, winner=seat in winners) for seat, name in enumerate(state.players)),
            " · ".join(spoken(line) for line in score_lines(state)),
        )

    def header(self) -> Record:
        """The log's first line."""
        return self.match.setup.to_record()

    def turn(self, intake: Intake) -> Outturn:
        """Phases 2 to 4 of one turn of the loop; a bot's move comes in like a player's command."""
        if intake.ticks and not intake.commands:
            intake = replace(intake, commands=self._bots.commands(self.match))
        out = self.match.turn(intake)
        self._note(out)
        return out

    def sentences(self, out: Outturn) -> list[str]:
        """Moves, and the end of the game."""
        assert isinstance(out, LakeOutturn)  # it came from this game
        setup, said = self.match.setup, list[str]()
        if out is self.opening and setup.first_why and not setup.moves:
            said.append(begins_text(setup))
        for played in out.played:
            said += [spoken(line) for line in move_lines(played.before, played.move)]
            after = apply(played.before, played.move)
            result = outcome(after)
            if result is not None:
                said += [spoken(line) for line in (*score_lines(after), *outcome_lines(after, result))]
        return said

    def scene(self, fraction: float, banner: str) -> Scene:
        """Phase 5: the picture as a value."""
        keyed = None if self.match.bot is not None else self._cursor.pointed(self.match.state)
        return compose(self.match, fraction, self._notice, banner, keyed)

    def key(self, name: str) -> tuple[Command, ...]:
        """A key went down: arrows walk through the moves, enter plays the one that is lit."""
        if self.match.bot is not None:
            return ()
        command = self._cursor.key(name, self.match.state)
        return () if command is None else (command,)

    def sight(self, time_s: float) -> LakeSight:
        """What a player who looks at the screen knows."""
        match = self.match
        return lake_sight(
            time_s,
            match.tick,
            match.state,
            lake_scene(match),
            at_rest=match.at_rest,
            ring=None if match.grip is None else match.grip.pose.position,
            eye=match.setup.table_from_camera.position,
        )

    def finish(self) -> Outturn:
        """The closing records."""
        return self.match.finish()

    def close(self) -> None:
        """End the bots' thinking."""
        self._bots.close()
        self.match.close()

    def _note(self, out: LakeOutturn) -> None:
        for played in out.played:
            self._notice = notice_of_move(played, apply(played.before, played.move), self.match.tick)
        for happening in out.happened:
            if isinstance(happening, Lifted):
                self._notice = None
            notice = notice_of(happening, self.match.state, self.match.tick)
            self._notice = notice or self._notice
