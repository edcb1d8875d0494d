"""A pytest plugin for use with ``sitecustomize``: it skips tests of Linux-only features, with the reason."""

from __future__ import annotations

import pytest

#: Reasons by a part of the test's name.
REASONS = {
    "libegl1": "its sentence is Linux's",
    "test_no_such_webcam": "which webcams there are is known on Linux only",
    "webcams_are_known_by_number_and_name": "which webcams there are is known on Linux only",
    "test_no_webcam_at_all_names": "which webcams there are is known on Linux only",
    "test_an_existing_webcam_is_busy": "that a webcam is busy is known on Linux only, by its right",
    "test_a_webcam_without_permission": "rights of webcams are Linux's",
    "test_a_busy_webcam": "that a webcam is busy is known on Linux only, by its right",
    "test_a_film_is_made_and_logged_elsewhere_without_display": "Windows always has a display",
    "test_a_film_without_egl": "it names Debian's package",
    "test_the_doctor_finds_broken_gl": "it names Debian's package",
    "left_its_session": "orphans are followed on Linux only",
    "told_to_go[SIGHUP]": "Windows has no such signal",
    "kept_by_the_disk_too": "Windows needs no sync of folders",
    "what_others_laid": "rights of single files are POSIX's",
    "atspi": "Linux's screen readers",
    "screen_reader": "Linux's screen readers",
    "test_scripts.py": "the scripts are bash",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for part, reason in REASONS.items():
            if part in item.nodeid:
                item.add_marker(pytest.mark.skip(reason=f"without POSIX: {reason}"))
