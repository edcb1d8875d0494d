"""Names of guests: short, visible, and filtered for a stream."""

from __future__ import annotations

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
    | {"admin", "administrator", "moderator", "moderateur"}  # who isn't the host isn't called so
    | {"merde", "nique", "pute", "batard", "couille", "negre", "nigga"}
)
#: Letters of other scripts that look like ours.
_LOOK_ALIKE = str.maketrans("асеорхукмнтвіјѕαεικνορτυχ", "aceopxykmhtbijsaeiknoptux")
#: Digits and signs that stand for letters.
_READ_AS = str.maketrans("01345789@$!|", "oieastbgasil")


def tidy_name(name: str) -> str:
    """Return the name as it may be shown; empty: it may not."""
    # What can't be seen is left out rather than written out: it would hide what the letters beside it say.
    seen = (one for one in unicodedata.normalize("NFKC", name[:200]) if one.isprintable() or one.isspace())
    name = " ".join("".join(seen).split())
    kept = "".join(one for one in name if one.isalnum() or one in " '-._")[:LONGEST_NAME].strip()
    return "" if _unwanted(kept) else kept


def free_name(name: str, taken: Collection[str], guest: str) -> str:
    """Return an unused name; ``guest`` stands for one that may not be shown."""
    name = tidy_name(name) or guest
    used = {one.casefold() for one in taken}
    if name.casefold() not in used:
        return name
    return next(made for n in range(2, len(used) + 3) if (made := f"{name} {n}").casefold() not in used)


def _unwanted(name: str) -> bool:
    plain = unicodedata.normalize("NFKD", name.casefold()).translate(_LOOK_ALIKE).translate(_READ_AS)
    words = ["".join(one for one in word if one.isalpha()) for word in plain.split()]
    return any(word in "".join(words) for word in _ANYWHERE) or not _WORDS.isdisjoint(words)
