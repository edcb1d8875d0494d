"""A small side view of a ladder carried near others, which shows their distance in depth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armoon.geometry import Array
from armoon.gl import ShaderProgram, Target, begin_pass, copy_colour, copy_depths, limit_drawing
from armoon.values.poses import Vec2, Vec3
from armoon.values.scene import Scene, SceneHand, SceneMoth, ScenePiece
from armoon.view.aids import FAR_M, INSET_HEIGHT, INSET_WIDTH, NEAR_M, find_inset_px_per_m
from armoon.view.mark_shapes import MarkShapes
from armoon.view.panels import PANEL, Box, Panels
from armoon.view.scene.layer import BodyLayer
from armoon.view.scene.light import GOLD
from armoon.view.scene.solids import Solids

#: Distance of the panel from the picture's side, minimum of its bottom and maximum of its top, in picture heights.
_RIGHT, _BOTTOM, _TOP = 0.035, 0.12, 0.97
#: Scales to try; distance between places to try, in panel heights; margin, relative to the picture's height.
_SIZES, _SEARCH_STEP, _MARGIN = (1.0, 0.8, 0.65), 0.1, 0.012
#: Distances of a carried ladder to a standing one at which the side view appears and disappears, in metres.
SHOW_BELOW_M, HIDE_ABOVE_M = 0.06, 0.09
#: Rounding steps per unit of a quaternion's component; one step moves a ladder's end by less than a pixel.
_ROTATION_STEPS = 60.0
#: Looks of a carried ladder.
_CARRIED_LOOKS = frozenset({"held", "waiting"})
_NIGHT = (0.062, 0.080, 0.200, 0.86)
_BORDER = (*GOLD, 0.55)
_TABLE = (0.62, 0.70, 1.0, 0.55)
_UNCERTAIN = (1.0, 0.86, 0.55, 0.75)


@dataclass(frozen=True)
class _InsetWindow:
    """The panel's box, in drawn pixels, and its scale."""

    x: int
    y: int
    width: int
    height: int
    width_m: float
    """Width in metres."""

    @property
    def box(self) -> tuple[int, int, int, int]:
        return (self.x, self.y, self.width, self.height)

    @property
    def px_per_metre(self) -> float:
        return self.width / self.width_m

    def to_pixel(self, point: Vec3) -> Vec2:
        middle = 0.5 * (NEAR_M + FAR_M)
        across = self.x + self.width / 2.0 + (point[1] - middle) * self.px_per_metre
        return (across, self.y + 0.06 * self.height + point[2] * self.px_per_metre)


class Inset:
    """Draws the side view of a held ladder."""

    def __init__(self) -> None:
        self._program = ShaderProgram("inset.vert", "inset.frag")
        self._panels = Panels()
        self._layer, self._standing_layer = BodyLayer(8, 8), BodyLayer(8, 8)
        self._drawn_carried: object = None
        self._drawn_standing: object = None
        self.place: tuple[int, int, int, int] | None = None
        """Box in the picture, pixels; None while hidden."""
        self._scale = 1.0

    def is_shown_at(self, gap_m: float) -> bool:
        """Return whether the view is shown for a ladder at this distance from others, in metres."""
        return gap_m <= (SHOW_BELOW_M if self.place is None else HIDE_ABOVE_M)

    def draw_inset(
        self,
        scene: Scene,
        solids: Solids,
        shapes: MarkShapes,
        eye: Vec3,
        into: Target,
        *,
        held_m: float,
        busy: Sequence[Box],
        uncertainty: bool,
    ) -> list[Array]:
        """Draw the side view into a target; return quads of the marks on it.

        ``held_m``: the carried ladder's height. ``busy``: boxes to avoid, in pixels. The view is redrawn only when
        a body has moved by a pixel, and it changes its place only when that is no longer free.
        """
        window = self._find_window(scene, held_m, shapes, busy)
        if window is None:
            self.place = None
            return []
        self.place = window.box
        self._draw(scene, solids, shapes, window)
        self._layer.blend_over(into, corner=(window.x - 1, window.y - 1))
        marks: list[Array] = []
        for hand in scene.hands:
            if hand.grip_point is not None and not hand.is_unwanted:
                marks += _make_grip_marks(hand, hand.grip_point, window, shapes, eye, uncertainty=uncertainty)
        return marks

    def _find_window(
        self, scene: Scene, held_m: float, shapes: MarkShapes, busy: Sequence[Box]
    ) -> _InsetWindow | None:
        """Return the current place if it is free, else the lowest free one, preferably on the usual side."""
        px_per_metre = find_inset_px_per_m(shapes.height, scene.structure_top_m, held_m)
        shown_m = round(INSET_WIDTH * shapes.height) / px_per_metre
        is_same_size = self.place is not None and self.place[2:] == _find_panel_size(shapes, self._scale)
        if self.place and is_same_size and not any(_overlaps(self.place, box) for box in busy):
            return _InsetWindow(*self.place, shown_m)
        margin = round(_RIGHT * shapes.height)
        for scale in _SIZES:
            width, height = _find_panel_size(shapes, scale)
            edges = [shapes.width - margin - width, margin]
            low, high = round(_BOTTOM * shapes.height), round(_TOP * shapes.height) - height
            for x in edges[:: -1 if shapes.look.left_handed else 1]:
                for y in range(low, high, max(1, round(_SEARCH_STEP * height))):
                    if not any(_overlaps((x, y, width, height), box) for box in busy):
                        self._scale = scale
                        return _InsetWindow(x, y, width, height, shown_m)
        return None

    def _draw(self, scene: Scene, solids: Solids, shapes: MarkShapes, window: _InsetWindow) -> None:
        """Redraw panel and standing ladders if they have changed, and carried ladders over a copy of them."""
        size = (window.width + 2, window.height + 2)
        carried = [piece for piece in scene.pieces if piece.look in _CARRIED_LOOKS]
        standing = [piece for piece in scene.pieces if piece.look not in _CARRIED_LOOKS]
        places = _round_poses(standing, (), window.px_per_metre)
        cache_key = (solids, window, shapes.look, scene.home_from_table, places)
        if cache_key != self._drawn_standing:
            self._drawn_standing, self._drawn_carried = cache_key, None
            for layer in (self._standing_layer, self._layer):
                if layer.texture.size != size:
                    layer.resize_targets(*size)
            self._standing_layer.begin_drawing([(0, 0, *size)])
            self._draw_panel(shapes, window, self._standing_layer.sampled)
            solids.select_bodies(standing, others=False)
            self._draw_bodies(solids, shapes, window, self._standing_layer.sampled)
        key = _round_poses(carried, scene.moths, window.px_per_metre)
        if key != self._drawn_carried:
            self._drawn_carried = key
            self._layer.begin_drawing([(0, 0, *size)])
            copy_colour(self._standing_layer.sampled, self._layer.sampled)
            copy_depths(self._standing_layer.sampled, self._layer.sampled, (0, 0, *size))
            solids.select_bodies(carried, base=False)
            self._draw_bodies(solids, shapes, window, self._layer.sampled)
            self._layer.end_drawing()

    def _draw_panel(self, shapes: MarkShapes, window: _InsetWindow, drawn: Target) -> None:
        ground = window.to_pixel((0.0, 0.0, 0.0))[1]
        self._panels.clear()
        self._panels.look = shapes.look
        centre = (window.x + window.width / 2.0, window.y + window.height / 2.0)
        half = (window.width / 2.0, window.height / 2.0)
        line = max(1.0, shapes.height / 600.0)
        self._panels.add(PANEL, centre, half, _NIGHT, _BORDER, radius=0.08 * window.width, line=line)
        self._panels.add(PANEL, (centre[0], ground - line), (half[0] * 0.92, line), _TABLE)
        self._panels.upload()
        drawn.viewport = (1 - window.x, 1 - window.y, shapes.width, shapes.height)
        self._panels.draw()

    def _draw_bodies(self, solids: Solids, shapes: MarkShapes, window: _InsetWindow, drawn: Target) -> None:
        drawn.viewport = (1 - window.x, 1 - window.y, shapes.width, shapes.height)
        begin_pass(depth=True)
        limit_drawing((3, 3, max(1, window.width - 4), max(1, window.height - 4)), drawn)
        # Convert pixels to the whole picture's clip space: y of the table frame across, z up.
        x0, y0 = window.to_pixel((0.0, 0.0, 0.0))
        self._program.set("origin", 2.0 * x0 / shapes.width - 1.0, 2.0 * y0 / shapes.height - 1.0)
        scale = 2.0 * window.px_per_metre
        self._program.set("scale", scale / shapes.width, scale / shapes.height)
        solids.draw_casters(self._program)
        limit_drawing(None, drawn)


def _round_poses(
    pieces: Sequence[ScenePiece], moths: Sequence[SceneMoth], px_per_metre: float
) -> tuple[object, ...]:
    rounded = [
        (
            *(piece.piece, piece.look, round(20.0 * piece.size)),
            *(round(part * px_per_metre) for part in piece.pose.position),
            *(round(part * _ROTATION_STEPS) for part in piece.pose.rotation),
        )
        for piece in pieces
    ]
    return (*rounded, *(tuple(round(part * px_per_metre) for part in moth.place) for moth in moths))


def _find_panel_size(shapes: MarkShapes, scale: float) -> tuple[int, int]:
    width, height = (max(8, round(part * scale * shapes.height)) for part in (INSET_WIDTH, INSET_HEIGHT))
    return width, height


def _overlaps(one: Box, other: Box) -> bool:
    margin = _MARGIN * one[3] / INSET_HEIGHT
    return all(
        one[k] - margin < other[k] + other[k + 2] and other[k] < one[k] + one[k + 2] + margin for k in (0, 1)
    )


def _make_grip_marks(
    hand: SceneHand, grip: Vec3, window: _InsetWindow, shapes: MarkShapes, eye: Vec3, *, uncertainty: bool
) -> list[Array]:
    """Return quads of the grip, and of one standard deviation of its distance along the camera's ray."""
    x, y = window.to_pixel(grip)
    radius = max(2.0, 0.004 * window.px_per_metre)
    if not (window.x + radius < x < window.x + window.width - radius):
        return []
    marks = [
        shapes.make_pixel_line((x - radius, y), (x + radius, y), (*GOLD, 1.0)),
        shapes.make_pixel_line((x, y - radius), (x, y + radius), (*GOLD, 1.0)),
    ]
    if uncertainty and hand.sigma_along_m > 0.0:
        ray = np.asarray(grip) - np.asarray(eye)
        ray *= hand.sigma_along_m / max(float(np.linalg.norm(ray)), 1e-6)
        ends = [window.to_pixel((0.0, grip[1] + s * ray[1], grip[2] + s * ray[2])) for s in (-1.0, 1.0)]
        marks.append(shapes.make_pixel_line(ends[0], ends[1], _UNCERTAIN))
    return marks
