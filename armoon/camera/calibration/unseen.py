"""Why a detection failed: an answer, not an error, with a sentence for the player."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.messages import text


class Reason(enum.Enum):
    """The obstacle; the value is the key of a message as well."""

    DARK = "dark"
    GLARE = "glare"
    BLURRED = "blurred"
    COVERED = "covered"
    ABSENT = "absent"
    TWO = "two"
    NOT_FLAT = "not_flat"
    WRONG_BOARD = "wrong_board"
    MIRRORED = "mirrored"
    OUTLINE = "outline"
    SHAPE = "shape"


@dataclass(frozen=True)
class Unseen:
    """Nothing was found, and the likeliest reason."""

    reason: Reason

    @property
    def key(self) -> str:
        """The key of the message for the player."""
        return f"table.unseen.{self.reason.value}"

    def __str__(self) -> str:
        """One sentence in the player's language."""
        return text(self.key)
