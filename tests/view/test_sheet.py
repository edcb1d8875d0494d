"""The sheet of ladders, drawn in a process of its own: its context mustn't meet the other tests'."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

DRAW = """
import sys
from pathlib import Path
from armoon.errors import DisplayError
from armoon.view.sheet import draw_sheet, write_png
from armoon.world.ladders import make_ladder_set
ladders = make_ladder_set(7)
try:
    picture = draw_sheet(ladders)
except DisplayError as error:
    print(error, file=sys.stderr)
    sys.exit(3)
write_png(picture, Path(sys.argv[1]))
try:
    write_png(picture, Path(sys.argv[1]).with_name("none") / "a.png")
except DisplayError as error:
    print(error)
"""


@pytest.mark.gl
def test_every_ladder_is_on_the_sheet(tmp_path: Path) -> None:
    cv2 = pytest.importorskip("cv2")
    path = tmp_path / "sheet.png"
    done = subprocess.run(
        [sys.executable, "-c", DRAW, str(path)], capture_output=True, text=True, check=False
    )
    if done.returncode == 3:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    assert "can't be written" in done.stdout
    picture = cv2.imread(str(path))
    assert picture.shape == (1440, 1600, 3)
    wood = (picture[:, :, 0].astype(int) < picture[:, :, 2].astype(int) - 50).astype("uint8")
    count, _, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(wood, None))
    heights = [int(stats[k][3]) for k in range(1, count) if stats[k][3] > 150]
    assert len(heights) == 30, "thirty ladders, none touching another"
