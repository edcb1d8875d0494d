"""How a moon game ended, as the table of results stores it."""

from __future__ import annotations

from armoon.games.moon.rules.editions import LINE_M, Mode, Options
from armoon.games.moon.rules.game import outcome
from armoon.games.moon.rules.state import State
from armoon.games.moon.table.setup import GAME
from armoon.messages import text
from armoon.saves.results import FigureCounts, Result

#: How the file of results has "young climbers".
YOUNG = "young climbers"
#: ... and that players had handicaps.
HANDICAPS = "handicaps"


def result_of(game: str, state: State, date: str, figures: FigureCounts | None = None) -> Result:
    """Return the result of a game that is over, under the saved game's name; ValueError while it isn't."""
    end = outcome(state)
    if end is None:
        raise ValueError("the game isn't over")
    trial = state.options.trial
    return Result(
        game=game,
        date=date,
        edition=state.edition_name,
        variant=variant_of(state.options),
        players=state.players,
        winners=() if trial is not None else tuple(state.players[seat] for seat in end.winners),
        score=end.score,
        figures={} if figures is None else {player: dict(counts) for player, counts in figures.items()},
        kind=GAME,
        trial="" if trial is None else trial.name,
        reached=state.trial_score,
    )


def variant_of(options: Options) -> str:
    """Return the house options without which results can't be compared, as the file of results keeps them."""
    if options.trial is not None:
        return ""
    parts = [YOUNG] if options.young_climbers else []
    parts += [] if options.tears is None else [f"{options.tears} tears"]
    parts += [] if options.supply_size is None else [f"{options.supply_size} ladders"]
    together = options.mode is Mode.COOPERATIVE and options.line_m != LINE_M
    parts += [f"{round(options.line_m * 100)} cm"] if together else []
    parts += [HANDICAPS] if options.handicaps else []
    return ", ".join(parts)


def variant_text(variant: str) -> str:
    """Return a kept variant in the players' language."""
    return ", ".join(_part(part) for part in variant.split(", ") if part)


def _part(part: str) -> str:
    if part == YOUNG:
        return text("variant.young")
    if part == HANDICAPS:
        return text("variant.handicaps")
    count, _, what = part.partition(" ")
    if not count.isdecimal() or what not in ("tears", "ladders", "cm"):
        return part
    return text(f"variant.{what}", count=int(count))
