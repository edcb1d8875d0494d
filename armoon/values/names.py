"""Checks names of players and guests, and detects look-alike names."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache

#: Maximum number of letters and marks: a name has to fit on the score board.
LONGEST_NAME = 16
#: Maximum number of marks on one letter: more than any script uses, but too few to cover the line above.
_MAX_MARKS = 4
#: Other characters allowed in names: hyphens, apostrophes and points of several scripts.
_PUNCTUATION = " '`´‘’ʼ׳״-‐‑–._·・་"
#: Characters that control how letters of Persian and Indic scripts join.
JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
#: Invisible letters and marks: fillers and variation selectors.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
#: Letters of other scripts that look like Latin ones.
_LOOK_ALIKE = str.maketrans(
    "асеорхукмнтвіјѕԁԛԝһѵӏαεικνορτυχοսոհցյօүԍ", "aceopxykmhtbijsdqwhvlaeiknoptuxounhgjoyg"
)
#: Capitals that look like Latin ones, although their small letters don't.
_LOOK_ALIKE_CAPITALS = str.maketrans(
    "ΒΖΗΜΝΥАВЕКМНОРСТУХІЈЅᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃⲀⲂⲈⲎⲔⲘⲚⲞⲢⲤⲦⲨⲬ",
    "BZHMNYABEKMHOPCTYXIJSABCDEGHJKLMPRSTVWZABEHKMNOPCTYX",
)
#: Unicode names of letters that look like basic Latin ones: small capitals, and letters with a hook or a stroke.
_LATIN = re.compile(
    r"LATIN (?:SMALL|CAPITAL)? ?LETTER (?:SMALL CAPITAL |SCRIPT |DOTLESS |LONG )?([A-Z])( WITH .*)?"
)
_ALPHA = {"\N{LATIN SMALL LETTER ALPHA}": "a", "\N{CYRILLIC SMALL LETTER KOMI DE}": "d"}
#: Characters and pairs of letters, with the letter that they look like in most typefaces.
_SIMILAR_SHAPES = (("I", "l"), ("1", "l"), ("|", "l"), ("0", "o"), ("O", "o"), ("rn", "m"), ("vv", "w"))


def tidy_name(name: str) -> str:
    """Return a name in composed form without invisible characters; it is empty if no letter is left."""
    tidied = ""
    for letter in _INVISIBLE.sub("", unicodedata.normalize("NFC", name[:200])):
        last = tidied[-1:]
        if letter.isspace():
            letter = " "
        if letter.isalnum():
            tidied += letter
        elif _is_mark(letter):
            marks = len(tidied) - len(_strip_marks(tidied))
            tidied += letter if (last.isalnum() or _is_mark(last)) and marks < _MAX_MARKS else ""
        elif letter in JOINERS:
            tidied += letter if last.isalpha() or _is_mark(last) else ""
        elif letter in _PUNCTUATION and not (letter == " " and last in ("", " ")):
            tidied += letter
    while len(tidied) > LONGEST_NAME:
        tidied = _strip_marks(tidied) if _is_mark(tidied[-1]) else tidied[:-1]
    tidied = tidied.strip(" " + JOINERS)
    return tidied if any(letter.isalnum() for letter in tidied) else ""


def is_name(name: str) -> bool:
    return bool(name) and tidy_name(name) == name


def look_alike(one: str, other: str) -> bool:
    return not _make_look_alike_keys(one).isdisjoint(_make_look_alike_keys(other))


def are_distinct(names: Iterable[str]) -> bool:
    used: set[str] = set()
    for name in names:
        keys = _make_look_alike_keys(name)
        if not used.isdisjoint(keys):
            return False
        used |= keys
    return True


def make_unique_name(name: str, taken: Collection[str]) -> str:
    """Return the name, with a number added if it looks like a taken name."""
    used = set[str]().union(*map(_make_look_alike_keys, taken))
    numbered = (f"{name[: LONGEST_NAME - 2].rstrip()} {n}" for n in range(2, len(taken) + 3))
    candidates = itertools.chain((name,), numbered)
    return next(one for one in candidates if used.isdisjoint(_make_look_alike_keys(one)))


def fold_letters(words: str) -> str:
    """Return lower-case text with look-alike letters replaced with Latin ones, without accents."""
    unified = unicodedata.normalize("NFKD", words.casefold()).translate(_LOOK_ALIKE)
    return "".join(_to_latin(letter, accents=True) for letter in unified)


@lru_cache(maxsize=4096)
def _make_look_alike_keys(name: str) -> frozenset[str]:
    """Return two keys of a name, for its letters and its shapes; names that share a key look alike."""
    name = "".join(letter for letter in _INVISIBLE.sub("", name) if letter not in _PUNCTUATION)
    shapes = unicodedata.normalize("NFKC", name).translate(_LOOK_ALIKE_CAPITALS)
    latin = "".join(_to_latin(letter, accents=False) for letter in shapes.casefold().translate(_LOOK_ALIKE))
    letters, shapes = (
        "".join(letter for letter in words if letter.isalnum() or _is_mark(letter))
        for words in (latin, shapes.translate(_LOOK_ALIKE))
    )
    for shape, representative in _SIMILAR_SHAPES:
        shapes = shapes.replace(shape, representative)
    return frozenset({letters, "shape " + shapes})


@lru_cache(maxsize=4096)
def _to_latin(letter: str, *, accents: bool) -> str:
    match = _LATIN.fullmatch(unicodedata.name(letter, ""))
    return match[1].lower() if match and (accents or not match[2]) else _ALPHA.get(letter, letter)


def _strip_marks(name: str) -> str:
    return name.rstrip("".join(filter(_is_mark, set(name))))


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter)[0] == "M" if letter else False
