"""Moon games without camera or picture, by bots and people who type; printed line by line, or for the score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from armoon import __version__
from armoon.camera.profiles import SEATS
from armoon.clock import TICK_S
from armoon.engine.setup import Intake, table_at
from armoon.games.moon.bots.seats import TYPED, MoonBots, TypedPlayer
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.play import MoonGame
from armoon.games.moon.rules.game import outcome
from armoon.games.moon.rules.values import Verdict
from armoon.games.moon.table.match import MoonMatch
from armoon.games.moon.table.setup import MoonSetup
from armoon.values.choices import Air

#: Without spectators a verdict needn't be read.
PAUSE_TICKS = 20
#: Ticks of each frame: as at 30 pictures a second.
FRAME_TICKS = 2
#: A game that doesn't end by then is broken off: an hour of play.
MOST_FRAMES = 30 * 3600


@dataclass(frozen=True)
class Bout:
    """How one game of bots went."""

    winners: tuple[int, ...]
    verdicts: tuple[tuple[int, Verdict], ...]
    """At every turn's end: the number of standing ladders, and the verdict."""
    faults: tuple[str, ...]
    """A sentence for each turn that was lost to a fault of a bot's program."""


def bot_match(options: MoonOptions, names: Sequence[str], seed: int, first: int = 0) -> MoonMatch:
    """Return a match that bots play, and people who aren't seen; as from the seat beside the table."""
    table = table_at(SEATS["table"](1280, 720), __version__, air=Air.FALLS, bots=options.bots)
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
) -> Bout:
    """Play a whole game and tell it. Raises IllegalSetup where names and options don't go together.

    ``read`` returns the next typed line, for the seats of people.
    """
    if read is not None:
        options = options.having(bots=tuple(word or TYPED for word in options.bots))
    match = bot_match(options, names, seed, first)
    typed = None if read is None else partial(TypedPlayer, match, say, read)
    bots = MoonBots(match, on_time=False, pause_ticks=PAUSE_TICKS, typed=typed)
    game = MoonGame(match, bots)
    verdicts: list[tuple[int, Verdict]] = []
    try:
        for sentence in game.sentences(match.opening):
            say(sentence)
        for frame in range(MOST_FRAMES):
            if game.match.over:
                break
            standing = len(match.state.structure)
            out = game.advance(Intake((frame + 1) * FRAME_TICKS * TICK_S, FRAME_TICKS, None))
            verdicts += [(standing, verdict) for verdict in out.of(Verdict)]
            for sentence in game.sentences(out):
                say(sentence)
        end = outcome(match.state)
        return Bout(() if end is None else end.winners, tuple(verdicts), tuple(bots.faults))
    finally:
        game.close()
