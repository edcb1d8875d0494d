"""Small typical bugs: one operator, number, condition or statement of a module is replaced."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.FloorDiv: ast.Mult,
}


@dataclass(frozen=True)
class Mutant:
    source: str
    line: int
    what: str
    """The text before and after the change."""


def generate_mutants(source: str) -> Iterator[Mutant]:
    tree = ast.parse(source)
    decorating = {id(part) for node in ast.walk(tree) for d in _decorators(node) for part in ast.walk(d)}
    for index, node in enumerate(ast.walk(tree)):
        if _is_documentation(node) or id(node) in decorating:
            continue
        for changed in _list_changes(node):
            copied = copy.deepcopy(tree)
            place = next(node for number, node in enumerate(ast.walk(copied)) if number == index)
            place.__dict__.clear()
            place.__class__ = type(changed)
            place.__dict__.update(changed.__dict__)
            ast.fix_missing_locations(copied)
            try:
                text = ast.unparse(copied)
                compile(text, "mutant", "exec")
            except (SyntaxError, ValueError):
                continue
            line = getattr(node, "lineno", 0)
            yield Mutant(text, line, f"{ast.unparse(node)[:70]!r} is {ast.unparse(changed)[:70]!r}")


def _list_changes(node: ast.AST) -> Iterator[ast.AST]:
    new = copy.copy(node)
    if isinstance(new, ast.Compare) and len(new.ops) == 1:
        other = _COMPARED[type(new.ops[0])]
        yield ast.Compare(new.left, [other()], new.comparators)
    elif isinstance(new, ast.BinOp) and type(new.op) in _CALCULATED:
        if not _is_text(new.left) and not _is_text(new.right):
            yield ast.BinOp(new.left, _CALCULATED[type(new.op)](), new.right)
    elif isinstance(new, ast.BoolOp):
        yield ast.BoolOp(ast.And() if isinstance(new.op, ast.Or) else ast.Or(), new.values)
    elif (isinstance(new, ast.UnaryOp) and isinstance(new.op, ast.Not)) or (
        isinstance(new, ast.UnaryOp) and isinstance(new.op, ast.USub)
    ):
        yield new.operand
    elif isinstance(new, ast.IfExp):
        yield ast.IfExp(new.test, new.orelse, new.body)
    elif isinstance(new, ast.If):
        yield ast.If(ast.UnaryOp(ast.Not(), new.test), new.body, new.orelse)
    elif isinstance(new, ast.Return) and new.value is not None and not isinstance(new.value, ast.Constant):
        yield ast.Return(ast.Constant(None))
    elif isinstance(new, ast.Expr) and isinstance(new.value, ast.Call):
        yield ast.Pass()
    elif isinstance(new, ast.AugAssign) and type(new.op) in _CALCULATED:
        yield ast.AugAssign(new.target, _CALCULATED[type(new.op)](), new.value)
    elif isinstance(new, ast.Constant):
        if isinstance(new.value, bool):
            yield ast.Constant(not new.value)
        elif isinstance(new.value, int):
            yield ast.Constant(new.value + 1)
        elif isinstance(new.value, float):
            yield ast.Constant(new.value * 1.5 if new.value else 1.0)


def _decorators(node: ast.AST) -> list[ast.expr]:
    """Return the decorators, which aren't mutated: ``frozen``, for example, matters only to the type checker."""
    return list(getattr(node, "decorator_list", ()))


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_documentation(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and _is_text(node.value)
