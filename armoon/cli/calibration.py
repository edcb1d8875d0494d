"""The work of `armoon board` and `armoon calibrate`, after their options are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from armoon.camera import capture_guide
from armoon.camera.board import Board, fit_to_screen, load_board, make_board_page, parse_board, scale_by_ruler
from armoon.camera.board_finder import BoardFinder
from armoon.camera.profiles import Calibration, get_camera_name, restore_profile, save_profile
from armoon.camera.sources import CameraRequest, FocusLock, LiveCapture, open_source
from armoon.codec import MalformedError
from armoon.codec.files import read_bytes
from armoon.errors import SettingsError
from armoon.printing.page import PAPERS, write_pdf
from armoon.values.text import short_repr

Echo = Callable[[str], None]

_WRITABLE = "Name a file in a folder that you may write to: --out FILE."


def print_board(out: Path, paper: str, board_path: Path | None, echo: Echo) -> int:
    write_file(out, write_pdf([make_board_page(board_of(board_path), known_paper(paper))]))
    echo(f"Written: {out.absolute()}")
    echo(f"Print it at 100 % on {paper.capitalize()} paper, and check that its ruler measures 100 mm.")
    echo("If it measures otherwise, say so: armoon calibrate --ruler-mm 98.5")
    return 0


def known_paper(paper: str) -> str:
    """Return ``paper``. Raises SettingsError if it isn't one of ``PAPERS``."""
    if paper not in PAPERS:
        raise SettingsError(
            f"There is no paper {short_repr(paper)}.", remedy=f"Take one of {', '.join(PAPERS)}."
        )
    return paper


def show_board(
    out: Path, pixels: tuple[int, int], diagonal_inch: float, board_path: Path | None, echo: Echo
) -> int:
    """Write the board as a picture for a screen, with its description in a second file."""
    import cv2

    board, picture = fit_to_screen(board_of(board_path), *pixels, diagonal_inch)
    ok, encoded = cv2.imencode(".png", picture)
    if not ok:
        raise SettingsError("The picture can't be made.", remedy=_WRITABLE)
    write_file(out, encoded.tobytes())
    description = out.with_suffix(".json")
    write_file(description, board.as_json().encode())
    echo(f"Written: {out.absolute()} and {description.absolute()}")
    echo(f"Show the picture full-screen at 100 %; a square is {1000 * board.square_m:.2f} mm.")
    echo(f"Then: armoon calibrate --board {description}")
    return 0


def calibrate_camera(source_text: str, request: CameraRequest, board: Board, folder: Path, echo: Echo) -> int:
    source = open_source(source_text, request)
    try:
        echo(source.description)
        if isinstance(source, LiveCapture) and source.lock_focus() is FocusLock.LOOSE:
            echo("The driver doesn't lock the focus: switch autofocus off in the camera's own program.")
        calibration = capture_guide.calibrate_from_camera(
            source, BoardFinder(board), lambda g, a: echo(_progress(g, a))
        )
    finally:
        source.close()
    return _keep(calibration, get_camera_name(source_text), folder, echo)


def calibrate_pictures(paths: Sequence[Path], camera: str, board: Board, folder: Path, echo: Echo) -> int:
    calibration = capture_guide.calibrate_from_pictures(
        paths, BoardFinder(board), lambda path, unseen: echo(f"{path.name}: {unseen or 'board found'}")
    )
    return _keep(calibration, camera, folder, echo)


def restore(source_text: str, request: CameraRequest, folder: Path, echo: Echo) -> int:
    name = get_camera_name(source_text)
    restore_profile(folder, name, request.width, request.height)
    echo(f"The last good profile of {name} at {request.width}x{request.height} is back.")
    return 0


def board_of(path: Path | None, ruler_mm: float | None = None) -> Board:
    """Return the board of a description, or the packaged one, scaled by the measured length of its ruler."""
    if path is None:
        board = load_board()
    else:
        try:
            board = parse_board(read_bytes(path), str(path))
        except (OSError, MalformedError) as error:
            raise SettingsError(
                f"The board description {path} can't be read.",
                remedy="Name a JSON file such as `armoon board` writes, or leave --board out.",
            ) from error
    return board if ruler_mm is None else scale_by_ruler(board, ruler_mm)


def _keep(calibration: Calibration, camera: str, folder: Path, echo: Echo) -> int:
    path = save_profile(folder, camera, calibration)
    model = calibration.camera
    held_out = (
        "" if calibration.held_out_px is None else f", {calibration.held_out_px:.3f} px on held-out views"
    )
    echo(
        f"{calibration.views} views, error {calibration.error_px:.3f} px{held_out}; focal length "
        f"{model.fx:.1f} by {model.fy:.1f} px (±{100 * calibration.focal_sigma:.2f} %), "
        f"centre {model.cx:.1f}, {model.cy:.1f}."
    )
    echo(f"Kept as {path}")
    return 0


def _progress(guide: capture_guide.CaptureGuide, advice: capture_guide.Advice) -> str:
    line = f"[{len(guide.sights)}/{capture_guide.MAX_VIEWS}] {capture_guide.format_hint(advice)}"
    return f"{capture_guide.format_coverage(guide)}\n{line}" if advice.taken else line


def write_file(path: Path, content: bytes) -> None:
    """Write a command's file. Raises SettingsError."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise SettingsError(f"{path} can't be written ({error.strerror}).", remedy=_WRITABLE) from error
