"""The QR code on the party's page is readable, here by OpenCV instead of a phone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import pytest
from support.screens_kit import ADDRESS, fresh, resize

from armoon.gl import HeadlessSurface
from armoon.party.link import make_qr_rows
from armoon.screens.events import PartyState
from armoon.screens.machine import build_page
from armoon.screens.state import PageName

CACHE: dict[Any, Any] = {}
SURFACE = (1280, 1280, CACHE)


@pytest.mark.gl
@pytest.mark.parametrize("size", [(640, 360), (1280, 720), (720, 1280)], ids=str)
def test_the_code_in_the_window_contains_the_address(surface: HeadlessSurface, size: tuple[int, int]) -> None:
    from armoon.gl import make_sampled_target, read_bgr
    from armoon.view.pages import PageView

    surface.make_current()
    party = PartyState(True, True, ADDRESS, make_qr_rows(ADDRESS))
    (screens,) = resize(replace(fresh().go_to(PageName.PARTY), party_state=party), size)
    target = make_sampled_target(*size)
    target.use()
    PageView(*size).draw_page(build_page(screens))
    target.use()
    picture = cv2.resize(read_bgr(*size), None, fx=2.0, fy=2.0, interpolation=cv2.INTER_CUBIC)
    read, _, _ = cv2.QRCodeDetector().detectAndDecode(picture)
    assert read == ADDRESS
