"""A pytest plugin to use with ``sitecustomize``: skips tests that don't apply to Windows."""

from __future__ import annotations

import pytest

#: Maps a part of a test's name to the reason for skipping the test.
REASONS = {
    "libegl1": "it names Debian's package",
    "webcams_are_known_by_number_and_name": "webcams are listed on Linux only",
    "the_error_of_a_webcam": "only Linux says why a webcam doesn't open",
    "test_a_busy_webcam": "only Linux says that a webcam is busy",
    "test_without_display_and_home_a_film_is_made_and_logged_elsewhere": "Windows always has a display",
    "test_a_film_without_egl": "it names Debian's package",
    "test_the_doctor_finds_broken_gl": "it names Debian's package",
    "child_in_another_session": "orphans are followed on Linux only",
    "signalled_supervisor_leaves_no_process[SIGHUP]": "Windows doesn't have this signal",
    "folder_of_a_new_file_is_synchronised": "Windows doesn't need to synchronise folders",
    "atspi": "AT-SPI exists only on Linux",
    "screen_reader": "AT-SPI exists only on Linux",
    "test_scripts.py": "the scripts are bash",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for part, reason in REASONS.items():
            if part in item.nodeid:
                item.add_marker(pytest.mark.skip(reason=f"without POSIX: {reason}"))
