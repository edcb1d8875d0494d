"""Figures of ladders put through others: Crazy Diagonals, and several in a row. Defined in ``recognise``."""

from __future__ import annotations

import math
from collections.abc import Sequence

from armoon.games.moon.figures.figure import Figure, FigureKind
from armoon.games.moon.figures.scene import Scene
from armoon.values.pieces import PieceId

DIAGONAL_LEAST_SIDE_M = 0.005
DIAGONAL_LEAST_SLANT = math.radians(5.0)
PRIDE = 3


def diagonals(scene: Scene, earlier: Sequence[tuple[Figure, ...]]) -> list[Figure]:
    """Return a Crazy Diagonal, and what comes of several in a row."""
    through = _through(scene, scene.placed)
    if not through:
        return []
    made = [scene.figure(FigureKind.CRAZY_DIAGONAL, *through)]
    by_turns = 1
    for turn in reversed(earlier):
        if not any(figure.kind is FigureKind.CRAZY_DIAGONAL for figure in turn):
            break
        by_turns += 1
    row = _row(scene)
    count = max(by_turns, len(row))
    if count >= PRIDE:
        kind = FigureKind.SIN_OF_PRIDE if count == PRIDE else FigureKind.FOURTH_DIAGONAL
        made.append(scene.figure(kind, *sorted((row - {scene.placed}) | set(through))))
    return made


def _through(scene: Scene, piece: PieceId) -> tuple[PieceId, ...]:
    """Return the ladders that a ladder is a Crazy Diagonal in."""
    shape, touched = scene.shapes[piece], scene.facts.touching(piece)
    rise = math.asin(min(1.0, abs(float(shape.along[2]))))
    slants = DIAGONAL_LEAST_SLANT <= rise <= math.pi / 2.0 - DIAGONAL_LEAST_SLANT
    found = []
    for name, other in sorted(scene.shapes.items()):
        if name == piece or name not in touched:
            continue
        passage = shape.passage_through(other)
        if (
            passage is not None
            and min(passage.before_m, passage.beyond_m) >= DIAGONAL_LEAST_SIDE_M
            and (slants or passage.slant >= DIAGONAL_LEAST_SLANT)
        ):
            found.append(name)
    return tuple(found)


def _row(scene: Scene) -> set[PieceId]:
    """Return the Crazy Diagonals that hang together with the placed one.

    Through each other or through the same ladder.
    """
    through = {piece: set(_through(scene, piece)) for piece in scene.free()}
    diagonals = {piece: {piece} | others for piece, others in through.items() if others}
    row = {scene.placed}
    joined = diagonals.get(scene.placed, set())
    while more := {piece for piece, made_of in diagonals.items() if made_of & joined} - row:
        row |= more
        joined = joined.union(*(diagonals[piece] for piece in more))
    return row
