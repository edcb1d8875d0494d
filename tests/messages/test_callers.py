"""Every text has a caller, and every caller a text, in all languages.

A key appears in the code as a whole, or is composed by an f-string or a sum from fixed parts and words that also appear
in the code (such as an enum's values and names).
"""

from __future__ import annotations

import ast
import builtins
import errno
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import pytest

import armoon
from armoon import messages

PACKAGE = Path(armoon.__file__).resolve().parent
#: File names that look like keys.
NO_KEYS = {"players.json", "game.jsonl", "rules.txt", "remote.key", "remote.link"}

KEY = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)+")
JAVASCRIPT = re.compile(r"\bt\((?:\"(\w+)\"|`(\w+)\$\{[^}]*\}`)")
HOLE = "([a-z0-9_.-]+)"


class Callers:
    def __init__(self) -> None:
        self.words: set[str] = set()
        self.patterns: set[str] = set()
        self.suffixes: set[str] = set()
        self.keys: set[str] = set()
        """Words that look like keys."""
        self.words |= {name.lower() for name in errno.errorcode.values()}  # reasons of OSError
        for path in PACKAGE.glob("games/*/rules.txt"):
            self.words |= set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
        for path in PACKAGE.rglob("*.py"):
            self._read(ast.parse(path.read_text(encoding="utf-8")))
        # The party's pages use the end of a key: t("name"), t(`sign_${name}`).
        for path in PACKAGE.rglob("*.js"):
            for whole, part in JAVASCRIPT.findall(path.read_text(encoding="utf-8")):
                self.keys |= {f"air.page.{whole}"} if whole else set()
                self.join_parts([f"air.page.{part}", None] if part else [])

    def _read(self, tree: ast.Module) -> None:
        unread = set(iter_skipped_nodes(tree))
        for node in ast.walk(tree):
            if id(node) in unread:
                continue
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                # An option "--bank-card" is the argument "bank_card".
                self.words |= {node.value.lower(), node.value.removeprefix("--").replace("-", "_")}
                if KEY.fullmatch(node.value):
                    self.keys.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                self.join_parts([v.value if isinstance(v, ast.Constant) else None for v in node.values])
            elif isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant):
                self.join_parts([node.left.value, None])
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "SeatKind":
                # Each of a game's bots has a name and a description under these keys.
                for key in (arg for arg in node.args if isinstance(arg, ast.Constant)):
                    unread.add(id(key))
                    self.join_parts([f"{key.value!s}.", None])
            elif isinstance(node, ast.ClassDef):  # names of an enum's members, and of a dataclass's fields
                targets = [t for n in node.body if isinstance(n, ast.Assign) for t in n.targets]
                targets += [n.target for n in node.body if isinstance(n, ast.AnnAssign)]
                self.words |= {t.id.lower() for t in targets if isinstance(t, ast.Name)}

    def join_parts(self, parts: list[object]) -> None:
        fixed = [part for part in parts if part is not None]
        if (
            not all(isinstance(part, str) and re.fullmatch(r"[a-z0-9_.-]+", part) for part in fixed)
            or not fixed
        ):
            return
        pattern = "".join(HOLE if part is None else re.escape(str(part)) for part in parts)
        if str(parts[0]).startswith("."):
            self.suffixes.add(pattern)
        elif parts[0] is not None and "." in str(parts[0]):
            self.patterns.add(pattern)

    def has(self, key: str) -> bool:
        return key in self.keys or any(self.fits(p, key) for p in self._by_section[key.split(".")[0]])

    @cached_property
    def _by_section(self) -> defaultdict[str, list[re.Pattern[str]]]:
        """Return the patterns, alone and with each suffix, by the section at their beginning."""
        found: defaultdict[str, list[re.Pattern[str]]] = defaultdict(list)
        for pattern in self.patterns:
            patterns = (pattern + suffix for suffix in ("", *self.suffixes))
            found[pattern.split("\\.")[0]] += map(re.compile, patterns)
        return found

    def fits(self, pattern: re.Pattern[str], key: str) -> bool:
        match = pattern.fullmatch(key)
        return match is not None and all(self.is_word_used(word) for word in match.groups())

    def is_word_used(self, word: str) -> bool:
        return word in self.words or all(p in self.words or p.isdigit() for p in word.split("."))


def iter_skipped_nodes(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield from (id(part) for part in node.values if isinstance(part, ast.Constant))
        own = node.body[0] if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) else None
        if isinstance(own, ast.Expr):
            yield id(own.value)


@pytest.fixture(scope="module")
def callers() -> Callers:
    return Callers()


def without_number(key: str) -> str:
    return re.sub(r"\.(one|other)$", "", key)


def third_person(key: str) -> str:
    """Return a key as the code uses it, without the parts for the second person and the way to play."""
    return re.sub(
        r"(?<=^hint\.)(\w+)\.(mouse|keys|switch|voice|head|choice)", r"\1", re.sub(r"\.you(?=\.|$)", "", key)
    )


#: Files with error messages that only developers see.
FOR_DEVELOPERS = {"gl", "window", "base", "checks", "ladders", "local"}


def test_every_error_of_a_player_is_a_text_with_a_remedy() -> None:
    nodes = [
        (path.stem, node)
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    ]
    errors = {"ArmoonError"} | {
        node.name
        for _, node in nodes
        if isinstance(node, ast.ClassDef)
        for base in map(ast.unparse, node.bases)
        if base.endswith("Error") and not hasattr(builtins, base)
    }
    names = {(f, ast.unparse(n.targets[0])): n.value for f, n in nodes if isinstance(n, ast.Assign)}
    literal, without_remedy, unfilled = set(), [], list[str]()
    for file, call in nodes:
        if isinstance(call, ast.Call) and ast.unparse(call.func).split(".")[-1] in errors and call.args:
            remedy = [keyword.value for keyword in call.keywords if keyword.arg == "remedy"]
            for value in (call.args[0], *remedy):
                parts = ast.walk(names.get((file, ast.unparse(value)), value))
                words = [str(part.value) for part in parts if isinstance(part, ast.Constant)]
                literal |= {file} if any(" " in word for word in words) else set()
            key = getattr(call.args[0], "value", None)
            given = {keyword.arg for keyword in call.keywords}
            if isinstance(key, str) and None not in given:  # None: **fields
                shown = key, getattr(remedy[0], "value", "") if remedy else f"{key}_remedy"
                unfilled += [k for k in shown if messages.list_fields(ENGLISH.get(k, "")) - given - USUAL]
            if isinstance(key, str) and not remedy and f"{key}_remedy" not in TEXTS:
                without_remedy.append(key)
    assert (literal, without_remedy, unfilled) == (FOR_DEVELOPERS, [], [])


#: English texts, and fields that any text may contain.
ENGLISH, USUAL = messages.catalogue("en"), {*messages.USUAL_TERMS, *messages.USUAL_KEYS}
#: Keys of all languages; test_messages.py tests that they are the same.
TEXTS = frozenset(key for language in messages.LANGUAGES for key in messages.catalogue(language))


def test_every_text_has_a_caller(callers: Callers) -> None:
    """The remedy of an error's sentence has its key with "_remedy"."""
    keys = set(map(third_person, TEXTS))
    assert [
        key
        for key in keys
        if not any(map(callers.has, (key, without_number(key), key.removesuffix("_remedy"))))
    ] == []


def test_every_whole_key_in_the_code_has_a_text(callers: Callers) -> None:
    known = TEXTS | set(map(without_number, TEXTS))
    sections = {key.split(".")[0] for key in TEXTS}
    used = {key for key in callers.keys if key.split(".")[0] in sections}
    assert sorted(used - known - NO_KEYS) == []


def test_every_pattern_of_a_key_fits_a_text(callers: Callers) -> None:
    texts = set(map(without_number, TEXTS))
    sections = {key.split(".")[0] for key in texts}
    used = {p for p in callers.patterns if p.split("\\.")[0] in sections}
    assert len(used) > 30
    assert [p for p in sorted(used) if not any(re.match(p, text) for text in texts)] == []
