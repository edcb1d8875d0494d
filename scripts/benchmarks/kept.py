"""Where benchmarks keep what takes long to make."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from armoon.settings.options import can_write


def cache_folder() -> Path | None:
    """Return a folder for things that can be made again; None where the home can't be written."""
    folder = Path(platformdirs.user_cache_dir("armoon", appauthor=False))
    return folder if can_write(folder) else None
