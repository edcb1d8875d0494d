"""A pytest plugin to use with ``sitecustomize``: skips tests that don't apply to Windows."""

from __future__ import annotations

import pytest

#: Maps a part of a test's name to the reason for skipping the test.
REASONS = {
    "libegl1": "its sentence is Linux's",
    "webcams_are_known_by_number_and_name": "which webcams there are is known on Linux only",
    "the_fault_of_a_webcam": "which webcams there are, and why one doesn't open, is known on Linux only",
    "test_a_busy_webcam": "that a webcam is busy is known on Linux only",
    "test_without_display_and_home_a_film_is_made_and_logged_elsewhere": "Windows always has a display",
    "test_a_film_without_egl": "it names Debian's package",
    "test_the_doctor_finds_broken_gl": "it names Debian's package",
    "child_in_another_session": "orphans are followed on Linux only",
    "signalled_supervisor_leaves_no_process[SIGHUP]": "Windows has no such signal",
    "synchronised_to_the_disk_too": "Windows needs no sync of folders",
    "atspi": "Linux's screen readers",
    "screen_reader": "Linux's screen readers",
    "test_scripts.py": "the scripts are bash",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for part, reason in REASONS.items():
            if part in item.nodeid:
                item.add_marker(pytest.mark.skip(reason=f"without POSIX: {reason}"))
