"""Why a closing hand takes nothing, as far as the hand alone can tell."""

from __future__ import annotations

import enum


class Refusal(enum.Enum):
    """Why a hand that has closed takes nothing."""

    OTHER_HAND = "other_hand"
    """Its player prefers the other one, which is in view as well."""
    NOTHING = "nothing"
    """There is nothing that it may take: another player's turn, or no ladder in the lid."""
    TOO_FAR = "too_far"
    """What it might take stands elsewhere in the picture."""
