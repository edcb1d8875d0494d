"""The words for bots' strengths, without the bots."""

from __future__ import annotations

from armoon.values.choices import Word


class Strength(Word):
    """How well a bot plays."""

    WEAK = "weak"
    """Every other move is any legal one; else the one that brings most at once."""
    MIDDLE = "middle"
    """Looks at its move and at the answer."""
    STRONG = "strong"
    """Looks as far as its nodes last."""
