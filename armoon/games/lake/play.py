"""The lake game at the table: a match, its bots, the displayed state, and the words."""

from __future__ import annotations

from dataclasses import replace

from armoon.engine.events import Output
from armoon.engine.setup import Intake
from armoon.games.contract.kind import Game
from armoon.games.lake.bots.seats import LakeBots
from armoon.games.lake.player import LakeSight
from armoon.games.lake.presenters import broadcast, pages
from armoon.games.lake.presenters.scene import (
    NOTICE_TICKS,
    Scoring,
    compose,
    lake_scene,
    notice_of,
    notice_of_move,
)
from armoon.games.lake.rules.game import refusal
from armoon.games.lake.rules.lines import move_lines
from armoon.games.lake.rules.values import MOVE_KINDS, TakeBack
from armoon.games.lake.table.aim import Floor, MoveCursor
from armoon.games.lake.table.match import LakeMatch
from armoon.games.lake.table.setup import HAPPENINGS, Lifted, spoken
from armoon.games.shared.seating import fitted
from armoon.values.acts import Act
from armoon.values.pieces import Command
from armoon.values.scene import Scene


class LakeGame(Game[LakeMatch]):
    """A match of Jinns of the Lake with its bots, sentences and pictures."""

    # Its presenters: functions of the game and of a frame's output.
    sentences = pages.sentences
    news = pages.news
    cues = broadcast.cues
    happened = broadcast.happened
    standing = broadcast.standing

    def __init__(self, match: LakeMatch, bots: LakeBots | None = None) -> None:
        super().__init__(match)
        self._bots = bots or LakeBots()
        self._notice, self._noticed_tick = "", 0
        self._scoring = Scoring()
        self._cursor = MoveCursor()
        self._hovered: Floor | None = None

    def can_undo(self) -> bool:
        return refusal(self.match.state, TakeBack(1)) is None

    def advance(self, intake: Intake) -> Output:
        match = self.match
        if not self.replayed:
            wishes = tuple(fitted(wish, match.state, match.table.bots) for wish in intake.commands)
            if intake.ticks and not wishes:
                wishes = self._bots.commands(match)
            intake = replace(intake, commands=wishes)
        output = super().advance(intake)
        if match.hover not in (None, self._hovered):
            self._cursor.forget()  # the hand or the mouse points at something else since
        self._note(output)
        return output

    def scene(self, fraction: float, banner: str) -> Scene:
        keyed = None if self.match.bot is not None else self._cursor.pointed(self.match.state)
        fresh = self.match.state.over or self.match.tick - self._noticed_tick <= NOTICE_TICKS
        notice, said = self._notice if fresh else "", self.on_glass(banner)
        return compose(self.match, fraction, notice, said, keyed, self._scoring)

    def act(self, act: Act) -> tuple[Command, ...]:
        if self.match.bot is not None:
            return ()
        self._hovered = self.match.hover
        command = self._cursor.act(act, self.match.state)
        return () if command is None else (command,)

    def lit_move(self) -> str:
        state = self.match.state
        keyed = None if self.match.bot is not None else self._cursor.pointed(state)
        return "" if keyed is None else " ".join(f"{spoken(line)}." for line in move_lines(state, keyed))

    def sight(self, time_s: float) -> LakeSight:
        match, lake = self.match, lake_scene(self.match)
        return LakeSight(
            time_s,
            match.state.turn,
            match.state.alone(),
            lake,
            match.at_rest,
            holding=any(dome.look == "held" for dome in lake.moving),
            ring=None if match.grip is None else match.grip.pose.position,
            eye=match.table_from_camera.position,
        )

    def close(self) -> None:
        self._bots.close()
        super().close()

    def _note(self, out: Output) -> None:
        for played in out.match_events(*MOVE_KINDS):
            self._scoring = self._scoring.of(played, self.match.tick)
            self._notice, self._noticed_tick = notice_of_move(played), self.match.tick
        for happening in out.events_of(*HAPPENINGS):
            if isinstance(happening, Lifted):
                self._notice = ""
            if notice := notice_of(happening, self.match.state):
                self._notice, self._noticed_tick = notice, self.match.tick
