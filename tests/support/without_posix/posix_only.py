"""A pytest plugin: under ``sitecustomize`` beside it, tests of what only Linux has are skipped, with the reason."""

from __future__ import annotations

import pytest

#: By a part of a test's name.
REASONS = {
    "display": "Windows always has a display",
    "tests/camera/test_sources.py": "webcams by name and right are Linux's",
    "webcam_97": "which webcams there are is known on Linux only",
    "libegl1": "its sentence is Linux's",
    "kept_by_the_disk_too": "Windows needs no sync of folders",
    "what_others_laid": "rights of single files are POSIX's",
    "signal": "Windows has no such signal",
    "terminal": "Windows has no terminal that closes",
    "atspi": "Linux's screen readers",
    "screen_reader": "Linux's screen readers",
    "test_scripts.py": "the scripts are bash",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them."""
    for item in items:
        for part, reason in REASONS.items():
            if part in item.nodeid:
                item.add_marker(pytest.mark.skip(reason=f"without POSIX: {reason}"))
