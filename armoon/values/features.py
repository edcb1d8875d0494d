"""What a game may have or not have: pages offer what it has, and whoever asks for more is told that it hasn't."""

from __future__ import annotations

import enum


class Feature(enum.Enum):
    """Something that a player can ask of some games."""

    ROLL = "roll"
    """A die to roll."""
    GIVE_UP = "give_up"
    """A piece can be given up for lost."""
    PUT_BACK = "put_back"
    """What is held can go back to where it was taken."""
    SCORE = "score"
    """A team can score when it chooses to."""
    UNDO = "undo"
    """Turns can be put back."""
    OVERRULE = "overrule"
    """A host can change what players have been charged."""
    CHOOSE = "choose"
    """Moves can be chosen from a list, by keys."""
