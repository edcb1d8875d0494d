"""Names of guests: short, visible, and filtered for a stream."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

LONGEST_NAME = 16
#: What no stream shows, in English and French, without accents: these wherever they stand in a name, whatever stands
#: between their letters, and those as words of their own (for Monique is a name). A host can turn all names off.
_ANYWHERE = (
    "fuck",
    "shit",
    "nigger",
    "faggot",
    "whore",
    "hitler",
    "putain",
    "salope",
    "encule",
    "connard",
    "connasse",
)
_WORDS = frozenset(
    {"cunt", "slut", "rape", "nazi", "bitch", "porn", "penis", "vagina"}
    # Who isn't the host isn't called so.
    | {"admin", "administrator", "moderator", "moderateur", "mod", "host", "hote", "armoon"}
    | {"merde", "nique", "pute", "batard", "couille", "negre", "nigga"}
)
#: Letters of other scripts that look like ours.
_LOOK_ALIKE = str.maketrans("асеорхукмнтвіјѕαεικνορτυχ", "aceopxykmhtbijsaeiknoptux")
#: Other letters that are Latin ones for the eye, by their names: small capitals, and those with a hook or a stroke.
_LATIN = re.compile(
    r"LATIN (?:SMALL|CAPITAL)? ?LETTER (?:SMALL CAPITAL |SCRIPT |DOTLESS |LONG )?([A-Z])(?: WITH .*)?"
)
_ALPHA = {"\N{LATIN SMALL LETTER ALPHA}": "a", "\N{CYRILLIC SMALL LETTER KOMI DE}": "d"}
#: Digits and signs that stand for letters.
_READ_AS = str.maketrans("01345789@$!|", "oieastbgasil")


def tidy_name(name: str) -> str:
    """Return the name as it may be shown; empty: it may not."""
    # What can't be seen is left out rather than written out: it would hide what the letters beside it say.
    seen = (one for one in unicodedata.normalize("NFKC", name[:200]) if one.isprintable() or one.isspace())
    name = " ".join("".join(seen).split())
    kept = "".join(one for one in name if one.isalnum() or one in " '-._")[:LONGEST_NAME].strip()
    said = any(one.isalnum() for one in kept)
    return kept if said and not _unwanted(kept) else ""


def free_name(name: str, taken: Collection[str], guest: str) -> str:
    """Return an unused name; ``guest`` stands for one that may not be shown."""
    name = tidy_name(name) or guest
    used = {one.casefold() for one in taken}
    if name.casefold() not in used:
        return name
    return next(made for n in range(2, len(used) + 3) if (made := f"{name} {n}").casefold() not in used)


def _unwanted(name: str) -> bool:
    """Whether it says what nobody is called, as it stands or with its digits read as letters."""
    plain = unicodedata.normalize("NFKD", name.casefold()).translate(_LOOK_ALIKE)
    plain = "".join(map(_latin, plain))
    return _says(plain) or _says(plain.translate(_READ_AS))


def _says(plain: str) -> bool:
    words = ["".join(one for one in word if one.isalpha()) for word in plain.split()]
    # Letters of their own, one after the other, are a word.
    spelled = "".join(word if len(word) == 1 else f" {word} " for word in words).split()
    whole = "".join(words)
    once = re.sub(r"(.)\1+", r"\1", whole)
    seen = (whole, once)
    return any(word in one for word in _ANYWHERE for one in seen) or not _WORDS.isdisjoint((*words, *spelled))


def _latin(letter: str) -> str:
    """Return the Latin letter that another one looks like; itself where it is none."""
    found = _LATIN.fullmatch(unicodedata.name(letter, ""))
    return found[1].lower() if found else _ALPHA.get(letter, letter)
