"""`armoon kit`: makes the paper kit for printing or for a screen, and stores the measured size of a print."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2

from armoon.cli.calibration import check_paper, parse_pixels, write_file
from armoon.cli.commands import argument, command
from armoon.cli.common import announce_games_folder, parse_value, say
from armoon.errors import SettingsError
from armoon.kit import draw_screen_picture, make_kit_pages, resolve_line_mm
from armoon.messages import number, set_language, text
from armoon.options.kinds import EnumValue, Number, OneOf
from armoon.printing import write_pdf, write_svg
from armoon.saves.profiles import change_profile
from armoon.settings.files import preferences_path, read_json, write_json
from armoon.values.choices import Language
from armoon.values.paper import PAPER_LADDERS


@command(
    argument("--out", metavar="FILE", type=Path),
    argument("--paper", metavar="a4|letter"),
    argument("--language", kind=EnumValue(Language)),
    argument("--screen", metavar="INCHES", kind=Number(0.0)),
    argument("--pixels", metavar="WxH"),
    argument("--hand", kind=OneOf(lambda: ("right", "left"))),
    argument("--measured", metavar="MM", kind=Number(0.0)),
    argument("--bank-card", metavar="MM", kind=Number(0.0)),
    argument("--player", metavar="NAME"),
)
def kit(
    out: Path | None,
    paper: str | None,
    language: str | None,
    screen: float | None,
    pixels: str | None,
    hand: str | None,
    measured: float | None,
    bank_card: float | None,
    player: str | None,
) -> int:
    if language is not None:
        set_language(language)
    if measured is not None or bank_card is not None:
        _refuse_others("--measured", out=out, paper=paper, screen=screen, pixels=pixels, hand=hand)
        return _save_print_size(measured, bank_card, player)
    out = out or Path("armoon-kit.pdf")
    if screen is not None:
        _refuse_others("--screen", paper=paper, player=player)
        sides = parse_value("--pixels", pixels or "1080x2400", parse_pixels, "pixels")
        return _write_screen_picture(out, screen, sides, hand or "right")
    _refuse_others(text("kit.page"), pixels=pixels, hand=hand, player=player)
    return _write_pages(out, paper or "a4")


def _refuse_others(kind: str, **others: object) -> None:
    for name, value in others.items():
        if value is not None:
            raise SettingsError("kit.no_effect", remedy="kit.leave_out", flag=f"--{name}", what=kind)


def _write_pages(out: Path, paper: str) -> int:
    pages = make_kit_pages(check_paper(paper.lower()))
    written = [out]
    match out.suffix.lower():
        case ".pdf":
            write_file(out, write_pdf(pages))
        case ".svg":
            written.append(out.with_stem(f"{out.stem}-board"))
            for path, page in zip(written, pages, strict=True):
                write_file(path, write_svg(page).encode())
        case _:
            raise SettingsError("kit.no_page", remedy="kit.name_page", path=out)
    for path in written:
        say(text("kit.written", path=path.absolute()))
    say(text("kit.then", paper=paper.capitalize()))
    return 0


def _write_screen_picture(out: Path, diagonal_inch: float, pixels: tuple[int, int], hand: str) -> int:
    ladder = next(ladder for ladder in PAPER_LADDERS if ladder.hand == hand)
    picture, scale = draw_screen_picture(ladder, pixels, diagonal_inch)
    path = out.with_suffix(".png")
    write_file(path, cv2.imencode(".png", picture)[1].tobytes())
    say(text("kit.written", path=path.absolute()))
    say(text("kit.on_screen", line=f"{100.0 * scale:.1f}"))
    return 0


def _save_print_size(measured: float | None, bank_card: float | None, player: str | None) -> int:
    line_mm = round(resolve_line_mm(measured, bank_card), 2)
    if player is None:
        write_json(preferences_path(), {**read_json(preferences_path()), "kit_mm": line_mm})
    else:
        change_profile(
            announce_games_folder(),
            player,
            lambda profile: replace(profile, habits=replace(profile.habits, kit_mm=line_mm)),
        )
    length = number(line_mm, 1)
    say(text("kit.kept", line=length) if player is None else text("kit.kept_of", line=length, player=player))
    return 0
