"""Limits on lines, files and types of the code base. ``scripts/counts`` prints the counts."""

from __future__ import annotations

from functools import cache

from code_counts import Counts, count_doc_lines, count_tree
from support.checkout import CHECKOUT

#: Remedy for a word of ``code_counts.DIALECT``.
PLAIN = "write the everyday word: reported, again, the held ladder, everyone, this many"
#: Limits, each with its remedy. Change one only in a commit of its own.
LIMITS = {
    "lines of armoon": (73_841, "remove as many lines as you add, or simplify something first"),
    "files of armoon": (298, "put a new function into the file of its subject; merge two small files"),
    "dataclasses of armoon": (
        402,
        "pass a tuple or plain arguments, or add a field to the neighbouring class",
    ),
    "uses of one class name in armoon": (1, "give the class a first word that says whose it is"),
    "functions of one name in armoon": (8, "add the object to the verb: draw_page, add_hands, write_record"),
    "functions of one name in tests": (8, "add the object to the verb"),
    "functions of one name in scripts": (8, "add the object to the verb"),
    "import lines of armoon, per mille": (
        59,
        "import a module instead of many names, or merge files that share them",
    ),
    "lines of tests": (58_234, "extend a parametrised test, or remove one that restates the code"),
    "lines of scripts": (8_913, "drop a benchmark or script that nobody runs any more"),
    "lines of docs": (2_200, "put measurements into tables, and drop what the code says itself"),
    "dialect in armoon": (2, PLAIN),
    "dialect in tests": (4, PLAIN),
    "dialect in scripts": (6, PLAIN),
}


@cache
def count_once(tree: str) -> Counts:
    return count_tree(tree, CHECKOUT)


def measure(name: str) -> float:
    if name == "lines of docs":
        return count_doc_lines(CHECKOUT)
    tree = name.split()[-1] if "per mille" not in name else "armoon"
    counts = count_once(tree)
    if name.startswith("lines"):
        return counts.lines.total()
    if name.startswith("dialect"):
        return counts.dialect
    if name.startswith("files"):
        return counts.files.total()
    if name.startswith("dataclasses"):
        return counts.dataclasses
    if name.startswith("functions"):
        return max(counts.functions.values())
    if name.startswith("uses"):
        return max(counts.classes.values())
    return 1000.0 * counts.import_share


def test_the_code_base_stays_within_its_limits() -> None:
    beyond = [
        f"{name}: {count:,.0f}, more than {limit:,}. Please {remedy}."
        for name, (limit, remedy) in LIMITS.items()
        if (count := measure(name)) > limit
    ]
    assert not beyond, "\n".join(beyond)
