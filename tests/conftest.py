"""Settings for all tests."""

from __future__ import annotations

import os

# OpenCV reads this once, when the first video of the process is opened, which may be one that a test made.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
