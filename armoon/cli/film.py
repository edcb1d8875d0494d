"""Commands for logged games: films, clips, and a review of each turn."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from armoon.cli.commands import argument, command
from armoon.cli.common import say
from armoon.cli.options import list_general_options, read_values
from armoon.cli.play import make_play_options
from armoon.errors import LogError
from armoon.games.news import TurnReview
from armoon.messages import text
from armoon.options.kinds import Number, OneOf, Size
from armoon.options.option import COMMAND, Option, filter_options
from armoon.options.parts import list_part_options
from armoon.settings.files import apply_language, load_settings
from armoon.settings.preferences import PlayOptions
from armoon.sinks.sink import SinkPart

#: Sizes of clips for streams and for phones, in pixels.
WIDE, TALL = (1920, 1080), (1080, 1920)
_LOG = argument("log", metavar="LOG", type=Path)
_TIER = argument("--tier", kind=OneOf(lambda: ("plain", "full")), default="plain")


def _list_film_options() -> tuple[Option, ...]:
    return filter_options(list_part_options(SinkPart), COMMAND)


@command(
    _LOG,
    argument("out", metavar="FILE.mp4", type=Path),
    argument("--size", kind=Size()),
    _TIER,
    argument("--speed", kind=Number(0.05, 20.0), default=1.0),
    options=_list_film_options,
)
def film(
    log: Path, out: Path, size: tuple[int, int] | None, tier: str, speed: float, *, args: Mapping[str, Any]
) -> int:
    options = _read_play_options(args)
    from armoon.app.replay import film_log

    film_log(log, out, size, tier, speed, options)
    say(text("film.written", path=out))
    return 0


@command(
    _LOG,
    argument("folder", nargs="?", metavar="FOLDER", type=Path),
    argument("--size", kind=Size(), action="append"),
    _TIER,
    argument("--best", kind=Number(1, whole=True), default=12),
    options=_list_film_options,
)
def clips(
    log: Path,
    folder: Path | None,
    size: list[tuple[int, int]] | None,
    tier: str,
    best: int,
    *,
    args: Mapping[str, Any],
) -> int:
    options = _read_play_options(args)
    from armoon.app.replay import film_clips

    sizes = tuple(size or (WIDE, TALL))
    for _, path in film_clips(log, folder or log.parent, sizes, tier, say, best, options):
        say(text("film.written", path=path))
    return 0


def _read_play_options(args: Mapping[str, Any]) -> PlayOptions:
    return make_play_options(apply_language(load_settings()), **read_values(list_general_options(), args))


#: Default time limit of the search for the safest place of each turn, in seconds.
THINK_S = 4.0


@command(
    _LOG,
    argument("--picture", metavar="FILE.svg", type=Path),
    argument("--think", kind=Number(0.5, 60.0, "s"), default=THINK_S),
)
def review(log: Path, picture: Path | None, think: float) -> int:
    from armoon.app.waiting import review_log

    reviewed = review_log(log, lambda news: say(news.line) if isinstance(news, TurnReview) else None, think)
    say(reviewed.summary)
    if picture is not None:
        try:
            picture.write_text(reviewed.picture, encoding="utf-8")
        except OSError as error:
            raise LogError("fault.log.picture", path=picture, why=error) from error
        say(text("review.kept", path=picture))
    return 0
