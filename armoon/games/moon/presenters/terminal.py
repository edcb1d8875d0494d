"""A moon game's sentences for the terminal; some of them are shown over the picture as well."""

from __future__ import annotations

from collections.abc import Sequence

from armoon.engine.events import Began, Noticed, Output
from armoon.engine.picture import begins_text
from armoon.games.moon.presenters.scene import figure_names
from armoon.games.moon.referee.events import PlayerOut, Refused, Rolled, StoodBack
from armoon.games.moon.referee.sentences import Line, out_line, outcome_lines, say, verdict_line
from armoon.games.moon.rules.game import outcome
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Reason, Verdict
from armoon.games.moon.table.match import MoonMatch
from armoon.messages import text


class Terminal:
    """Says what comes out of a match; that more falls in an incident is said once."""

    def __init__(self, match: MoonMatch) -> None:
        self._match = match
        self._falls_on = False

    def sentences(self, out: Output, of_bots: Sequence[str]) -> list[str]:
        """Return who begins, the die, verdicts, what is refused, what bots say, and the end of the game."""
        state, verdicts = self._match.state, out.of(Verdict)
        said = self._opening(out)
        said += [
            text(f"log.rolled.{rolled.die.value.lower()}", player=state.players[rolled.player])
            for rolled in out.of(Rolled)
        ]
        for verdict in verdicts:
            said += self._verdict(state, verdict)
        said += [text(noticed.key) for noticed in out.of(Noticed)]
        said += asides(state, out)
        said += ["  " + words for words in of_bots]
        end = outcome(state) if verdicts else None
        return said if end is None else said + [say(line) for line in outcome_lines(state, end)]

    def _opening(self, out: Output) -> list[str]:
        setup, why = self._match.setup, self._match.table.first_why
        if not out.of(Began) or not why or setup.start is not None:
            return []
        return [begins_text(setup.players[setup.first_player], why)]

    def _verdict(self, state: State, verdict: Verdict) -> list[str]:
        falls_on, told = self._falls_on, []
        self._falls_on = verdict.reason is Reason.SAME_INCIDENT
        if not (falls_on and self._falls_on):
            told.append("  " + say(verdict_line(state, verdict)))
        if names := figure_names(self._match, verdict):
            told.append("  " + text("figure.made", player=state.players[verdict.player], figure=names))
        return told


def asides(state: State, out: Output) -> list[str]:
    """Return besides verdicts: who is out and why, and why a wish was refused."""
    told = []
    for event in out.of(PlayerOut, Refused, StoodBack):
        if isinstance(event, PlayerOut):
            told.append(say(out_line(state, event.player, event.why)))
        elif isinstance(event, Refused):
            told.append(say(Line(f"refusal.{event.reason.value}")))
        else:
            told.append(say(Line("notice.stood_back")))
    return told
