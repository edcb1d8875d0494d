"""Locates packaged files in the installed package or the checkout."""

from __future__ import annotations

from pathlib import Path

from armoon.errors import ArmoonError

_PACKAGE = Path(__file__).resolve().parent


def resource_path(folder: str, name: str, error: type[ArmoonError] = ArmoonError) -> Path:
    """Return the path of a file in ``shaders`` or ``calibration``. Raises ``error`` if it is missing."""
    for root in (_PACKAGE, _PACKAGE.parent):
        path = root / folder / name
        if path.is_file():
            return path
    raise error("fault.display.no_file", remedy="fault.remedy.reinstall", path=f"{folder}/{name}")


def resource_text(folder: str, name: str, error: type[ArmoonError] = ArmoonError) -> str:
    return resource_path(folder, name, error).read_text(encoding="utf-8")
