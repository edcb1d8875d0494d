"""Offscreen OpenGL surfaces for tests."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest

from armoon.errors import DisplayError
from armoon.gl import HeadlessSurface


def headless(
    width: int, height: int, cache: MutableMapping[Any, Any] | None = None
) -> Iterator[HeadlessSurface]:
    """Yield an offscreen surface; before it is closed, clear ``cache``, which holds its objects."""
    try:
        surface = HeadlessSurface(width, height)
    except DisplayError as error:
        pytest.skip(str(error))
    yield surface
    if cache is not None:
        cache.clear()
    surface.close()


def read_gl_error() -> str:
    from armoon.gl import get_context

    name = get_context().error
    return "" if name == "GL_NO_ERROR" else name
