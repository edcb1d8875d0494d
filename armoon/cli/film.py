"""Commands for logged games: films, clips, and the review of each turn."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from armoon.cli.common import count_from, ends_plainly, number_from, parsed, say
from armoon.cli.options import described, general, values_of
from armoon.cli.play import play_options
from armoon.errors import LogError
from armoon.messages import text
from armoon.options.kinds import Size
from armoon.options.option import COMMAND, options_in
from armoon.options.parts import part_options
from armoon.settings.files import apply_language, load_settings
from armoon.settings.preferences import PlayOptions
from armoon.sinks.sink import SinkPart
from armoon.values.text import short_repr

#: Sizes of clips for streams and for phones, pixels.
WIDE, TALL = (1920, 1080), (1080, 1920)
_TIERS = ("plain", "full")
_PARTS = described(options_in(part_options(SinkPart), COMMAND))
_Log = Annotated[Path, typer.Argument(metavar="LOG", help="A log that `armoon play` wrote.")]
_Tier = Annotated[str, typer.Option(metavar="|".join(_TIERS), help="How rich the picture is.")]


@_PARTS
def film(
    log: _Log,
    out: Annotated[Path, typer.Argument(metavar="FILE.mp4", help="Where the film goes.")],
    size: Annotated[str | None, typer.Option(metavar="WxH", help="As 1920x1080; else the camera's.")] = None,
    tier: _Tier = "plain",
    speed: Annotated[
        float,
        typer.Option(parser=number_from(0.05, 20.0), metavar="N", help="2 is twice as quick, 0.5 half."),
    ] = 1.0,
    *,
    typed: Mapping[str, Any],
) -> int:
    """Draw a whole logged game again, with its sounds."""
    options = _begin(tier, typed)
    from armoon.app.replay import film_log

    film_log(log, out, None if size is None else _size(size), tier, speed, options)
    say(text("film.written", path=out))
    return 0


@_PARTS
def clips(
    log: _Log,
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="Where the clips go; else beside the log.")
    ] = None,
    size: Annotated[
        list[str] | None, typer.Option(metavar="WxH", help="May be said again; else 1920x1080 and 1080x1920.")
    ] = None,
    tier: _Tier = "plain",
    best: Annotated[
        int, typer.Option(parser=count_from(1), metavar="N", help="No more than so many, the best.")
    ] = 12,
    *,
    typed: Mapping[str, Any],
) -> int:
    """Make clips of a logged game's best moments: falls, figures, moons, narrow escapes, the result."""
    options = _begin(tier, typed)
    from armoon.app.replay import clips_of

    sizes = tuple(_size(one) for one in size or ()) or (WIDE, TALL)
    for _, path in clips_of(log, folder or log.parent, sizes, tier, say, best, options):
        say(text("film.written", path=path))
    return 0


def _begin(tier: str, typed: Mapping[str, Any] | None = None) -> PlayOptions:
    settings = apply_language(load_settings())
    if tier not in _TIERS:
        raise typer.BadParameter(f"{short_repr(tier)} is none of {', '.join(_TIERS)}.", param_hint="--tier")
    return play_options(settings, **values_of(general(), typed or {}))


def _size(words: str) -> tuple[int, int]:
    size: tuple[int, int] = parsed("--size", words, Size().read, "as 1920x1080")
    return size


#: Default time limit of the search for each turn's safest place, seconds.
THINK_S = 4.0


@ends_plainly
def review(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A log that `armoon play` wrote.")],
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", help="Keep the curve over the game as a picture.")
    ] = None,
    think: Annotated[
        float,
        typer.Option(
            parser=number_from(0.5, 60.0), metavar="SECONDS", help="How long each turn is thought about."
        ),
    ] = THINK_S,
) -> int:
    """Tell turn by turn how safe what was done was, the safest there was, and where the game turned."""
    from armoon.engine.logbook import LogReader
    from armoon.games.contract import kind_of
    from armoon.games.library import intakes, logged_match

    apply_language(load_settings())
    reader = LogReader(log)
    match = logged_match(reader)
    try:
        reviewed = kind_of(match.game).review(
            match, intakes(reader), lambda turn: typer.echo(turn.line), think
        )
        typer.echo(reviewed.turning)
    finally:
        match.close()
    if picture is not None:
        try:
            picture.write_text(reviewed.picture, encoding="utf-8")
        except OSError as error:
            raise LogError(
                f"The picture {picture} can't be written ({error.strerror}).", remedy="Name another place."
            ) from error
        typer.echo(text("review.kept", path=picture))
    return 0
