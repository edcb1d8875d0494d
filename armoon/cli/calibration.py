"""`armoon board` and `armoon calibrate` calibrate a camera; `armoon hand` measures a hand."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
from rich.console import Console
from rich.progress import Progress

from armoon.camera import capture_guide
from armoon.camera.board import Board, fit_to_screen, load_board, make_board_page, parse_board, scale_by_ruler
from armoon.camera.board_finder import BoardFinder
from armoon.camera.profiles import Calibration, get_camera_name, restore_profile, save_profile
from armoon.camera.sources import CameraRequest, FocusLock, LiveCapture, open_source
from armoon.cli.commands import argument, command, flag
from armoon.cli.common import announce_games_folder, parse_name, parse_value, say
from armoon.cli.play import make_play_options
from armoon.clock import WallClock
from armoon.codec import MalformedError
from armoon.codec.files import read_bytes
from armoon.errors import SettingsError, TrackerError
from armoon.hands.hand_size import HandSizeMeter, SizeProblem, find_card
from armoon.messages import centimetres, number, text
from armoon.options.kinds import Number, Size
from armoon.printing import PAPERS, write_pdf
from armoon.saves.profiles import change_profile
from armoon.settings.files import apply_language, camera_profiles_folder, load_settings
from armoon.settings.preferences import PlayOptions
from armoon.sinks.feed import create_console
from armoon.values.choices import SeatName
from armoon.values.text import parse_count, short_repr

#: Maximum number of pixels along a screen's side.
MAX_PIXELS = 16384
BOARD = argument("--board", dest="description", metavar="FILE.json", type=Path)


@command(
    argument("--out", metavar="FILE", type=Path, default=Path("board.pdf")),
    argument("--paper", metavar="a4|letter", default="a4"),
    argument("--screen", metavar="INCHES", kind=Number(0.0)),
    argument("--pixels", metavar="WxH", default="1080x2400"),
    BOARD,
)
def board(out: Path, paper: str, screen: float | None, pixels: str, description: Path | None) -> int:
    if screen is None:
        write_file(out, write_pdf([make_board_page(read_board(description), check_paper(paper.lower()))]))
        say(text("kit.written", path=out.absolute()))
        say(text("kit.board_print", paper=paper.capitalize()))
        say(text("kit.board_ruler"))
        return 0
    sides = parse_value("--pixels", pixels, parse_pixels, "pixels")
    return show_board(out.with_suffix(".png"), sides, screen, description)


def parse_pixels(pixels: str) -> tuple[int, int]:
    """Parse a screen's size ``WxH``, with sides up to MAX_PIXELS. Raises ValueError."""
    width_text, _, height_text = pixels.partition("x")
    width, height = parse_count(width_text), parse_count(height_text)
    if width is None or height is None or max(width, height) > MAX_PIXELS:
        raise ValueError(pixels)
    return width, height


@command(
    argument("pictures", nargs="*", metavar="PICTURE", type=Path),
    argument("--camera", metavar="N|FILE|URL", default="0"),
    argument("--size", kind=Size()),
    BOARD,
    argument("--ruler-mm", metavar="MM", kind=Number(0.0)),
    flag("--restore", dest="undo"),
)
def calibrate(
    pictures: list[Path],
    camera: str,
    size: tuple[int, int] | None,
    description: Path | None,
    ruler_mm: float | None,
    undo: bool,
) -> int:
    settings = apply_language(load_settings())
    folder = camera_profiles_folder()
    width, height = size or settings.size
    request = CameraRequest(width, height, settings.rate_hz)
    if undo:
        restore_profile(folder, get_camera_name(camera), width, height)
        say(text("calibrate.restored", camera=get_camera_name(camera), size=f"{width}x{height}"))
        return 0
    finder = BoardFinder(read_board(description, ruler_mm))
    calibration = (
        calibrate_pictures(pictures, finder) if pictures else calibrate_camera(camera, request, finder)
    )
    _save_calibration(calibration, get_camera_name(camera), folder)
    return 0


def check_paper(paper: str) -> str:
    """Return ``paper``. Raises SettingsError if it isn't one of ``PAPERS``."""
    if paper not in PAPERS:
        papers = ", ".join(PAPERS)
        raise SettingsError("kit.no_paper", remedy="kit.papers", paper=short_repr(paper), papers=papers)
    return paper


def show_board(out: Path, pixels: tuple[int, int], diagonal_inch: float, board_path: Path | None) -> int:
    """Write the board as a picture for a screen, with its description in a second file."""
    board, picture = fit_to_screen(read_board(board_path), *pixels, diagonal_inch)
    ok, encoded = cv2.imencode(".png", picture)
    if not ok:
        raise SettingsError("kit.no_picture", remedy="kit.name_file")
    write_file(out, encoded.tobytes())
    description = out.with_suffix(".json")
    write_file(description, board.to_json().encode())
    say(text("kit.written_both", path=out.absolute(), description=description.absolute()))
    say(text("kit.board_on_screen", square=number(1000 * board.square_m, 2)))
    say(text("kit.board_then", path=description))
    return 0


def calibrate_camera(source_text: str, request: CameraRequest, finder: BoardFinder) -> Calibration:
    with closing(open_source(source_text, request)) as source:
        say(source.description)
        if isinstance(source, LiveCapture) and source.lock_focus() is FocusLock.LOOSE:
            say(text("calibrate.loose_focus"))
        return capture_guide.calibrate_from_camera(source, finder, lambda *step: say(_format_step(*step)))


def calibrate_pictures(paths: Sequence[Path], finder: BoardFinder) -> Calibration:
    found = text("calibrate.found")
    return capture_guide.calibrate_from_pictures(
        paths, finder, lambda path, fault: say(f"{path.name}: {fault or found}")
    )


def read_board(path: Path | None, ruler_mm: float | None = None) -> Board:
    """Return the board described in ``path``, or the packaged one; ``ruler_mm``: measured length of its ruler."""
    if path is None:
        board = load_board()
    else:
        try:
            board = parse_board(read_bytes(path), str(path))
        except (OSError, MalformedError) as error:
            raise SettingsError("calibrate.unreadable", path=path) from error
    return board if ruler_mm is None else scale_by_ruler(board, ruler_mm)


def _save_calibration(calibration: Calibration, camera: str, folder: Path) -> None:
    path = save_profile(folder, camera, calibration)
    model = calibration.camera
    held_out_px = calibration.held_out_px
    held_out = "" if held_out_px is None else text("calibrate.held_out", error=number(held_out_px, 3))
    fields = {name: number(getattr(model, name), 1) for name in ("fx", "fy", "cx", "cy")}
    fields |= {"error": number(calibration.error_px, 3), "sigma": number(100 * calibration.focal_sigma, 2)}
    say(text("calibrate.result", views=calibration.views, held_out=held_out, **fields))
    say(text("calibrate.kept", path=path))


def _format_step(guide: capture_guide.CaptureGuide, advice: capture_guide.Advice) -> str:
    line = f"[{len(guide.views)}/{capture_guide.MAX_VIEWS}] {capture_guide.format_hint(advice)}"
    return f"{capture_guide.format_coverage(guide)}\n{line}" if advice.is_taken else line


def write_file(path: Path, content: bytes) -> None:
    """Write a file. Raises SettingsError if that fails."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise SettingsError("kit.unwritable", remedy="kit.name_file", path=path, why=error) from error


#: Time limit for measuring a hand, in seconds.
MEASURE_S = 10.0


@command(
    argument("player", metavar="NAME"),
    argument("--camera", metavar="N|FILE|URL", default="0"),
    flag("--card"),
)
def hand(player: str, camera: str, card: bool) -> int:
    settings = apply_language(load_settings())
    name = parse_value("NAME", player, parse_name, "name")
    options = make_play_options(settings, camera=camera, seat=SeatName.TABLE, headless=True, players=(name,))
    folder, console = announce_games_folder(), create_console()
    result = measure_hand(options, console, card=card)
    if isinstance(result, SizeProblem):
        raise TrackerError(f"hand_size.trouble.{result.value}", remedy="hand_size.again")
    palm_m, sigma_m = result
    change = partial(replace, palm_length_m=round(palm_m, 4))
    if error := change_profile(folder, name, change):
        console.print(error)
    sizes = {"length": centimetres(palm_m), "sigma": centimetres(sigma_m)}
    console.print(text("hand_size.result", player=name, **sizes))
    return 0


def measure_hand(options: PlayOptions, console: Console, *, card: bool) -> tuple[float, float] | SizeProblem:
    """Return the palm's length and its standard deviation in metres, or the most frequent problem.

    ``card``: use a bank card as the scale instead of the table.
    """
    from armoon.app.camera import TableWatch, open_camera, start_camera

    with ExitStack() as stack:
        opened, clock = open_camera(options), WallClock()
        console.print(text("hand_size.card" if card else "hand_size.table"))
        feed, seat = start_camera(options, opened.source, stack, clock), opened.make_seat("table")
        watch = TableWatch(opened, seat)
        stack.callback(watch.close)
        meter = HandSizeMeter(seat.camera, seat.table_from_camera)
        bar = stack.enter_context(Progress(transient=True, console=console))
        task, deadline_s = bar.add_task("", total=1.0), clock.now_s() + MEASURE_S
        while clock.now_s() < deadline_s and not meter.is_done:
            frame_input = feed.read_input()
            if frame_input.ended:
                break
            tracked = frame_input.result
            if tracked is None:
                continue
            if not card:
                watch.add_frame(frame_input)
            new_pose = watch.pop_new_pose()
            if new_pose is not None:
                meter = HandSizeMeter(watch.state.camera, new_pose)
            if card:
                sighting = find_card(seat.camera, tracked.frame.image)
                problem = meter.add_frame_with_card(tracked.hands, sighting)
            else:
                problem = meter.add_frame_on_table(tracked.hands)
            hint = "" if problem is None else text(f"hand_size.trouble.{problem.value}")
            bar.update(task, completed=meter.progress, description=hint)
        return meter.get_result()
