"""Commands for bots: list them, and play matches between two of them."""

from __future__ import annotations

import math
from collections import Counter
from random import SystemRandom
from typing import Annotated

import typer

from armoon.cli.common import chosen, count_from, ends_plainly
from armoon.cli.options import command_group
from armoon.games import game_names, game_options, title_of
from armoon.messages import number, text
from armoon.settings.files import apply_language, load_settings
from armoon.values.acts import Feature

bots = command_group("bots", "Programs that play: list them, let two of them play matches.")
#: Half-width of a 95 % confidence interval, in standard deviations.
NORMAL_95 = 1.96
#: Number of repetitions of one fault that end the match, so that a hanging program doesn't make it last for hours.
HOPELESS = 3
#: Seeds to draw from when none is given.
SEEDS = 1_000_000


@bots.command("list")
@ends_plainly
def list_all() -> int:
    """List the bots of every game, the weakest first."""
    apply_language(load_settings())
    for game in game_names():
        own = game_options(game)
        if own.bot_kinds().words:
            typer.echo(title_of(game))
        for word in own.bot_kinds().words:
            typer.echo(f"  {word:8} {own.bot_kinds().name(word)}: {own.bot_kinds().about(word)}")
    return 0


@bots.command()
@ends_plainly
def match(
    a: Annotated[str, typer.Argument(metavar="A", help="A bot, or the path of a program that is one.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another, or the same.")],
    games: Annotated[
        int, typer.Option(parser=count_from(1), metavar="N", help="How many games; they begin in turn.")
    ] = 20,
    game: Annotated[str, typer.Option(metavar="GAME", help="Which game; the first one by default.")] = "",
    seed: Annotated[
        int | None,
        typer.Option(parser=count_from(0), metavar="N", help="Of the first game; each has the next."),
    ] = None,
) -> int:
    """Let two bots play without a picture, and print the score with its error."""
    from armoon.games.contract import kind_of

    apply_language(load_settings())
    names = tuple(name for name in game_names() if Feature.BOTS in game_options(name).has)
    played = chosen("--game", game or names[0], names)
    try:
        first = kind_of(played).bout((a, b))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    seed = SystemRandom().randrange(SEEDS) if seed is None else seed
    points, faults = 0.0, Counter[str]()
    for k in range(games):
        won, lost = first(seed + k, k % 2)
        points += won
        for sentence in dict.fromkeys(lost):
            if sentence not in faults:
                typer.echo(sentence, err=True)
        faults.update(lost)
        typer.echo(score_line((a, b), points, k + 1))
        if k + 1 < games and max(Counter(lost).values(), default=0) >= HOPELESS:
            typer.echo(text("bots.hopeless"), err=True)
            break
    if faults:
        typer.echo(text("bots.faulty", count=faults.total()), err=True)
    return 2 if faults else 0


def score_line(names: tuple[str, str], points: float, games: int) -> str:
    low, high = interval(points, games)
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


def interval(points: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of the true share (Wilson 1927); a draw counts as half a point."""
    share, z2 = points / games, NORMAL_95**2 / games
    middle = (share + z2 / 2) / (1 + z2)
    half = NORMAL_95 * math.sqrt(share * (1 - share) / games + z2 / (4 * games)) / (1 + z2)
    return middle - half, middle + half
