"""A picture in the plain tier needs a limited number of graphics calls: draws, copies and uploaded bytes.

Unlike times, counts are the same on a busy machine. ``BUDGETS`` limits them for each of the renderer's passes; a change
that needs more has to raise a budget. Letters aren't counted, because they are uploaded only when a text changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import moderngl
import pytest
from support import table_pictures as table

from armoon import gl
from armoon.games.moon.editions import Die
from armoon.games.moon.scene import MAX_ROLL_TICKS, DieRoll
from armoon.geometry import vec3
from armoon.gl import HeadlessSurface
from armoon.values.poses import Pose
from armoon.values.scene import Scene, SceneHud, ScenePiece
from armoon.view.scene import camera_picture

pytestmark = pytest.mark.gl

#: Number of warm-up pictures; they draw the still objects.
WARM_UP = 8
#: Draws and copies, and kilobytes, by pass: in every scene, and in scenes that need more.
USUAL_BUDGET = {"upload": (0, 7.0), "hud": (0, 0.4)}
BUDGETS: dict[str, dict[str, tuple[int, float]]] = {
    "at rest": {"maps": (0, 3.0), "frame": (4, 249.3), "solids": (1, 0.1)},
    "words": {"maps": (0, 3.0), "frame": (4, 249.3), "solids": (1, 0.1), "hud": (1, 0.3)},
    "a hand": {"maps": (0, 10.0), "frame": (4, 249.3), "solids": (2, 0.2), "marks": (1, 0.5)},
    "a carried ladder": {
        "maps": (2, 10.0),
        "frame": (5, 251.8),
        "solids": (10, 0.7),
        "inset": (1, 0.1),
        "marks": (1, 2.3),
    },
    "a falling ladder": {"maps": (2, 3.0), "frame": (5, 249.3), "solids": (6, 0.8)},
    # A lying die is drawn with the still objects; a rolling one costs as much as a falling ladder plus its mesh.
    "a die": {"maps": (0, 3.0), "frame": (4, 249.3), "solids": (1, 0.3)},
    "a rolling die": {"maps": (2, 23.2), "frame": (5, 249.3), "solids": (6, 0.8)},
    "the lake": {"maps": (0, 3.0), "frame": (2, 255.1), "solids": (2, 0.2)},
    "a carried dome": {"maps": (2, 18.6), "frame": (3, 253.9), "solids": (9, 0.9), "marks": (1, 1.6)},
}
SURFACE = (table.WIDTH, table.HEIGHT, table.RENDERERS)


def make_carried_scene(number: int) -> Scene:
    place = vec3((table.GRIP[0] + 0.001 * number, table.GRIP[1], table.GRIP[2]))
    low = (place[0], place[1], 0.16)
    held = ScenePiece(table.HELD, Pose(place, (0.27, 0.65, 0.27, 0.65)), "held")
    return table.scene(held, hands=(table.hand_at(place),), drop_line=(low, (low[0], low[1], 0.0)))


def make_falling_scene(number: int) -> Scene:
    x, y, z = table.HIGHEST.pose.position
    fallen = replace(table.HIGHEST, pose=Pose((x, y, z - 0.004 * number), table.HIGHEST.pose.rotation))
    rest = table.scene()
    return replace(rest, pieces=tuple(fallen if p.piece == fallen.piece else p for p in rest.pieces))


ROLL = DieRoll(Die.MOON, 0)
WORDS = SceneHud("armoon", hint="Take the highest ladder", ladders_left_text="12 ladders left")
SCENES: dict[str, Callable[[int], Scene]] = {
    "at rest": lambda number: table.scene(),
    "words": lambda number: table.scene(hud=WORDS),
    "a hand": lambda number: table.scene(hands=(table.hand_at((0.07 + 0.001 * number, -0.03, 0.21)),)),
    "a carried ladder": make_carried_scene,
    "a falling ladder": make_falling_scene,
    "a die": lambda number: table.scene(die=ROLL.get_pose(MAX_ROLL_TICKS)),
    "a rolling die": lambda number: table.scene(die=ROLL.get_pose(40.0 + number)),
    "the lake": lambda number: table.lake(),
    "a carried dome": lambda number: table.lake((0.03 + 0.001 * number, -0.03, 0.08)),
}


def count_calls(
    surface: HeadlessSurface, scenes: Callable[[int], Scene], monkeypatch: pytest.MonkeyPatch
) -> dict[str, tuple[int, float]]:
    totals = [0, 0]

    def count_calls_of(owner: Any, name: str, draws: int, size: Callable[[Any], int]) -> None:
        original = getattr(owner, name)

        def count_call(*args: Any, **options: Any) -> Any:
            totals[0] += draws
            totals[1] += size(args)
            return original(*args, **options)

        monkeypatch.setattr(owner, name, count_call)

    for number in range(WARM_UP):
        table.draw(surface, scenes(number))
    count_calls_of(moderngl.VertexArray, "render", 1, lambda args: 0)
    count_calls_of(gl, "_copy", 1, lambda args: 0)
    count_calls_of(camera_picture, "write_bgra", 0, lambda args: int(args[1].nbytes))
    for owner in (moderngl.Buffer, moderngl.Texture):
        count_calls_of(owner, "write", 0, lambda args: memoryview(args[1]).nbytes)
    calls: dict[str, tuple[int, float]] = {}

    def record_pass(name: str) -> None:
        calls[name] = (totals[0], round(totals[1] / 1024.0, 1))
        totals[:] = [0, 0]

    renderer = table.renderer(scenes(WARM_UP))
    renderer.after_pass = record_pass
    table.draw(surface, scenes(WARM_UP))
    renderer.after_pass = None
    return calls


def list_excesses(calls: dict[str, tuple[int, float]], budget: dict[str, tuple[int, float]]) -> list[str]:
    no_budget = (0, 0.0)
    return [
        f"The pass {part!r} needs {amount} {name}; its budget is {limit}."
        for part, figures in calls.items()
        for name, amount, limit in zip(
            ("draws and copies", "kilobytes"), figures, budget.get(part, no_budget), strict=True
        )
        if amount > limit * 1.02 + 0.1
    ]


@pytest.mark.parametrize("name", SCENES)
def test_a_picture_stays_within_its_budget_of_calls(
    surface: HeadlessSurface, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    excesses = list_excesses(count_calls(surface, SCENES[name], monkeypatch), USUAL_BUDGET | BUDGETS[name])
    assert not excesses, "\n".join(excesses)
