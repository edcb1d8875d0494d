"""Count what the code base consists of: lines and files by package, types, imports and docs."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TREES = ("armoon", "tests", "scripts")
#: Words for which plain English has a clearer one.
DIALECT = re.compile(r"\b(?:told|anew|for ever|what is|whoever|so many)\b", re.IGNORECASE)


@dataclass
class Counts:
    """The counts of one tree of Python files."""

    lines: Counter[str] = field(default_factory=Counter)
    """By package, the first folder below the tree."""
    files: Counter[str] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)
    """Class names at any depth."""
    dialect: int = 0
    dataclasses: int = 0
    protocols: int = 0
    import_lines: int = 0
    importers: dict[str, set[str]] = field(default_factory=dict)
    """By module of the tree: the modules of the tree that import it."""

    @property
    def import_share(self) -> float:
        return self.import_lines / max(1, self.lines.total())


def count_tree(tree: str, root: Path = ROOT) -> Counts:
    counts = Counts()
    paths = sorted(path for path in (root / tree).rglob("*.py") if "__pycache__" not in path.parts)
    modules = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__") for path in paths
    }
    for path in paths:
        parts = path.relative_to(root / tree).parts
        package = parts[0] if len(parts) > 1 else "."
        text = path.read_text(encoding="utf-8")
        module = ".".join((tree, *parts)).removesuffix(".py").removesuffix(".__init__")
        counts.files[package] += 1
        counts.lines[package] += len(text.splitlines())
        counts.dialect += len(DIALECT.findall(text))
        for node in _statements(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                counts.classes[node.name] += 1
                counts.dataclasses += any("dataclass" in ast.unparse(one) for one in node.decorator_list)
                counts.protocols += any(ast.unparse(base).startswith("Protocol") for base in node.bases)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                counts.import_lines += (node.end_lineno or node.lineno) - node.lineno + 1
                for name in _imported(node) & modules - {module}:
                    counts.importers.setdefault(name, set()).add(module)
    return counts


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield every statement below a node; those are few of its nodes."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for statement in getattr(node, part, ()):
            yield statement
            yield from _statements(statement)


def count_doc_lines(root: Path = ROOT) -> int:
    return sum(len(page.read_text(encoding="utf-8").splitlines()) for page in (root / "docs").glob("*.md"))


def _imported(node: ast.Import | ast.ImportFrom) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    module = node.module or ""
    return {module, *(f"{module}.{alias.name}" for alias in node.names)}


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
        if tree == "armoon":
            repeated = [f"{name} {count}" for name, count in counts.classes.most_common() if count > 1]
            print(f"  class names used more than once ({len(repeated)}): {', '.join(repeated)}")
            single = sorted(name for name, importers in counts.importers.items() if len(importers) == 1)
            print(f"  modules with a single importer ({len(single)}): {', '.join(single)}")
    print(f"docs: {count_doc_lines():,} lines")


if __name__ == "__main__":
    main()
