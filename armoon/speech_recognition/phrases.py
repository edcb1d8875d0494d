"""What can be said to play, in one table: phrases of two or three words, and what each of them wishes.

They are English, because the recogniser that needs no download knows English only (docs/access.md).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Kind(enum.Enum):
    """How a phrase reaches the game."""

    KEY = "key"
    """As this key would, of those that pages and table listen to."""
    CHOOSE = "choose"
    """Chooses what can be chosen at the table by that name, if it is offered."""
    ASKED = "asked"
    """The same, after a second phrase."""
    YES = "yes"
    NO = "no"
    """Answers to what was asked."""
    AGAIN = "again"
    """Says once more what is to be seen."""


@dataclass(frozen=True)
class Phrase:
    """One of them."""

    words: str
    kind: Kind
    what: str = ""


PHRASES = (
    Phrase("roll the die", Kind.CHOOSE, "roll"),
    Phrase("another place", Kind.KEY, "tab"),
    Phrase("previous place", Kind.KEY, "backtab"),
    Phrase("take this place", Kind.KEY, "enter"),
    Phrase("more places", Kind.CHOOSE, "more"),
    Phrase("carry it freely", Kind.CHOOSE, "free"),
    Phrase("move left", Kind.CHOOSE, "left"),
    Phrase("move right", Kind.CHOOSE, "right"),
    Phrase("bring it closer", Kind.CHOOSE, "nearer"),
    Phrase("push it away", Kind.CHOOSE, "further"),
    Phrase("raise the ladder", Kind.CHOOSE, "higher"),
    Phrase("lower the ladder", Kind.CHOOSE, "lower"),
    Phrase("rotate the ladder", Kind.CHOOSE, "turn_right"),
    Phrase("hold it there", Kind.CHOOSE, "stop"),
    Phrase("let it go", Kind.ASKED, "let_go"),
    Phrase("yes do it", Kind.YES),
    Phrase("never mind", Kind.NO),
    Phrase("return the ladder", Kind.CHOOSE, "back"),
    Phrase("give it up", Kind.ASKED, "give_up"),
    Phrase("leave this page", Kind.KEY, "escape"),
    Phrase("say that again", Kind.AGAIN),
    Phrase("help me please", Kind.KEY, "f1"),
)
BY_WORDS = {phrase.words: phrase for phrase in PHRASES}
