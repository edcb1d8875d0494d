"""Texts for players, by key, from one catalogue file for each language."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from string import Formatter
from typing import Any

from armoon.values.acts import MOVES, PAD, Act, get_shown_keys
from armoon.values.choices import KeyHand, Language
from armoon.values.player_settings import Guidance, Handicap, VisualAids
from armoon.values.text import escape_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LANGUAGES = tuple(language.value for language in Language)
#: Fields that name the subject of a sentence; if the player is called "You", the second-person text is used.
SUBJECT_FIELDS = ("player", "charged", "winners")

#: Message keys of the default terms, by field; editions can replace them. A capitalised field capitalises its term.
USUAL_TERMS = {"tear": "word.tear", "tears": "word.tears", "base": "word.base", "in_lid": "word.in_lid"}

#: Field types for which texts are cached, because equal values of the same type give equal texts.
_CACHEABLE = frozenset({str, int, float, bool})

_language = LANGUAGES[0]


class _Context(threading.local):
    """Language and terms of a thread, set by ``speaking`` and ``speaking_of``; empty language: the global one."""

    language = ""
    words = tuple(USUAL_TERMS.items())


_context = _Context()
#: Message keys of the common names for groups of keys and buttons.
_KEY_GROUPS = {
    ("left", "right", "up", "down"): "key.arrows",
    ("leftshoulder", "rightshoulder"): "key.shoulders",
    ("leftstick", "rightstick"): "key.sticks",
    tuple(PAD[act.word] for act in MOVES): "key.both_sticks",
}
#: Labels of keys that differ from their names.
_KEY_LABELS = {"left": "←", "right": "→", "up": "↑", "down": "↓", "escape": "Esc"}
#: Default keys that texts can name, by field.
USUAL_KEYS = get_shown_keys(KeyHand.BOTH, (), ()) | {"k_switch": ("switch",)}
_keys: Mapping[str, tuple[str, ...]] = USUAL_KEYS
_printed: Mapping[str, str] = {}
_ways: tuple[str, ...] = ()
_added_texts: list[Path | Mapping[str, Mapping[str, str]]] = []


def set_language(language: str) -> None:
    """Use this language (one of ``LANGUAGES``) from now on."""
    global _language
    assert language in LANGUAGES, language
    _language = language


def language() -> str:
    return _context.language or _language


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Temporarily use this language in this thread."""
    assert language in LANGUAGES, language
    before, _context.language = _context.language, language
    try:
        yield
    finally:
        _context.language = before


@contextmanager
def speaking_of(words: Mapping[str, str]) -> Iterator[None]:
    """Temporarily use an edition's terms (message keys by field) in this thread, and default terms otherwise."""
    before, _context.words = _context.words, tuple({**USUAL_TERMS, **words}.items())
    try:
        yield
    finally:
        _context.words = before


def set_keys(keys: Mapping[str, tuple[str, ...]]) -> None:
    """Use these keys and buttons in texts, by field (``values.acts``), and default ones for other fields."""
    global _keys
    _keys = {**USUAL_KEYS, **keys}
    _cached_text.cache_clear()


def set_printed(printed: Mapping[str, str]) -> None:
    """Use these key labels, by key name, in texts; the window system names some keys only by position."""
    global _printed
    _printed = printed
    _cached_text.cache_clear()


def set_ways(*ways: str) -> None:
    """Prefer the text ``key.WAY`` to ``key``, where WAY is the first of these ways of playing with such a text."""
    global _ways
    _ways = ways
    _cached_text.cache_clear()


def key_name(names: tuple[str, ...]) -> str:
    """Return the common name of these keys, or their names in order if there is none."""
    entries = catalogue(language())
    if names in _KEY_GROUPS:
        return entries[_KEY_GROUPS[names]]
    printed = (_printed.get(name, name) for name in names)
    return " ".join(entries.get(f"key.{name}", name.upper()) for name in printed)


def get_key_label(act: Act) -> str:
    names = _keys[f"k_{act.word}"]
    return _KEY_LABELS.get(names[0]) or key_name(names)


def add_texts(texts: Path | Mapping[str, Mapping[str, str]]) -> None:
    """Add the texts of a game or option part, by language and key, or as a folder with a file for each language."""
    if texts and texts not in _added_texts:
        _added_texts.append(texts)
        catalogue.cache_clear()
        _cached_text.cache_clear()


def has_text(key: str) -> bool:
    entries = catalogue(language())
    return key in entries or f"{key}.other" in entries


def text(key: str, **fields: object) -> str:
    """Return the text of ``key`` with its fields filled in; ``count`` selects ``key.one`` or ``key.other``.

    Terms of the edition (``USUAL_TERMS``, ``speaking_of``) and names of keys (``USUAL_KEYS``, ``set_keys``) are filled
    in automatically. Ways of playing can have their own texts (``set_ways``), and ``key.you`` is the text for a player
    called "You". Raises KeyError if the catalogue lacks the key or the call lacks a field.
    """
    if not fields or _CACHEABLE.issuperset(map(type, fields.values())):
        return _cached_text(_context.language or _language, _context.words, key, **fields)
    return _fill(catalogue(language()), key, fields)


@lru_cache(maxsize=1024, typed=True)
def _cached_text(language: str, words: tuple[tuple[str, str], ...], key: str, /, **fields: object) -> str:
    """Return a text; cached, because most texts are needed for every frame."""
    return _fill(catalogue(language), key, fields)


def _fill(entries: dict[str, str], key: str, fields: dict[str, object]) -> str:
    way_keys = (f"{key}.{way}" for way in _ways)
    key = next((own for own in way_keys if own in entries or f"{own}.other" in entries), key)
    if _is_you(fields) and (f"{key}.you" in entries or f"{key}.you.other" in entries):
        key = f"{key}.you"
    if key not in entries and "count" in fields:
        # Unicode CLDR: "0 ladders" in English, but "0 échelle" in French.
        is_one = fields["count"] in ((0, 1) if language() == "fr" else (1,))
        key = f"{key}.{'one' if is_one else 'other'}"
    entry = entries[key]
    terms = {name: _get_term(name) for name in _list_terms(entry) if name not in fields}
    escaped = {name: escape_text(v) if isinstance(v, str) else v for name, v in fields.items()}
    return entry.format(**terms, **escaped)


def _get_term(name: str) -> str:
    if name in USUAL_KEYS:
        return key_name(_keys[name])
    entries = catalogue(language())
    word = entries[dict(_context.words)[name.lower()]]
    return word.capitalize() if name[0].isupper() else word


@cache
def _list_terms(entry: str) -> frozenset[str]:
    return frozenset(name for name in list_fields(entry) if name.lower() in USUAL_TERMS or name in USUAL_KEYS)


def _is_you(fields: dict[str, object]) -> bool:
    named = [str(fields[name]).casefold() for name in SUBJECT_FIELDS if name in fields]
    return bool(named) and catalogue(language())["practice.player"].casefold() in named


@cache
def catalogue(language: str) -> dict[str, str]:
    _cached_text.cache_clear()
    texts: dict[str, str] = {}
    for source in (resources.files(__name__), *_added_texts):
        if isinstance(source, Mapping):
            texts |= source[language]
        else:
            texts |= _parse_texts(source.joinpath(f"{language}.toml").read_text(encoding="utf-8"))
    return texts


@cache
def _parse_texts(toml: str) -> dict[str, str]:
    """Return a file's texts by key; cached, because ``catalogue`` is rebuilt when a game adds its texts."""
    return _flatten(tomllib.loads(toml))


def list_fields(entry: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(entry) if name is not None}


def _flatten(table: dict[str, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            flat |= _flatten(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = str(value)
    return flat


def describe_handicap(handicap: Handicap, spared: int = 0, hints: int = 0, *, brief: bool = False) -> str:
    """Describe a handicap; ``spared`` and ``hints``: numbers already used. Return "" without a handicap."""
    parts = []
    if handicap.spared:
        key = "handicap.spared_brief" if brief else "handicap.spared"
        parts.append(text(key, count=max(0, handicap.spared - spared)))
    if handicap.hints is not None:
        parts.append(text("handicap.hints", count=max(0, handicap.hints - hints)))
    if handicap.helps is not VisualAids.USUAL:
        parts.append(text(f"handicap.helps_{handicap.helps}"))
    if handicap.guidance is not Guidance.FULL:
        parts.append(text(f"handicap.guidance_{handicap.guidance}"))
    return ", ".join(parts)


def number(value: float, digits: int = 0) -> str:
    return f"{value:.{digits}f}".replace(".", _get_decimal_point())


def brief(value: float) -> str:
    """Format a number without superfluous decimals: "30", "2.5", "2,5"."""
    return f"{value:g}".replace(".", _get_decimal_point())


def centimetres(metres: float, digits: int = 1) -> str:
    return text("unit.cm", value=number(100.0 * metres, digits))


def format_lengths(first_m: float, second_m: float) -> tuple[str, str]:
    """Format two lengths, with one more digit if they would look equal."""
    digits = 1 if centimetres(first_m) != centimetres(second_m) else 2
    return centimetres(first_m, digits), centimetres(second_m, digits)


def ordinal(count: int) -> str:
    """Return an ordinal number: "2nd", "11th", "2e"."""
    if language() == "fr":
        return "1re" if count == 1 else f"{count}e"
    ending = "th" if count % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{ending}"


def join_names(names: Sequence[str]) -> str:
    """Return a list of names: "Ann", "Ann and Ben", "Ann, Ben and Cleo"."""
    if len(names) < 2:
        return "".join(names)
    return text("list.last", first=", ".join(names[:-1]), last=names[-1])


def _get_decimal_point() -> str:
    return text("unit.point")
