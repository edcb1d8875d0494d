"""Commands for bots: list them, and play matches between two of them."""

from __future__ import annotations

import math
from collections import Counter
from random import SystemRandom

from armoon.cli.commands import argument, command
from armoon.cli.common import UsageError, say
from armoon.games import game_names, game_options, title_of
from armoon.games.contract import load_kind
from armoon.messages import number, text
from armoon.options.kinds import Number, OneOf
from armoon.values.acts import Feature

#: Half-width of a 95 % confidence interval, in standard deviations.
NORMAL_95 = 1.96
#: Number of equal faults in one game that end the match, because a bot that hangs would take hours.
MAX_REPEATED_FAULTS = 3
#: Number of possible seeds if none is given.
SEEDS = 1_000_000


@command()
def list_all() -> int:
    for game in game_names():
        bots = game_options(game).bot_kinds()
        if bots.words:
            say(title_of(game))
        for word in bots.words:
            label, meaning = bots.get_name(word), bots.describe_bot(word)
            say(f"  {word:8} {text('list.meaning', label=label, meaning=meaning)}")
    return 0


def _list_games_with_bots() -> tuple[str, ...]:
    return tuple(name for name in game_names() if Feature.BOTS in game_options(name).has)


@command(
    argument("a", metavar="A"),
    argument("b", metavar="B"),
    argument("--games", kind=Number(1, whole=True), default=20),
    argument("--game", metavar="GAME", kind=OneOf(_list_games_with_bots)),
    argument("--seed", kind=Number(0, whole=True)),
)
def match(a: str, b: str, games: int, game: str | None, seed: int | None) -> int:
    try:
        play_game = load_kind(game or _list_games_with_bots()[0]).create_bot_duel((a, b))
    except ValueError as error:
        raise UsageError(str(error)) from error
    seed = SystemRandom().randrange(SEEDS) if seed is None else seed
    points, faults = 0.0, Counter[str]()
    for k in range(games):
        game_points, game_faults = play_game(seed + k, k % 2)
        points += game_points
        for sentence in dict.fromkeys(game_faults):
            if sentence not in faults:
                say(sentence, err=True)
        faults.update(game_faults)
        say(format_score((a, b), points, k + 1))
        if k + 1 < games and max(Counter(game_faults).values(), default=0) >= MAX_REPEATED_FAULTS:
            say(text("bots.hopeless"), err=True)
            break
    if faults:
        say(text("bots.faulty", count=faults.total()), err=True)
    return 2 if faults else 0


def format_score(names: tuple[str, str], points: float, games: int) -> str:
    low, high = compute_interval(points, games)
    return text(
        "bots.score",
        a=names[0],
        b=names[1],
        points=number(points, 1),
        count=games,
        share=number(100.0 * points / games, 0),
        low=number(100.0 * low, 0),
        high=number(100.0 * high, 0),
    )


def compute_interval(points: float, games: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of the share of points (Wilson 1927)."""
    share, z2 = points / games, NORMAL_95**2 / games
    middle = (share + z2 / 2) / (1 + z2)
    half_width = NORMAL_95 * math.sqrt(share * (1 - share) / games + z2 / (4 * games)) / (1 + z2)
    return middle - half_width, middle + half_width
