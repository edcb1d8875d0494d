"""Foreign text made safe to show: names, file names and other programs' output can't control a terminal."""

from __future__ import annotations

import unicodedata


def shown(text: str) -> str:
    """Return the text in one line, with unseen characters (controls, directions, halves of letters) written out.

    Every exit to a terminal, a page, the window or a film goes through this.
    """
    if text.isprintable():
        return text
    return "".join(map(_shown, text))


def shown_lines(text: str) -> str:
    """Return the same, of a text that may have several lines."""
    return text if text.isprintable() else "\n".join(shown(line) for line in text.split("\n"))


def _shown(character: str) -> str:
    # A no-break space is one that is to be seen, though Python doesn't call it printable.
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    return character.encode("unicode_escape").decode()
