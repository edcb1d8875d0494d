"""The die as it is drawn: where its face is read, and without motion."""

from __future__ import annotations

import numpy as np
from support import table_pictures as table

from armoon.games.moon.rules.values import Die
from armoon.games.moon.view.die import LONGEST, Roll
from armoon.gl.memory import HeadlessSurface
from armoon.values.scene import DieFace, Scene, SceneHud
from armoon.view.helps import Helps

SURFACE = (table.WIDTH, table.HEIGHT, table.RENDERERS)
CALM = Helps(calm=True)
HUD = SceneHud(die=DieFace.CRESCENT, die_text="Become the highest")


def rolled(ticks: int, die: Die = Die.MOON) -> Scene:
    return table.scene(hud=HUD, die=Roll(die, 0).at(ticks))


def test_the_face_can_be_told_once_it_lies(surface: HeadlessSurface) -> None:
    pictures = [table.draw(surface, rolled(LONGEST, die)).astype(int) for die in Die]
    for one, other in ((0, 1), (1, 2), (0, 2)):
        changed = (np.abs(pictures[one] - pictures[other]).max(axis=2) > 30).sum()
        assert changed > 15, "the faces differ by what is painted on them"


def test_without_motion_it_lies_in_the_first_picture(surface: HeadlessSurface) -> None:
    lying = table.draw(surface, rolled(LONGEST), helps=CALM)
    rolling = table.draw(surface, rolled(45))
    assert (np.abs(rolling.astype(int) - lying).max(axis=2) > 30).sum() > 100
    np.testing.assert_array_equal(table.draw(surface, rolled(0), helps=CALM), lying)


def test_the_glass_tells_the_face_when_it_lies(surface: HeadlessSurface) -> None:
    for ticks, helps, told in ((0, None, False), (45, None, False), (LONGEST, None, True), (45, CALM, True)):
        table.draw(surface, rolled(ticks), helps=helps)
        assert ("die" in table.renderer(rolled(ticks)).hud.texts) is told


def test_it_throws_its_shadow_beside_itself(surface: HeadlessSurface) -> None:
    with_die = table.draw(surface, rolled(LONGEST)).astype(int)
    without = table.draw(surface, table.scene(hud=HUD)).astype(int)
    die = rolled(LONGEST).die
    assert die is not None
    x, y, _ = die.rest.position
    # The lamp is behind it at the left.
    beside = (x + 0.85 * die.edge_m, y - 0.35 * die.edge_m, 0.0)
    across, up = table.renderer(table.scene())._marks.pixel(beside)
    row, column = table.HEIGHT - 1 - round(up), round(across)
    assert (without - with_die)[row, column].max() > 15
