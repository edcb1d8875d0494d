"""The error for a saved game, profile or result file that can't be read or written."""

from __future__ import annotations

from armoon.errors import ArmoonError


class SaveError(ArmoonError):
    """A saved game, or a players' or results' file, that can't be read, written or resumed."""


class NameTakenError(SaveError):
    """There is a file of that name already, perhaps since a moment ago."""
