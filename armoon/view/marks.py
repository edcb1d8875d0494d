"""Marks that help to judge depth or explain verdicts: plumb line and rings, contact points, heights, warnings."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np

from armoon.geometry import Array, CameraModel, mat_from_pose, pose_apply, vec3
from armoon.gl import Blend, Mesh, ShaderProgram, Target, begin_pass, quad_triangles
from armoon.values.look import Look
from armoon.values.paper import FAR_END_M, HELD_X_M
from armoon.values.pieces import LadderSet
from armoon.values.poses import Pose, Vec2, Vec3
from armoon.values.scene import HeightLine, Scene, SceneHand, SceneProp, SceneRing
from armoon.view import ghosts
from armoon.view.aids import DisplayAids, StandingLadders
from armoon.view.inset import Inset
from armoon.view.lettering import TextLayer, TextLine
from armoon.view.mark_shapes import DISC, DOT, MARK_LAYOUT, PUFF, RING, MarkShapes
from armoon.view.panels import PANEL, Box, Panels
from armoon.view.scene.light import FAULT, GOLD, GOOD, MOONLIGHT, NIGHT, Rgba
from armoon.view.scene.solids import Solids

#: Radii of marks and length of dashes, in metres.
_DROP_RING_M = 0.011
_CONTACT_M = 0.0075
_OPEN_GRIP_M, _CLOSED_GRIP_M = 0.019, 0.0075
_DASH_M = 0.008
#: Half the distance between the two lines that connect a paper ladder's end with the held ladder, in metres.
_RAIL_OFFSET_M = 0.009
_LID_HALF_M = 0.15
#: Text size, in pixels of a picture 720 px high; padding and half the height of its background, in text sizes.
_TEXT_PX, _BACKGROUND = 17.0, (0.3, 0.75)
#: Margin between an unwanted hand and the warning ring around it, in metres.
_HAND_MARGIN_M = 0.015
_SHADE: Rgba = (0.10, 0.08, 0.20, 0.55)
#: Colour of dust, and number of puffs in a cloud of dust.
_DUST: Vec3 = (0.86, 0.78, 0.66)
_PUFF_COUNT = 6
_WARNING: Rgba = (*FAULT, 0.95)


class Marks:
    """Draws a scene's marks over its solids."""

    def __init__(
        self,
        camera: CameraModel,
        table_from_camera: Pose,
        clip_from_table: Array,
        width: int,
        height: int,
        ladders: LadderSet | None,
    ) -> None:
        self._shapes = MarkShapes(clip_from_table, width, height)
        self._program = ShaderProgram("mark.vert", "mark.frag")
        self._mesh = Mesh(MARK_LAYOUT)
        self._standing = StandingLadders(ladders)
        self._ghosts = ghosts.Ghosts(self._standing.lines)
        self._height_texts: dict[str, TextLine] = {}
        self._label_texts: dict[str, TextLine] = {}
        self._shown_texts: dict[str, TextLine] = {}
        self._panel_boxes: list[Box] = []
        self.inset = Inset()
        self._text_layer, self._backgrounds = TextLayer(), Panels()
        self._ghost_labels = ghosts.GhostLabels(self._ghosts)
        self._text_layer.resize(width, height)
        self.set_camera(camera, table_from_camera, clip_from_table)

    def set_camera(self, camera: CameraModel, table_from_camera: Pose, clip_from_table: Array) -> None:
        self._camera, self._table_from_camera = camera, mat_from_pose(table_from_camera)
        self._pose = table_from_camera
        self._last_heights: tuple[tuple[HeightLine, ...], tuple[bool, ...]] | None = None
        self._shapes = replace(self._shapes, clip_from_table=clip_from_table)
        self._eye = table_from_camera.position

    def resize(self, width: int, height: int) -> None:
        self._shapes = replace(self._shapes, width=width, height=height)
        self._text_layer.resize(width, height)
        self._last_heights = None

    def set_look(self, look: Look) -> None:
        if look != self._shapes.look:
            self._shapes = replace(self._shapes, look=look)
            self._text_layer.look = self._backgrounds.look = look
            self._last_heights, self._shown_texts = None, {}

    def draw_inset(
        self, scene: Scene, aids: DisplayAids, solids: Solids, into: Target, panels: list[Box], still: Array
    ) -> list[Array]:
        """Draw the side view into a target; return quads of the marks on it, for ``draw_marks``.

        The view avoids the tower, the held ladder, the die, ``panels``, and boxes with the corners ``still`` (n, 8, 3).
        """
        held = next((piece for piece in scene.pieces if piece.look in ("held", "waiting")), None)
        self._panel_boxes = list(panels)
        gap_m = math.inf if held is None else self._standing.measure_gap_m(held, scene.pieces)
        if not aids.inset or held is None or not self.inset.is_shown_at(gap_m):
            self.inset.place = None
            return []
        busy = [*panels, *map(self._find_box, still)]
        bodies = [self._standing.list_standing_ends(scene.pieces), self._standing.list_ends(held)]
        if scene.die is not None:
            corners = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
            bodies.append(np.array(scene.die.rest.position) + scene.die.edge_m * corners)
        busy += [self._find_box(body) for body in bodies if len(body)]
        return self.inset.draw_inset(
            scene,
            solids,
            self._shapes,
            self._eye,
            into,
            held_m=held.pose.position[2],
            busy=busy,
            uncertainty=aids.uncertainty,
        )

    def _find_box(self, points: Array) -> Box:
        pixels = self._shapes.to_pixels(points)
        (left, low), (right, high) = pixels.min(axis=0), pixels.max(axis=0)
        return (float(left), float(low), float(right - left), float(high - low))

    def draw_marks(self, scene: Scene, time_s: float, aids: DisplayAids, inset: list[Array]) -> None:
        quads: list[Array] = []
        if scene.zone_radius_m > 0.0:
            quads += self._make_zone_disc(scene.zone_radius_m)
        if scene.drop_line is not None:
            quads += self._make_drop_marks(scene, scene.drop_line, aids)
        place_line = scene.place_line if aids.landing else None
        if place_line is not None:
            quads += ghosts.make_place_line(place_line, self._shapes)
        shown = tuple(ghost for ghost in scene.ghosts if aids.landing or not ghost.is_landing)
        quads += self._ghosts.build_quads(shown, self._shapes)
        busy = self._panel_boxes if self.inset.place is None else [*self._panel_boxes, self.inset.place]
        self._label_texts, leaders = self._ghost_labels.place_labels(
            shown, scene.pieces, busy, self._shapes, self._text_px, place_line
        )
        quads += leaders
        if scene.lid_height_m > 0.0:
            top = (0.0, 0.0, scene.lid_height_m)
            quads += self._make_level(top, _LID_HALF_M, (*GOLD, 0.9), dashed=True)
        for height in scene.height_lines:
            colour = ghosts.choose_level_colour(height.good)
            quads += self._make_level(height.through, ghosts.LEVEL_HALF_M, colour)
            quads.append(self._shapes.make_facing(height.through, _CONTACT_M * 0.8, colour, DOT))
        pulse = 0.85 + 0.15 * math.sin(time_s * 6.0)
        for point in scene.contact_points:
            quads.append(self._shapes.make_facing(point, _CONTACT_M * pulse, (*MOONLIGHT, 0.95), DOT))
        for ring in scene.rings:
            if not ring.dust:
                quads += self._make_growing_rings(ring)
            elif not aids.calm:
                quads += self._make_dust_puffs(ring)
        for hand in scene.hands:
            if hand.is_unwanted:
                quads += self._make_warning(hand, pulse)
            elif aids.halo:
                quads += self._make_grip_ring(hand)
        if scene.prop is not None and scene.prop.held_at is not None:
            quads += self._make_prop_rails(scene.prop, scene.prop.held_at)
        quads += inset
        if not quads:
            return
        vertices = np.concatenate(quads).astype(np.float32)
        self._mesh.upload(vertices, quad_triangles(len(vertices) // 4))
        begin_pass(Blend.OVER)
        self._mesh.draw(self._program)

    def draw_texts(self, scene: Scene) -> None:
        request = (scene.height_lines, self._find_covered_heights(scene))
        if request != self._last_heights:
            bars = ghosts.sample_bars(self._ghosts, scene.pieces if scene.height_lines else (), self._shapes)
            self._height_texts = ghosts.lay_out_heights(*request, bars, self._shapes, self._text_px)
            self._last_heights = request
        lines = self._height_texts | self._label_texts
        if lines != self._shown_texts:
            self._text_layer.set_lines(lines)
            self._shown_texts = lines
            self._backgrounds.clear()
            for line in lines.values():
                left, low, right, top = self._text_layer.measure_line_box(line)
                half = ((right - left) / 2.0 + _BACKGROUND[0] * line.size, _BACKGROUND[1] * line.size)
                centre = ((left + right) / 2.0, (low + top) / 2.0)
                self._backgrounds.add(PANEL, centre, half, NIGHT, radius=half[1])
            self._backgrounds.upload()
        if lines:
            self._backgrounds.draw()
            self._text_layer.draw()

    @property
    def text_boxes(self) -> tuple[Box, ...]:
        boxes = map(self._text_layer.measure_line_box, self._shown_texts.values())
        return tuple((left, low, right - left, top - low) for left, low, right, top in boxes)

    def _find_covered_heights(self, scene: Scene) -> tuple[bool, ...]:
        size = self._text_px
        boxes = []
        for hand in scene.hands if scene.height_lines else ():
            pixels = self._shapes.to_pixels(self._find_landmarks(hand))
            boxes.append((pixels.min(axis=0) - size, pixels.max(axis=0) + size))
        covered = []
        for height in scene.height_lines:
            (_, right), y = ghosts.find_level_ends(height, self._shapes)
            room = ghosts.estimate_width(height, size)
            covered.append(
                any(low[0] < right + room and right < high[0] and low[1] < y < high[1] for low, high in boxes)
            )
        return tuple(covered)

    @property
    def _text_px(self) -> float:
        return float(_TEXT_PX * (self._shapes.height / 720.0) ** 0.6)

    def to_pixel(self, place: Vec3) -> Vec2:
        return self._shapes.to_pixel(place)

    def _make_level(self, through: Vec3, half_m: float, colour: Rgba, *, dashed: bool = False) -> list[Array]:
        """Return a bright horizontal line, with a dark one below it for contrast with wood and cloud."""
        x, y, z = through
        ends: tuple[Vec3, Vec3] = ((x - half_m, y, z), (x + half_m, y, z))
        dashes = 2.0 * half_m / _DASH_M if dashed else 0.0
        below: tuple[Vec3, Vec3] = ((x - half_m, y, z - 0.0008), (x + half_m, y, z - 0.0008))
        return [
            self._shapes.make_line(*below, (*_SHADE[:3], 0.7), dashes=dashes),
            self._shapes.make_line(*ends, colour, dashes=dashes),
        ]

    def _make_growing_rings(self, ring: SceneRing) -> list[Array]:
        quads = []
        for delay in (0.0, 0.25):
            progress = (ring.progress - delay) / (1.0 - delay)
            if 0.0 < progress < 1.0:
                radius_m = ring.radius_m * (1.0 - (1.0 - progress) ** 2)
                colour: Rgba = (*GOOD, 0.75 * (1.0 - progress))
                quads.append(self._shapes.make_facing(ring.centre, radius_m, colour, RING, (0.93, 1.0)))
        return quads

    def _make_dust_puffs(self, ring: SceneRing) -> list[Array]:
        x, y, z = ring.centre
        spread = 1.0 - (1.0 - ring.progress) ** 3
        colour: Rgba = (*_DUST, 0.30 * (1.0 - ring.progress) ** 1.5)
        size = ring.radius_m * (0.35 + 0.45 * spread)
        distance, quads = ring.radius_m * spread, []
        for angle in (math.tau * (k + x) / _PUFF_COUNT for k in range(_PUFF_COUNT)):
            height = (0.3 + 0.2 * math.sin(5.0 * angle)) * ring.radius_m * spread
            place = (
                x + distance * math.cos(angle),
                y + 0.6 * ring.radius_m * spread * math.sin(angle),
                z + height,
            )
            quads.append(self._shapes.make_facing(place, size, colour, PUFF))
        return quads

    def _make_grip_ring(self, hand: SceneHand) -> list[Array]:
        """Return a ring between the fingertips that shrinks and fills as they close; red if they grabbed nothing."""
        if hand.grip_point is None:
            return []
        closing = min(max(hand.closing, 0.0), 1.0)
        radius = _OPEN_GRIP_M + (_CLOSED_GRIP_M - _OPEN_GRIP_M) * closing
        tint = FAULT if hand.refused else GOLD
        ring: Rgba = (*tint, 0.35 + 0.45 * closing)
        quads = [self._shapes.make_facing(hand.grip_point, radius, ring, RING, (0.80 - 0.15 * closing, 1.0))]
        if closing > 0.0:
            fill: Rgba = (*tint, 0.45 * closing)
            quads.append(self._shapes.make_facing(hand.grip_point, 0.80 * closing * radius, fill, DISC))
        return quads

    def _make_prop_rails(self, prop: SceneProp, held_at: Vec3) -> list[Array]:
        start = FAR_END_M - HELD_X_M
        ends = [pose_apply(prop.grip, (start, side * _RAIL_OFFSET_M, 0.0)) for side in (-1.0, 1.0)]
        rails = np.array([(end, held_at) for end in ends])
        return [self._shapes.make_lines(rails, (*GOLD, 0.9))]

    def _make_warning(self, hand: SceneHand, pulse: float) -> list[Array]:
        places = self._find_landmarks(hand)
        middle = (places.min(axis=0) + places.max(axis=0)) / 2.0
        radius = (float(np.linalg.norm(places - middle, axis=1).max()) + _HAND_MARGIN_M) * (0.9 + 0.1 * pulse)
        return [
            self._shapes.make_facing(vec3(middle), radius, (*FAULT, 0.20), DISC),
            self._shapes.make_facing(vec3(middle), radius, _WARNING, RING, (0.94, 1.0)),
        ]

    def _find_landmarks(self, hand: SceneHand) -> Array:
        depths = np.asarray(hand.depths_m)
        camera = self._camera
        points = np.asarray(hand.points_px) - [camera.cx, camera.cy]
        in_camera = np.column_stack([points / [camera.fx, camera.fy] * depths[:, None], depths])
        return np.asarray(in_camera @ self._table_from_camera[:3, :3].T + self._table_from_camera[:3, 3])

    def _make_zone_disc(self, radius: float) -> list[Array]:
        centre = (0.0, 0.0, 0.0015)
        spread: tuple[Vec3, Vec3] = ((radius, 0.0, 0.0), (0.0, radius, 0.0))
        return [
            self._shapes.make_flat(centre, *spread, (*FAULT, 0.13), DISC),
            self._shapes.make_flat(centre, *spread, (*FAULT, 0.95), RING, (0.96, 1.0)),
        ]

    def _make_drop_marks(self, scene: Scene, drop: tuple[Vec3, Vec3], aids: DisplayAids) -> list[Array]:
        """Return the dashed plumb line, rings where it meets a ladder and the table, and an ellipse of uncertainty."""
        top, foot = drop
        quads = []
        if aids.uncertainty:
            quads += self._make_uncertainty_ellipse(scene, foot)
        if aids.drop_line:
            dashes = math.dist(top, foot) / _DASH_M
            quads.append(self._shapes.make_line(top, foot, (*GOLD, 0.75), dashes=dashes))
            quads += self._make_landing_ring(foot)
            below = self._standing.find_highest_below(top, scene.pieces)
            if below is not None:
                quads += self._make_landing_ring(below)
        return quads

    def _make_landing_ring(self, place: Vec3) -> list[Array]:
        """Return a horizontal ring with a dark rim, because gold alone is invisible on the white cloud."""
        x, y, z = place
        spread: tuple[Vec3, Vec3] = ((_DROP_RING_M, 0.0, 0.0), (0.0, _DROP_RING_M, 0.0))
        centre = (x, y, z + 0.001)
        return [
            self._shapes.make_flat(centre, *spread, _SHADE, RING, (0.52, 1.0)),
            self._shapes.make_flat(centre, *spread, (*GOLD, 1.0), RING, (0.66, 1.0)),
        ]

    def _make_uncertainty_ellipse(self, scene: Scene, foot: Vec3) -> list[Array]:
        """Return an ellipse around the plumb line's foot that shows one standard deviation of the grip's depth."""
        hands = [h for h in scene.hands if h.grip_point is not None and not h.is_unwanted]
        if not hands:
            return []
        hand = min(hands, key=lambda h: math.dist((h.grip_point or foot)[:2], foot[:2]))
        assert hand.grip_point is not None
        ray = np.asarray(hand.grip_point) - np.asarray(self._eye)
        distance = float(np.linalg.norm(ray))
        horizontal = float(np.linalg.norm(ray[:2]))
        if horizontal < 1e-3:
            return []
        along = ray[:2] / horizontal
        half_length = max(hand.sigma_along_m * horizontal / distance, _DROP_RING_M)
        half_width = _DROP_RING_M
        spread: tuple[Vec3, Vec3] = (
            (float(-along[1] * half_width), float(along[0] * half_width), 0.0),
            (float(along[0] * half_length), float(along[1] * half_length), 0.0),
        )
        centre = (foot[0], foot[1], foot[2] + 0.0008)
        return [
            self._shapes.make_flat(centre, *spread, (*GOLD, 0.34), DISC),
            self._shapes.make_flat(centre, *spread, (*GOLD, 0.90), RING, (0.84, 1.0)),
        ]
