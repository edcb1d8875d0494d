"""A handicap in words, for pages, score board and result."""

from __future__ import annotations

from armoon.messages import text
from armoon.values.handicap import Handicap, Helping


def told(handicap: Handicap, spared: int = 0, hints: int = 0, *, brief: bool = False) -> str:
    """Return what a handicap still spares after this many mistakes, hints and helps; empty for none.

    ``brief``: as a score board has room for.
    """
    parts = []
    if handicap.spared:
        key = "handicap.spared_brief" if brief else "handicap.spared"
        parts.append(text(key, count=max(0, handicap.spared - spared)))
    if handicap.hints is not None:
        parts.append(text("handicap.hints", count=max(0, handicap.hints - hints)))
    if handicap.helps is not Helping.USUAL:
        parts.append(text(f"handicap.helps_{handicap.helps}"))
    return ", ".join(parts)
