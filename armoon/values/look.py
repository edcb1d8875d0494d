"""Colours, contrast and patterns of pages and scenes, and the layout for left-handed players.

Pages and scenes use the default colours; the renderer adapts meaningful ones by ``Look.adapt_colour``.
docs/access.md lists the colour differences under simulated colour vision.
"""

from __future__ import annotations

from dataclasses import dataclass

from armoon.values.choices import Palette
from armoon.values.poses import Vec3

Rgba = tuple[float, float, float, float]


def _make_groups(*codes: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return dict(zip(("players", "pieces", "signals"), codes, strict=True))


#: Colours as hex codes; an index has the same meaning in all palettes. The players' colours: gold, sky, green, lemon,
#: vermilion and rose. The signals: can be taken, touched, success, fault.
PALETTES: dict[Palette, dict[str, tuple[str, ...]]] = {
    Palette.USUAL: _make_groups(
        ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#d55e00", "#cc79a7"),
        ("#f5b840", "#66b882", "#c93847", "#29459e"),
        ("#ffcc6b", "#80a0ff", "#73eb9e", "#ff4d3d"),
    ),
    Palette.PROTAN: _make_groups(
        ("#dfa502", "#8fd7fb", "#53887e", "#fff9de", "#cb1304", "#a415d2"),
        ("#e8b301", "#27f5ff", "#cc0204", "#6850cc"),
        ("#f7ba04", "#8d91fc", "#b5fffb", "#f7290f"),
    ),
    Palette.DEUTAN: _make_groups(
        ("#ed9601", "#97dafe", "#089886", "#fef9df", "#a24934", "#8c2bed"),
        ("#ffe42f", "#72fafc", "#c2165a", "#1a67bc"),
        ("#feef11", "#8d90ff", "#bcfeef", "#c86067"),
    ),
    Palette.TRITAN: _make_groups(
        ("#fda728", "#68dcff", "#027b5b", "#f6ffcb", "#cd0326", "#916bbe"),
        ("#fee438", "#22fffe", "#c91112", "#4a658a"),
        ("#f7c25c", "#d8dbfc", "#0ba3a4", "#fb1641"),
    ),
}
#: Patterns of players' discs, by index in the palette: plain, horizontal bar, vertical bar, dot, cross, half filled.
#: Patterns of pieces, as on the table: plain, vertical lines, a belt, dots.
PLAYER_PATTERNS = (0, 1, 2, 3, 4, 5)
PIECE_PATTERNS = (0, 2, 1, 3)
#: Further default colours with the same meanings, used in the pictures of the rules.
_OTHER_DEFAULTS: tuple[tuple[str, int, Vec3], ...] = (
    ("signals", 2, (0.36, 0.86, 0.55)),
    ("signals", 3, (0.98, 0.42, 0.38)),
    ("signals", 2, (150 / 255, 240 / 255, 180 / 255)),
    ("players", 0, (0.98, 0.74, 0.25)),
    ("players", 1, (0.35, 0.72, 0.95)),
    ("players", 2, (0.20, 0.70, 0.52)),
    ("players", 5, (0.90, 0.45, 0.62)),
)


def rgb(code: str) -> Vec3:
    red, green, blue = (int(code[k : k + 2], 16) / 255.0 for k in (1, 3, 5))
    return (red, green, blue)


def _to_bytes(colour: Vec3) -> tuple[int, ...]:
    return tuple(round(255.0 * part) for part in colour)


def _map_meanings() -> dict[tuple[int, ...], tuple[str, int]]:
    groups = PALETTES[Palette.USUAL]
    main = {_to_bytes(rgb(code)): (name, k) for name, codes in groups.items() for k, code in enumerate(codes)}
    return main | {_to_bytes(colour): (name, k) for name, k, colour in _OTHER_DEFAULTS}


_MEANINGS = _map_meanings()


@dataclass(frozen=True)
class Look:
    """The players' choices about colours, contrast and patterns."""

    palette: Palette = Palette.USUAL
    contrast: bool = False
    """Black text backgrounds, bright lines, no transparency."""
    patterns: bool = False
    """Patterns in addition to the colours of players and faults."""
    left_handed: bool = False
    """Whether table and picture are laid out with left and right exchanged."""

    def adapt_colour(self, colour: Vec3) -> Vec3:
        """Return this palette's version of a default colour; colours without a meaning are unchanged."""
        if self.palette is Palette.USUAL:
            return colour
        meaning = _MEANINGS.get(_to_bytes(colour))
        return colour if meaning is None else rgb(PALETTES[self.palette][meaning[0]][meaning[1]])

    def adapt_rgba(self, colour: Rgba) -> Rgba:
        return (*self.adapt_colour((colour[0], colour[1], colour[2])), colour[3])

    def get_pattern(self, colour: Vec3) -> int:
        """Return the pattern for a player's or piece's default colour; 0: none."""
        group, k = _MEANINGS.get(_to_bytes(colour), ("", 0)) if self.patterns else ("", 0)
        return {"players": PLAYER_PATTERNS, "pieces": PIECE_PATTERNS}.get(group, (0,) * 6)[k]


USUAL_LOOK = Look()
