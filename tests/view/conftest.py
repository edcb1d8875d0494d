"""Fixtures of the tests of pictures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.gl_kit import headless

from armoon.gl import HeadlessSurface


@pytest.fixture(scope="module")
def surface(request: pytest.FixtureRequest) -> Iterator[HeadlessSurface]:
    """A surface for one test file, by its ``SURFACE``: width, height, and the mapping of its cached layers."""
    yield from headless(*request.module.SURFACE)
