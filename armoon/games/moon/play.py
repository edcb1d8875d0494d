"""The moon game as the session drives it: a match, the verdict that is being shown, and the words."""

from __future__ import annotations

from armoon.engine.intake import Intake, Outturn, Record
from armoon.engine.stopwatch import Stopwatch
from armoon.games.moon.compose import LastVerdict, begins_text, compose, figure_names
from armoon.games.moon.match import Match
from armoon.games.moon.news import guide_facts, news_of
from armoon.games.moon.referee.events import Rolled
from armoon.games.moon.referee.sentences import Line, outcome_lines, verdict_line
from armoon.games.moon.rules.values import Phase
from armoon.messages import text
from armoon.players.sight import Sight
from armoon.screens.events import Event
from armoon.screens.guide import GuideFacts
from armoon.sound.cues import SoundCue, sounds_for
from armoon.values.facts import PieceStatus
from armoon.values.intents import Command
from armoon.values.poses import Vec3
from armoon.values.scene import Scene


class MoonGame:
    """A match of Catch the Moon with its sentences and pictures."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._last: LastVerdict | None = None
        self._turns_played = 0
        self._heard = match.facts
        self._note(match.opening)

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
        return self.match.facts.tick

    @property
    def over(self) -> bool:
        """The rules have ended it."""
        return self.match.state.over

    @property
    def at_rest(self) -> bool:
        """Nothing on the table moves."""
        return self.match.facts.at_rest

    @property
    def turns_played(self) -> int:
        """How many turns have had their verdict."""
        return self._turns_played

    @property
    def asks_for_roll(self) -> bool:
        """A click anywhere rolls the die."""
        return self.match.state.phase is Phase.ROLL

    @property
    def offered(self) -> Vec3 | None:
        """Where the ladder in the lid stands, table frame."""
        pieces = self.match.facts.pieces
        return next((p.pose.position for p in pieces if p.status is PieceStatus.OFFERED), None)

    @property
    def holding(self) -> bool:
        """A hand carries a ladder."""
        return self.match.facts.held is not None

    def key(self, name: str) -> tuple[Command, ...]:
        """The moon game has no keys of its own."""
        return ()

    def header(self) -> Record:
        """The log's first line."""
        return self.match.setup.to_record()

    def turn(self, intake: Intake) -> Outturn:
        """Phases 2 to 4 of one turn of the loop."""
        out = self.match.turn(intake)
        self._note(out)
        return out

    def sentences(self, out: Outturn) -> list[str]:
        """Die, verdicts, and the end of the game."""
        state = self.match.state
        said = self._opening_words(out)
        said += [
            text("log.rolled", player=state.players[event.player], die=text(f"die.{event.die.value.lower()}"))
            for event in out.events
            if isinstance(event, Rolled)
        ]
        for verdict in out.verdicts:
            said.append("  " + _say(verdict_line(state, verdict)))
            names = figure_names(self.match, verdict)
            if names:
                player = state.players[verdict.player]
                said.append("  " + text("figure.made", player=player, figure=names))
        said += [text(key) for key in out.notices]
        outcome = self.match.status.outcome if out.verdicts else None
        if outcome is not None:
            said += [_say(line) for line in outcome_lines(state, outcome)]
        return said

    def news(self, out: Outturn, *, over: bool) -> list[Event]:
        """Verdicts, the final, and with ``over`` the result."""
        return news_of(self.match, out, over=over)

    def cues(self, out: Outturn) -> tuple[SoundCue, ...]:
        """Wood on wood, and what the referee says."""
        before, self._heard = self._heard, self.match.facts
        return sounds_for(before, self._heard, self.match.ladders, out.events, out.verdicts)

    def guide_facts(self) -> GuideFacts:
        """How the table stands, for the guided first game."""
        return guide_facts(self.match)

    def scene(self, fraction: float, banner: str) -> Scene:
        """Phase 5: the picture as a value."""
        return compose(self.match, fraction, self._last, banner)

    def sight(self, time_s: float) -> Sight:
        """What a player who looks at the screen knows."""
        status = self.match.status
        die = None if status.die is None else status.die.value
        return Sight(time_s, status.turn, status.phase.name, die, self.match.facts)

    def finish(self) -> Outturn:
        """The closing records."""
        return self.match.finish()

    def close(self) -> None:
        """Give the physics back."""
        self.match.close()

    def _opening_words(self, out: Outturn) -> list[str]:
        """Who begins and why, with what came out before the first turn of the loop."""
        setup = self.match.setup
        if out is not self.match.opening or not setup.first_why or setup.start is not None:
            return []
        return [begins_text(setup.players[setup.first_player], setup.first_why)]

    def _note(self, out: Outturn) -> None:
        for verdict in out.verdicts:
            self._last = LastVerdict(verdict, self.match.facts.tick)
            self._turns_played = max(self._turns_played, verdict.turn)


def _say(line: Line) -> str:
    return text(line.key, **dict(line.fields))
