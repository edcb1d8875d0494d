"""Why a detection failed: an answer, not an error, with a sentence for the player."""

from __future__ import annotations

import enum
from dataclasses import dataclass


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


_SENTENCES = {
    Reason.DARK: "it is too dark: switch a lamp on",
    Reason.GLARE: "light glares on it: turn the lamp or move the sheet",
    Reason.BLURRED: "the picture is blurred: hold still, or clean and focus the lens",
    Reason.COVERED: "too little of it is in view: uncover it",
    Reason.ABSENT: "nothing like it is in view",
    Reason.TWO: "there are two in view: take one away",
    Reason.NOT_FLAT: "it doesn't lie flat, or the camera's profile is not of this camera",
    Reason.WRONG_BOARD: "this is another board, or it was described with wrong sizes",
    Reason.MIRRORED: "the camera sends a mirrored picture: switch its mirroring off",
    Reason.OUTLINE: "what shows of it has not the paper's shape: uncover it, flatten it, or name its size",
    Reason.SHAPE: "the four points are not a rectangle seen from above",
}


@dataclass(frozen=True)
class Unseen:
    """Nothing was found, and the likeliest reason."""

    reason: Reason

    @property
    def key(self) -> str:
        """The key of the message for the player."""
        return f"table.unseen.{self.reason.value}"

    def __str__(self) -> str:
        """One English sentence."""
        return f"Can't see it, because {_SENTENCES[self.reason]}."
