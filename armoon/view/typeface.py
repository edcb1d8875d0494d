"""Fonts: the shipped one and, for other scripts, the first installed one that has their letters.

pyglet needs a millisecond to expand each new letter to four channels; numpy is faster. FreeType neither joins Arabic
letters nor writes from right to left, so ``to_visual_order`` does both.
"""

from __future__ import annotations

import itertools
import re
import sys
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyglet

GREY, BGRA = "R", "BGRA"


def expand_alpha(grey: Any) -> bytes:
    """Return white pixels (n, 4) whose alpha is the grey levels (n,), 0 to 255."""
    letters = np.full((len(grey), len(BGRA)), 255, np.uint8)
    letters[:, 3] = np.frombuffer(grey, np.uint8)
    return letters.tobytes()


def speed_up_freetype() -> None:
    """Make pyglet's FreeType fonts use ``expand_alpha``, and all but the shipped one HarfBuzz as well."""
    with suppress(ImportError, AttributeError):
        from pyglet.font import harfbuzz
        from pyglet.font.freetype import FreeTypeFont, FreeTypeGlyphRenderer

        class FastRenderer(FreeTypeGlyphRenderer):  # type: ignore[misc]
            def _expand_to_rgba(self, data: Any, src_format: str, dst_format: str) -> bytes:
                if (src_format, dst_format) == (GREY, BGRA):
                    return expand_alpha(data)
                return bytes(super()._expand_to_rgba(data, src_format, dst_format))

        get_plain_glyphs = FreeTypeFont.get_glyphs

        def get_glyphs(font: Any, text: str) -> Any:
            if font.name == NUNITO or not harfbuzz.harfbuzz_available():
                return get_plain_glyphs(font, text)
            font._initialize_renderer()
            font.hb_resource = harfbuzz.get_resource_from_ft_font(font)
            return harfbuzz.get_harfbuzz_shaped_glyphs(font, text)

        FreeTypeFont.glyph_renderer_class = FastRenderer
        FreeTypeFont.get_glyphs = get_glyphs


#: Nunito (SIL Open Font License, view/fonts/OFL.txt), which covers all languages with Latin letters.
NUNITO = "Nunito"
_FOLDER = Path(__file__).resolve().parent / "fonts"
_FILES = ("Nunito-Regular.ttf", "Nunito-Bold.ttf")
FALLBACKS = (
    "Noto Sans",
    "DejaVu Sans",
    "Noto Sans Arabic",
    "Noto Naskh Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
    "Noto Sans Bengali",
    "Noto Sans Tamil",
    "Noto Sans Thai",
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "WenQuanYi Zen Hei",
    "Segoe UI",
    "Yu Gothic",
    "Hiragino Sans",
    "Arial Unicode MS",
)
#: Font size for checking which letters a font has, in points; the value has no effect on that.
_PROBE_PT = 12


@lru_cache(maxsize=1)
def load_font() -> str:
    """Register the shipped font with pyglet and return its family. Doesn't wrap pyglet's errors."""
    speed_up_freetype()
    for name in _FILES:
        pyglet.font.add_file(str(_FOLDER / name))
    return NUNITO


def measure_run(font: Any, run: str) -> float:
    """Return a run's width in pixels, without rendering glyphs if FreeType draws the shipped font."""
    if font.name != NUNITO or not hasattr(getattr(font, "face", None), "ft_face"):
        glyphs, offsets = font.get_glyphs(run)
        return float(sum(glyph.advance + o.x_advance for glyph, o in zip(glyphs, offsets, strict=False)))
    from pyglet.font.freetype_lib import FT_LOAD_DEFAULT, FT_Load_Char

    font.face.set_char_size(font.size, font.dpi)
    face, width = font.face.ft_face, 0
    for letter in run:
        FT_Load_Char(face, ord(letter), FT_LOAD_DEFAULT)
        width += face.contents.glyph.contents.advance.x >> 6
    return float(width)


@lru_cache(maxsize=1024)
def split_runs(text: str) -> tuple[tuple[str, str], ...]:
    """Return a line's runs in visual order from left to right, each with its font family."""
    line, shipped = to_visual_order(text), list[bool]()
    for letter in line:
        attached = bool(shipped) and unicodedata.category(letter) in ("Mn", "Mc", "Me", "Cf")
        shipped.append(shipped[-1] if attached else letter.isascii() or _has_all(load_font(), {letter}))
    runs = (
        ("".join(letter for letter, _ in run), is_shipped)
        for is_shipped, run in itertools.groupby(zip(line, shipped, strict=True), key=lambda item: item[1])
    )
    return tuple((run, load_font() if is_shipped else find_family(run)) for run, is_shipped in runs)


def can_shape() -> bool:
    """Return whether the system or HarfBuzz shapes Indic and Southeast Asian letters."""
    if SYSTEM_SHAPES_TEXT:
        return True
    from pyglet.font.harfbuzz import harfbuzz_available  # needs a display, or pyglet's headless option

    return bool(harfbuzz_available())


@lru_cache(maxsize=512)
def find_family(text: str) -> str:
    """Return the first family with all letters of the text, starting with the shipped one, or else the shipped one."""
    letters = {letter for letter in to_visual_order(text) if not letter.isascii()}
    families = (load_font(), *_list_fallbacks())
    return next((name for name in families if _has_all(name, letters)), load_font())


def has_letters(text: str) -> bool:
    return _has_all(find_family(text), set(to_visual_order(text)))


@lru_cache(maxsize=1)
def _list_fallbacks() -> tuple[str, ...]:
    return tuple(name for name in FALLBACKS if pyglet.font.have_font(name))


def _has_all(family: str, letters: set[str]) -> bool:
    """Return whether a font has all letters; True without FreeType, because other systems substitute fonts."""
    face = getattr(pyglet.font.load(family, _PROBE_PT), "face", None)
    if face is None or not hasattr(face, "get_character_index"):
        return True
    return all(face.get_character_index(letter) for letter in letters)


#: Whether the operating system joins and orders letters.
SYSTEM_SHAPES_TEXT = sys.platform in ("win32", "darwin")
#: Brackets and their mirror images.
_BRACKETS = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")
#: One letter, or lam and alef together, because they form a ligature.
_LETTER = re.compile("\u0644[\u0622\u0623\u0625\u0627]|.", re.DOTALL)
_INDIC, _SARA_AM = re.compile("[\u0900-\u0dff]+"), re.compile("([\u0e48-\u0e4b]?)\u0e33")
#: A joining letter that has one form only, and characters that control joining.
_TATWEEL, _JOINER, _NON_JOINER = "\u0640", "\u200d", "\u200c"


@lru_cache(maxsize=1024)
def to_visual_order(text: str) -> str:
    """Return a line's letters in visual order, left to right, with Arabic ones joined: UAX 9 without embeddings.

    A line with any left-to-right letter counts as a left-to-right line.
    """
    classes = set(map(unicodedata.bidirectional, text))
    if SYSTEM_SHAPES_TEXT:
        return text
    # Decompose two-part vowels, because pyglet draws at most one glyph for each letter.
    text = _INDIC.sub(lambda match: unicodedata.normalize("NFD", match[0]), text)
    text = _SARA_AM.sub("\u0e4d\\1\u0e32", text)
    if classes.isdisjoint(("R", "AL")):
        return text
    clusters: list[str] = []
    for letter in _join_arabic(text):
        if clusters and unicodedata.combining(letter):
            clusters[-1] += letter
        else:
            clusters.append(letter)
    levels = _find_bidi_levels([unicodedata.bidirectional(cluster[0]) for cluster in clusters])
    ordered = [c.translate(_BRACKETS) if level == 1 else c for c, level in zip(clusters, levels, strict=True)]
    for lowest in (2, 1):
        start = 0
        for is_reversed, run in itertools.groupby([level >= lowest for level in levels]):
            end = start + len(list(run))
            if is_reversed:
                ordered[start:end] = ordered[start:end][::-1]
            start = end
    return "".join(ordered)


def _find_bidi_levels(classes: Sequence[str]) -> list[int]:
    """Return the embedding level for each bidi class: 0 left to right, 1 right to left, 2 a number within that."""
    base = 0 if "L" in classes else 1
    assigned: list[int | None] = []
    from_right = base == 1
    for kind in classes:
        if kind in ("L", "R", "AL"):
            from_right = kind != "L"
        if kind in ("EN", "AN"):
            # In a left-to-right sentence, a number after a right-to-left name belongs to the sentence.
            assigned.append(2 if from_right and (base == 1 or assigned[-1]) else 0)
        else:
            assigned.append(int(from_right) if kind in ("L", "R", "AL") else None)
    levels = []
    for k, level in enumerate(assigned):
        before = next((item for item in reversed(assigned[:k]) if item is not None), base)
        after = next((item for item in assigned[k:] if item is not None), base)
        inside = 2 if classes[k] in ("CS", "ES") and before == after == 2 else 1
        levels.append(level if level is not None else inside if min(before, after) > 0 else base)
    return levels


@lru_cache(maxsize=1)
def _load_arabic_forms() -> dict[str, dict[str, str]]:
    """Return the presentation forms of Arabic letters: ``<isolated>``, ``<initial>``, ``<medial>``, ``<final>``."""
    forms: dict[str, dict[str, str]] = {}
    for letter in map(chr, (*range(0xFB50, 0xFC00), *range(0xFE70, 0xFEFD))):
        form, *parts = unicodedata.decomposition(letter).split() or [""]
        forms.setdefault("".join(chr(int(part, 16)) for part in parts), {})[form] = letter
    return forms


def _join_arabic(text: str) -> str:
    """Replace Arabic letters with their joined forms."""
    letters = _LETTER.findall(text)
    forms = [_load_arabic_forms().get(letter, {}) for letter in letters]
    shown = list(letters)
    bare = [k for k, letter in enumerate(letters) if not unicodedata.combining(letter[0])]

    def can_join(index: int | None, form: str) -> bool:
        return index is not None and (form in forms[index] or letters[index] in (_TATWEEL, _JOINER))

    for before, current, after in zip([None, *bare], bare, [*bare[1:], None], strict=False):
        back = can_join(before, "<initial>") and can_join(current, "<final>")
        ahead = can_join(current, "<initial>") and can_join(after, "<final>")
        form = "<medial>" if back and ahead else "<final>" if back else "<initial>" if ahead else "<isolated>"
        shown[current] = forms[current].get(form, letters[current])
    return "".join(shown).replace(_JOINER, "").replace(_NON_JOINER, "")
