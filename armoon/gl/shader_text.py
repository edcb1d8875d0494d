"""The text of a shader: the version, the tier it is compiled for, the shared prelude, then its own file."""

from __future__ import annotations

from armoon.errors import ArmoonError, DisplayError
from armoon.resources import resource_text

PRELUDE = "prelude.glsl"


def shader_source(name: str) -> str:
    """The shared prelude, then one packaged shader file; errors count lines from the prelude's first."""
    try:
        return resource_text("shaders", PRELUDE) + resource_text("shaders", name)
    except ArmoonError as error:
        raise DisplayError(error.what, remedy=error.remedy) from error


def for_tier(source: str, level: int) -> str:
    """The same text with ``TIER`` defined behind its version line; its lines keep their numbers."""
    version, rest = source.split("\n", 1)
    return f"{version}\n#define TIER {level}\n#line 2\n{rest}"
