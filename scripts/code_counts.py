"""Count the lines and files of each package, and the types, imports and docs of the code base."""

from __future__ import annotations

import ast
import re
import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Folder of modules whose ``run`` functions count as one.
BENCHMARKS = str(Path("scripts", "benchmarks"))
TREES = ("armoon", "tests", "scripts")
#: Phrases for which plain English has clearer ones.
DIALECT = re.compile(r"\b(?:told|anew|for ever|what is|whoever|so many)\b", re.IGNORECASE)

#: Names that any number of functions may have: ``contextlib.closing`` requires ``close``.
SHARED_NAMES = {"close"}


@dataclass
class Counts:
    """The counts of one tree of Python files."""

    lines: Counter[str] = field(default_factory=Counter)
    """By package, the first folder below the tree."""
    files: Counter[str] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)
    """Class names at any depth."""
    functions: Counter[str] = field(default_factory=Counter)
    """Different functions by name: overrides count once, names of ``SHARED_NAMES`` not at all."""
    dialect: int = 0
    dataclasses: int = 0
    protocols: int = 0
    import_lines: int = 0

    @property
    def import_share(self) -> float:
        return self.import_lines / max(1, self.lines.total())


def count_tree(tree: str, root: Path = ROOT) -> Counts:
    counts = Counts()
    paths = sorted(path for path in (root / tree).rglob("*.py") if "__pycache__" not in path.parts)
    classes = {} if tree == "armoon" else dict(_read_classes(root))
    functions: set[tuple[str, str, str]] = set()
    for path in paths:
        parts = path.relative_to(root / tree).parts
        package = parts[0] if len(parts) > 1 else "."
        text = path.read_text(encoding="utf-8")
        counts.files[package] += 1
        counts.lines[package] += len(text.splitlines())
        counts.dialect += len(DIALECT.findall(text))
        syntax = ast.parse(text)
        functions |= set(_list_functions(syntax, str(path), classes))
        for node in _list_statements(syntax):
            if isinstance(node, ast.ClassDef):
                counts.classes[node.name] += 1
                counts.dataclasses += any("dataclass" in ast.unparse(d) for d in node.decorator_list)
                counts.protocols += any(ast.unparse(base).startswith("Protocol") for base in node.bases)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                counts.import_lines += (node.end_lineno or node.lineno) - node.lineno + 1
    counts.functions = _count_contracts(functions, classes)
    return counts


Classes = dict[str, tuple[set[str], list[str]]]
"""Methods (without attributes for Protocols) and bases, by file and qualified name of the class."""


@cache
def _read_classes(root: Path) -> Classes:
    """Return armoon's classes; tests and scripts also contain implementations of their methods."""
    classes: Classes = {}
    for path in (root / "armoon").rglob("*.py"):
        list(_list_functions(ast.parse(path.read_text(encoding="utf-8")), str(path), classes))
    return classes


def _list_functions(
    node: ast.AST, place: str, classes: Classes, owner: str = ""
) -> Iterator[tuple[str, str, str]]:
    """Yield (name, place, class or "") of each function below a node; add each class to ``classes``."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for statement in getattr(node, part, ()):
            below = f"{place}.{getattr(statement, 'name', '')}"
            if isinstance(statement, ast.ClassDef):
                bases = [ast.unparse(base).split("[")[0].split(".")[-1] for base in statement.bases]
                classes[below] = (set(), bases)
                yield from _list_functions(statement, below, classes, below)
            elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                is_attribute = any(ast.unparse(d) == "property" for d in statement.decorator_list)
                if owner and not (is_attribute and "Protocol" in classes[owner][1]):
                    classes[owner][0].add(statement.name)
                if not statement.name.startswith("__"):
                    yield statement.name, below, owner
                yield from _list_functions(statement, below, classes)
            else:
                yield from _list_functions(statement, place, classes, owner)


def _count_contracts(functions: set[tuple[str, str, str]], classes: Classes) -> Counter[str]:
    """Count functions by name; all implementations of a method of a base class or Protocol are one."""
    places = {place.rsplit(".", 1)[-1]: place for place in classes}

    def list_lineage(place: str) -> list[str]:
        bases = (places[base] for base in classes[place][1] if places.get(base, place) != place)
        return [place, *(name for base in bases for name in list_lineage(base))]

    methods = {place: {method for n in list_lineage(place) for method in classes[n][0]} for place in classes}
    protocols = [place for place in classes if "Protocol" in classes[place][1]]
    contracts = set()
    for name, place, owner in functions:
        owners = [place]
        if BENCHMARKS in place and name == "run" and not owner:
            owners = [BENCHMARKS]
        elif owner:
            owners = [n for n in protocols if name in methods[n] and methods[n] <= methods[owner]]
            owners = owners or [n for n in list_lineage(owner) if name in classes[n][0]][-1:] or [place]
        contracts.add((name, owners[0]))
    return Counter(name for name, _ in contracts if name not in SHARED_NAMES)


def _list_statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield every statement below a node, which is faster than ``ast.walk`` through its expressions."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for statement in getattr(node, part, ()):
            yield statement
            yield from _list_statements(statement)


def count_doc_lines(root: Path = ROOT) -> int:
    return sum(len(page.read_text(encoding="utf-8").splitlines()) for page in (root / "docs").glob("*.md"))


def main() -> None:
    for tree in TREES:
        counts = count_tree(tree)
        print(f"{tree}: {counts.lines.total():,} lines, {counts.files.total()} files")
        for package, lines in counts.lines.most_common():
            print(f"  {package:24} {lines:7,} lines {counts.files[package]:5} files")
        print(
            f"  dataclasses {counts.dataclasses}, Protocols {counts.protocols}, imports {counts.import_share:.1%}, "
            f"dialect {counts.dialect}"
        )
        common = [f"{name} {count}" for name, count in counts.functions.most_common() if count > 8]
        print(f"  function names used more than eight times ({len(common)}): {', '.join(common)}")
        if tree == "armoon":
            repeated = [f"{name} {count}" for name, count in counts.classes.most_common() if count > 1]
            print(f"  class names used more than once ({len(repeated)}): {', '.join(repeated)}")
    print(f"docs: {count_doc_lines():,} lines")


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # end quietly if the reader of the pipe ends
    main()
