"""Moon games without camera or picture, by bots and people who type; printed line by line, or for the score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from armoon import __version__
from armoon.camera.profiles import SEATS
from armoon.engine.events import Output
from armoon.engine.setup import seat_setup
from armoon.games.contract.kind import BeginKeeper
from armoon.games.contract.library import play_out
from armoon.games.moon.bots.seats import MoonBots, TypedPlayer
from armoon.games.moon.options import TYPED, MoonOptions
from armoon.games.moon.play import MoonGame
from armoon.games.moon.rules.game import outcome
from armoon.games.moon.rules.values import Verdict
from armoon.games.moon.table.match import MoonMatch
from armoon.games.moon.table.setup import MoonSetup
from armoon.values.choices import AirRelease

#: Without spectators a verdict needn't be read.
PAUSE_TICKS = 20


@dataclass(frozen=True)
class Bout:
    """How one game of bots went."""

    winners: tuple[int, ...]
    verdicts: tuple[tuple[int, Verdict], ...]
    """At every turn's end: the number of standing ladders, and the verdict."""
    faults: tuple[str, ...]
    """A sentence for each turn that was lost to a fault of a bot's program."""


def bot_match(options: MoonOptions, names: Sequence[str], seed: int, first: int = 0) -> MoonMatch:
    table = seat_setup(SEATS["table"](1280, 720), __version__, air=AirRelease.FALLS, bots=options.bots)
    setup = MoonSetup(
        seed=seed,
        edition=options.edition,
        players=tuple(names),
        auto_roll_s=None,
        slots=options.slots,
        options=options.house,
        first_player=first,
    )
    return MoonMatch(table, setup)


def play_bots(
    options: MoonOptions,
    names: Sequence[str],
    seed: int,
    say: Callable[[str], object] = lambda _: None,
    *,
    first: int = 0,
    read: Callable[[], str] | None = None,
    keep: BeginKeeper = lambda match: None,
) -> Bout:
    """Play a whole game; ``read`` returns a typed line for people's seats. Raises IllegalSetup."""
    if read is not None:
        options = options.having(bots=tuple(word or TYPED for word in options.bots))
    match = bot_match(options, names, seed, first)
    typed = None if read is None else partial(TypedPlayer, match, say, read)
    bots = MoonBots(match, on_time=False, pause_ticks=PAUSE_TICKS, typed=typed)
    game = MoonGame(match, bots)
    verdicts: list[tuple[int, Verdict]] = []
    standing = 0

    def note(output: Output) -> None:
        nonlocal standing
        verdicts.extend((standing, verdict) for verdict in output.events_of(Verdict))
        standing = len(match.state.structure)

    play_out(game, say, keep, note)
    end = outcome(match.state)
    return Bout(() if end is None else end.winners, tuple(verdicts), tuple(bots.faults))
