"""Calibration from exact corners, from photographs and in the guided capture."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from benchmarks.calibration import PHOTO_BOARD, measure_photographs
from benchmarks.sheets import CAMERA, SEAT, Conditions, SheetStage, make_board_sheet
from support.command_line import run
from support.hands_kit import media_folder

from armoon.camera import capture_guide
from armoon.camera.board import list_corners, load_board
from armoon.camera.board_finder import BoardFinder, BoardView
from armoon.camera.plane_pose import PlaneFault, project_sheet
from armoon.camera.profiles import Calibration, calibrate, load_profile, measure_view_error
from armoon.camera.sources import Frame, Image
from armoon.errors import CameraError
from armoon.geometry import pose_inverse, pose_looking_at
from armoon.values.poses import Pose

BOARD = load_board()
BLACK: Image = np.zeros((360, 480, 3), dtype=np.uint8)


def draw_poses(count: int, seed: int = 3) -> list[Pose]:
    random = np.random.default_rng(seed)
    poses = []
    for _ in range(count):
        around, above = random.uniform(-math.pi, math.pi), random.uniform(0.75, 1.3)
        aim = np.array([*random.uniform(-0.06, 0.06, 2), 0.0])
        side = math.cos(above)
        towards = np.array([math.sin(around) * side, -math.cos(around) * side, math.sin(above)])
        # The board stays upright in the picture, so that it leans to all sides in turn.
        poses.append(pose_looking_at(aim + random.uniform(0.3, 0.5) * towards, aim, (0.0, 1.0, 0.3)))
    return poses


def make_exact_view(seat: Pose, noise_px: float = 0.0, seed: int = 0) -> BoardView:
    places = list_corners(BOARD)
    pixels = project_sheet(CAMERA, pose_inverse(seat), places)
    noise = np.random.default_rng(seed).normal(0.0, noise_px, pixels.shape) if noise_px else 0.0
    return BoardView(np.arange(len(places), dtype=np.intp), pixels + noise, places)


class ScriptedFinder(BoardFinder):
    """Returns scripted results, for tests of the guide without pictures."""

    def __init__(self, results: list[BoardView | PlaneFault]) -> None:
        super().__init__(BOARD)
        self._results = iter(results)

    def find_board(self, image: Image) -> BoardView | PlaneFault:
        return next(self._results)


def test_exact_views_give_the_exact_camera() -> None:
    fitted = calibrate([make_exact_view(seat) for seat in draw_poses(15)], CAMERA.width, CAMERA.height)
    assert fitted.camera.fx == pytest.approx(CAMERA.fx, rel=1e-4)
    assert (fitted.camera.cx, fitted.camera.cy) == pytest.approx((CAMERA.cx, CAMERA.cy), abs=0.02)
    assert fitted.error_px < 0.01
    assert (fitted.held_out_px or 1.0) < 0.01


def test_held_out_views_measure_the_noise() -> None:
    board_views = [make_exact_view(seat, 0.3, i) for i, seat in enumerate(draw_poses(20))]
    fitted = calibrate(board_views, CAMERA.width, CAMERA.height)
    # The noise is 0.3 px in x and in y; fitting the six numbers of each view's pose removes only a little of it.
    assert fitted.held_out_px == pytest.approx(0.3 * math.sqrt(2.0), rel=0.25)
    assert measure_view_error(CAMERA, board_views) == pytest.approx(fitted.held_out_px, rel=0.25)
    assert abs(fitted.camera.fx / CAMERA.fx - 1.0) < 5.0 * fitted.focal_sigma


def test_a_held_out_view_is_not_fitted() -> None:
    board_views = [make_exact_view(seat, 0.3, i) for i, seat in enumerate(draw_poses(8))]
    fitted = calibrate(board_views, CAMERA.width, CAMERA.height)
    assert fitted.views == 8
    others = calibrate([*board_views[:4], *board_views[5:]], CAMERA.width, CAMERA.height)
    assert (others.views, others.held_out_px) == (7, None), "there are too few to hold one out"
    assert fitted.held_out_px == pytest.approx(measure_view_error(others.camera, board_views[4:5]), abs=1e-9)
    assert fitted.held_out_px != pytest.approx(measure_view_error(fitted.camera, board_views[4:5]), abs=1e-6)


def test_a_view_with_large_errors_is_left_out() -> None:
    board_views = [make_exact_view(seat, 0.05, i) for i, seat in enumerate(draw_poses(15))]
    strayed = board_views[4].pixels + np.random.default_rng(1).normal(0.0, 6.0, board_views[4].pixels.shape)
    board_views[4] = BoardView(board_views[4].ids, strayed, board_views[4].places)
    fitted = calibrate(board_views, CAMERA.width, CAMERA.height)
    assert fitted.views == 14
    assert fitted.error_px < 0.1
    assert (fitted.held_out_px or 1.0) < 0.2
    assert abs(fitted.camera.fx / CAMERA.fx - 1.0) < 4.0 * fitted.focal_sigma
    assert fitted.focal_sigma < 0.01


def test_too_few_or_very_noisy_views_are_refused() -> None:
    with pytest.raises(CameraError, match="Too few"):
        calibrate([make_exact_view(seat) for seat in draw_poses(3)], CAMERA.width, CAMERA.height)
    noisy = [make_exact_view(seat, 8.0, i) for i, seat in enumerate(draw_poses(10))]
    with pytest.raises(CameraError) as caught:
        calibrate(noisy, CAMERA.width, CAMERA.height)
    assert "Calibrate again" in caught.value.remedy


@pytest.fixture(scope="module")
def picture() -> Image:
    return SheetStage(CAMERA).render(SEAT, [make_board_sheet(BOARD)])


def test_the_guide_requires_stillness_and_new_views(picture: Image) -> None:
    guide = capture_guide.CaptureGuide(BoardFinder(BOARD), CAMERA.width, CAMERA.height)
    first = guide.examine_frame(Frame(0, 0.0, picture))
    # A single picture gives no speed.
    assert (first.is_taken, first.hint) == (False, capture_guide.Hint.HOLD_STILL)
    second = guide.examine_frame(Frame(1, 0.04, picture))
    assert (second.is_taken, second.hint) == (True, capture_guide.Hint.TAKEN)
    assert (len(guide.views), guide.is_done, guide.is_covered) == (1, False, False)
    assert guide.coverage.sum() == len(guide.views[0].ids)
    repeated = guide.examine_frame(Frame(2, 0.08, picture))
    assert not repeated.is_taken, "the same view adds nothing"
    assert repeated.hint.value.startswith("tilt")
    assert "█" in capture_guide.format_coverage(guide)


def test_the_guide_refuses_motion_blur_and_empty_pictures(picture: Image) -> None:
    stage = SheetStage(CAMERA)
    smeared = stage.render(SEAT, [make_board_sheet(BOARD)], Conditions(motion_px=(7.0, 2.0)))
    guide = capture_guide.CaptureGuide(BoardFinder(BOARD), CAMERA.width, CAMERA.height)
    for index in range(2):
        advice = guide.examine_frame(Frame(index, 0.04 * index, smeared))
    assert not advice.is_taken
    moved = np.ascontiguousarray(np.roll(picture, 4, axis=1))
    guide.examine_frame(Frame(2, 0.08, picture))
    # The board moves by 100 pixels per second.
    assert guide.examine_frame(Frame(3, 0.12, moved)).hint is capture_guide.Hint.HOLD_STILL
    dark = guide.examine_frame(Frame(4, 0.16, BLACK))
    assert (dark.hint, dark.fault) == (capture_guide.Hint.SHOW, PlaneFault.DARK)
    assert capture_guide.format_hint(dark) == str(PlaneFault.DARK)
    assert not guide.views


def test_the_guide_ends_and_never_takes_too_many_views(
    picture: Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture_guide, "measure_edge_sharpness", lambda grey, view: 1.0)
    views = [view for seat in draw_poses(60) for view in (make_exact_view(seat),) * 2]
    guide = capture_guide.CaptureGuide(ScriptedFinder([*views]), CAMERA.width, CAMERA.height)
    advices: list[capture_guide.Advice] = []
    while not guide.is_done:
        index = len(advices)
        time_s = index // 2 + 0.04 * (index % 2)
        advices.append(guide.examine_frame(Frame(index, time_s, picture)))
    assert 15 <= len(guide.views) <= capture_guide.MAX_VIEWS
    assert advices[-1].hint is capture_guide.Hint.DONE
    assert guide.examine_frame(Frame(999, 999.0, picture)).hint is capture_guide.Hint.DONE
    assert all(capture_guide.format_hint(advice) for advice in advices)
    calibration = calibrate(guide.views, CAMERA.width, CAMERA.height)
    assert calibration.camera.fx == pytest.approx(CAMERA.fx, rel=0.005)


@pytest.mark.parametrize("breaks", [False, True])
@pytest.mark.parametrize("views", [1, 8])
def test_an_ended_or_broken_film_is_used_if_it_had_enough_views(
    views: int, breaks: bool, picture: Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture_guide, "measure_edge_sharpness", lambda grey, view: 1.0)
    board_views = [view for seat in draw_poses(views) for view in (make_exact_view(seat),) * 2]

    class Film:
        description, width, height, rate_hz, live = "film", CAMERA.width, CAMERA.height, 30.0, False
        index = -1

        def read(self) -> Frame | None:
            self.index += 1
            if self.index < len(board_views):
                return Frame(self.index, self.index // 2 + 0.04 * (self.index % 2), picture)
            if breaks:
                raise CameraError("The film breaks off.", remedy="Copy it again.")
            return None

        def close(self) -> None: ...

    hints: list[str] = []

    def calibrate_film() -> Calibration:
        return capture_guide.calibrate_from_camera(
            Film(), ScriptedFinder([*board_views]), lambda g, a: hints.append(capture_guide.format_hint(a))
        )

    if views > 1:
        assert calibrate_film().camera.fx == pytest.approx(CAMERA.fx, rel=0.01)
    else:
        with pytest.raises(CameraError, match="breaks off" if breaks else "board: 1"):
            calibrate_film()
    assert "Taken." in hints


def test_invalid_pictures_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.jpg").write_text("no picture", encoding="utf-8")
    for paths in ([tmp_path / "x.jpg"], [tmp_path / "none.png"], []):
        with pytest.raises(CameraError):
            capture_guide.calibrate_from_pictures(paths, BoardFinder(BOARD), lambda path, fault: None)


@pytest.mark.media
def test_the_public_photographs_give_the_published_camera() -> None:
    figures = measure_photographs(media_folder() / "calibration")
    assert (figures["views"], figures["covered"]) == (4, "found")
    assert float(figures["focal_error"]) <= 0.02  # type: ignore[arg-type]
    assert float(figures["reprojection_px"]) <= 0.2  # type: ignore[arg-type]


@pytest.mark.media
def test_the_command_saves_a_profile_of_photographs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("armoon.cli.calibration.camera_profiles_folder", lambda: tmp_path)
    board = tmp_path / "board.json"
    board.write_text(PHOTO_BOARD.to_json(), encoding="utf-8")
    pictures = map(str, sorted((media_folder() / "calibration").glob("img_*.jpg")))
    calibrated = run("calibrate", *pictures, "--camera", "photo camera", "--board", str(board))
    assert calibrated.exit_code == 0, calibrated.output
    assert load_profile(tmp_path, "photo camera", 640, 480) is not None
    assert calibrated.output.count("board found") == 4


@pytest.mark.media
def test_another_board_is_not_taken_for_ours() -> None:
    path = media_folder() / "calibration" / "img_00.jpg"
    with pytest.raises(CameraError, match="board: 0"):
        capture_guide.calibrate_from_pictures([path], BoardFinder(BOARD), lambda path, fault: None)
