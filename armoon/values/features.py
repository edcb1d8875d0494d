"""The features that a game may have: pages offer those, and other requests get a sentence."""

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
    ATTITUDE = "attitude"
    """What is offered can be turned before it is taken."""
    LADDER = "ladder"
    """What is offered can be changed for another that could be drawn."""
    PRACTICE = "practice"
    """It can be practised, and has a guided first game."""
    HINT = "hint"
    """A place that holds can be asked for."""
    SHARE = "share"
    """Players who are tied can share the victory instead of playing on."""
    BOTS = "bots"
    """Programs can play seats."""
    HANDICAP = "handicap"
    """Players can have handicaps."""
