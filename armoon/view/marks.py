"""Marks that help to judge depth and show evidence: drop line and rings, contact points, heights, warnings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from armoon.geometry import Array, CameraModel, mat_from_pose, pose_apply, pose_compose, vec3
from armoon.gl import Blend, Mesh, ShaderProgram, Target, begin_pass, quad_triangles
from armoon.values.look import Look
from armoon.values.paper import FAR_END_M
from armoon.values.pieces import LadderSet
from armoon.values.poses import Pose, Vec2, Vec3
from armoon.values.scene import HeightLine, Scene, SceneCard, SceneHand, SceneRing
from armoon.view import ghosts
from armoon.view.glass import NIGHT, Box
from armoon.view.helps import Below, Helps
from armoon.view.inset import Inset
from armoon.view.lettering import Lettering, TextLine
from armoon.view.mark_shapes import DISC, DOT, LAYOUT, PUFF, RING, MarkShapes
from armoon.view.panels import PANEL, Panels
from armoon.view.scene.light import FAULT, GOLD, GOOD, MOONLIGHT, Rgba
from armoon.view.scene.solids import Solids

#: Sizes on the table, metres.
_DROP_RING_M = 0.011
_CONTACT_M = 0.0075
_GRIP_OPEN_M, _GRIP_CLOSED_M = 0.019, 0.0075
_DASH_M = 0.008
#: Distance of the rails between a paper ladder and its held ladder from the middle.
_RAILS_M = 0.009
_LID_HALF_M = 0.15
#: Height of the words' letters, drawn pixels at 720; room beside them on their plates, and half of those' height.
_TEXT_PX, _PLATE = 17.0, (0.3, 0.75)
#: Margin between a hand to remove and the ring around it.
_HAND_ROOM_M = 0.015
_SHADE: Rgba = (0.10, 0.08, 0.20, 0.55)
#: Colour of dust, and the number of its puffs.
_DUST: Vec3 = (0.86, 0.78, 0.66)
_PUFFS = 6
_WARNING: Rgba = (*FAULT, 0.95)


class Marks:
    """Draws the marks of one scene over the solids."""

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
        self._mesh = Mesh(LAYOUT)
        self._below = Below(ladders)
        self._ghosts = ghosts.Ghosts(self._below.lines)
        self._heights: dict[str, TextLine] = {}
        self._words: dict[str, TextLine] = {}
        self._shown: dict[str, TextLine] = {}
        self._busy: list[Box] = []
        self._inset = Inset()
        self._letters, self._plates = Lettering(), Panels()
        self._ghost_words = ghosts.GhostWords(
            self._ghosts, lambda words, size: self._letters.width(words, size, bold=True)
        )
        self._letters.resize(width, height)
        self.set_camera(camera, table_from_camera, clip_from_table)

    def set_camera(self, camera: CameraModel, table_from_camera: Pose, clip_from_table: Array) -> None:
        """Use this camera, its pose, and this matrix (4, 4)."""
        self._camera, self._table_from_camera = camera, mat_from_pose(table_from_camera)
        self._pose = table_from_camera
        self._lettered: tuple[tuple[HeightLine, ...], tuple[bool, ...]] | None = None
        self._shapes = replace(self._shapes, clip_from_table=clip_from_table)
        self._eye = table_from_camera.position

    def resize(self, width: int, height: int) -> None:
        self._shapes = replace(self._shapes, width=width, height=height)
        self._letters.resize(width, height)
        self._lettered = None

    def set_look(self, look: Look) -> None:
        if look != self._shapes.look:
            self._shapes = replace(self._shapes, look=look)
            self._letters.look = self._plates.look = look
            self._lettered, self._shown = None, {}

    def draw_inset(
        self, scene: Scene, helps: Helps, solids: Solids, into: Target, panels: Sequence[Box], still: Array
    ) -> list[Array]:
        """Draw the side view into a target; return the marks that belong on it, for ``draw``.

        It keeps clear of ``panels``, tower, held ladder, die, and the points (n, 8, 3) of each ``still`` body.
        """
        held = next((piece for piece in scene.pieces if piece.look in ("held", "waiting")), None)
        self._busy = list(panels)
        if not helps.inset or held is None:
            self._inset.place = None
            return []
        near_m = self._below.nearest_m(held, scene.pieces)
        busy = [*panels, *map(self._around, still)]
        bodies = [self._below.standing_ends(scene.pieces), self._below.ends_of(held)]
        if scene.die is not None:
            corners = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
            bodies.append(np.array(scene.die.rest.position) + scene.die.edge_m * corners)
        busy += [self._around(body) for body in bodies if len(body)]
        return self._inset.draw(
            scene,
            solids,
            self._shapes,
            self._eye,
            into,
            near_m=near_m,
            busy=busy,
            uncertainty=helps.uncertainty,
        )

    @property
    def inset_place(self) -> Box | None:
        """Box of the last side view, pixels from the lower left, if any."""
        return self._inset.place

    def _around(self, points: Array) -> Box:
        pixels = self._shapes.pixels(points)
        (left, low), (right, high) = pixels.min(axis=0), pixels.max(axis=0)
        return (float(left), float(low), float(right - left), float(high - low))

    def draw(self, scene: Scene, time_s: float, helps: Helps, inset: list[Array]) -> None:
        quads: list[Array] = []
        if scene.zone_radius_m > 0.0:
            quads += self._zone(scene.zone_radius_m)
        if scene.drop_line is not None:
            quads += self._drop(scene, scene.drop_line, helps)
        place_line = scene.place_line if helps.landing else None
        if place_line is not None:
            quads += ghosts.place_line(place_line, self._shapes)
        shown = tuple(ghost for ghost in scene.ghosts if helps.landing or not ghost.landing)
        quads += self._ghosts.draw(shown, self._shapes)
        busy = self._busy if self._inset.place is None else [*self._busy, self._inset.place]
        self._words, leaders = self._ghost_words.place(
            shown, scene.pieces, busy, self._shapes, self._text_px, place_line
        )
        quads += leaders
        if scene.lid_height_m > 0.0:
            quads += self._level((0.0, 0.0, scene.lid_height_m), _LID_HALF_M, (*GOLD, 0.9), dashed=True)
        for height in scene.height_lines:
            quads += self._level(height.through, ghosts.LEVEL_HALF_M, ghosts.line_colour(height.good))
            quads.append(
                self._shapes.facing(height.through, _CONTACT_M * 0.8, ghosts.line_colour(height.good), DOT)
            )
        pulse = 0.85 + 0.15 * math.sin(time_s * 6.0)
        for point in scene.contact_points:
            quads.append(self._shapes.facing(point, _CONTACT_M * pulse, (*MOONLIGHT, 0.95), DOT))
        for ring in scene.rings:
            if not ring.dust:
                quads += self._ring(ring)
            elif not helps.calm:
                quads += self._dust(ring)
        for hand in scene.hands:
            quads += self._warning(hand, pulse) if hand.unwanted else self._grip(hand) if helps.halo else []
        if scene.card is not None and scene.card.held_at is not None:
            quads += self._growing(scene.card, scene.card.held_at)
        quads += inset
        if not quads:
            return
        vertices = np.concatenate(quads).astype(np.float32)
        self._mesh.upload(vertices, quad_triangles(len(vertices) // 4))
        begin_pass(Blend.OVER)
        self._mesh.draw(self._program)

    def letter(self, scene: Scene) -> None:
        asked = (scene.height_lines, self._covered(scene))
        if asked != self._lettered:
            wood = ghosts.wood_px(self._ghosts, scene.pieces if scene.height_lines else (), self._shapes)
            self._heights = ghosts.height_texts(*asked, wood, self._shapes, self._text_px)
            self._lettered = asked
        lines = self._heights | self._words
        if lines != self._shown:
            self._letters.show(lines)
            self._shown = lines
            self._plates.clear()
            for line in lines.values():
                left, low, right, top = self._letters.box(line)
                half = ((right - left) / 2.0 + _PLATE[0] * line.size, _PLATE[1] * line.size)
                self._plates.add(
                    PANEL, ((left + right) / 2.0, (low + top) / 2.0), half, NIGHT, radius=half[1]
                )
            self._plates.upload()
        if lines:
            self._plates.draw()
            self._letters.draw()

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(line.text for line in self._shown.values())

    @property
    def text_boxes(self) -> tuple[Box, ...]:
        boxes = map(self._letters.box, self._shown.values())
        return tuple((left, low, right - left, top - low) for left, low, right, top in boxes)

    def _covered(self, scene: Scene) -> tuple[bool, ...]:
        size = self._text_px
        boxes = []
        for hand in scene.hands if scene.height_lines else ():
            pixels = self._shapes.pixels(self._places(hand))
            boxes.append((pixels.min(axis=0) - size, pixels.max(axis=0) + size))
        covered = []
        for height in scene.height_lines:
            (_, right), y = ghosts.line_ends(height, self._shapes)
            room = ghosts.width_of(height, size)
            covered.append(
                any(low[0] < right + room and right < high[0] and low[1] < y < high[1] for low, high in boxes)
            )
        return tuple(covered)

    @property
    def _text_px(self) -> float:
        return float(_TEXT_PX * (self._shapes.height / 720.0) ** 0.6)

    def pixel(self, place: Vec3) -> Vec2:
        return self._shapes.pixel(place)

    def _level(self, through: Vec3, half_m: float, colour: Rgba, *, dashed: bool = False) -> list[Array]:
        """Return a level line across the picture, dark under bright: it has to be seen over wood and cloud."""
        x, y, z = through
        ends: tuple[Vec3, Vec3] = ((x - half_m, y, z), (x + half_m, y, z))
        dashes = 2.0 * half_m / _DASH_M if dashed else 0.0
        under: tuple[Vec3, Vec3] = ((x - half_m, y, z - 0.0008), (x + half_m, y, z - 0.0008))
        return [
            self._shapes.line(*under, (*_SHADE[:3], 0.7), dashes=dashes),
            self._shapes.line(*ends, colour, dashes=dashes),
        ]

    def _ring(self, ring: SceneRing) -> list[Array]:
        drawn = []
        for late in (0.0, 0.25):
            along = (ring.along - late) / (1.0 - late)
            if 0.0 < along < 1.0:
                reach = 1.0 - (1.0 - along) ** 2
                colour: Rgba = (*GOOD, 0.75 * (1.0 - along))
                drawn.append(
                    self._shapes.facing(ring.centre, ring.radius_m * reach, colour, RING, (0.93, 1.0))
                )
        return drawn

    def _dust(self, ring: SceneRing) -> list[Array]:
        x, y, z = ring.centre
        gone = 1.0 - (1.0 - ring.along) ** 3
        colour: Rgba = (*_DUST, 0.30 * (1.0 - ring.along) ** 1.5)
        size = ring.radius_m * (0.35 + 0.45 * gone)
        turns = [math.tau * (k + x) / _PUFFS for k in range(_PUFFS)]
        return [
            self._shapes.facing(
                (
                    x + ring.radius_m * gone * math.cos(turn),
                    y + 0.6 * ring.radius_m * gone * math.sin(turn),
                    z + (0.3 + 0.2 * math.sin(5.0 * turn)) * ring.radius_m * gone,
                ),
                size,
                colour,
                PUFF,
            )
            for turn in turns
        ]

    def _grip(self, hand: SceneHand) -> list[Array]:
        """Return a ring between the finger tips that closes and fills with them, red if they closed on nothing."""
        if hand.grip_point is None:
            return []
        closing = min(max(hand.closing, 0.0), 1.0)
        radius = _GRIP_OPEN_M + (_GRIP_CLOSED_M - _GRIP_OPEN_M) * closing
        tint = FAULT if hand.refused else GOLD
        ring: Rgba = (*tint, 0.35 + 0.45 * closing)
        drawn = [self._shapes.facing(hand.grip_point, radius, ring, RING, (0.80 - 0.15 * closing, 1.0))]
        if closing > 0.0:
            fill: Rgba = (*tint, 0.45 * closing)
            drawn.append(self._shapes.facing(hand.grip_point, 0.80 * closing * radius, fill, DISC))
        return drawn

    def _growing(self, card: SceneCard, held_at: Vec3) -> list[Array]:
        table_from_card = pose_compose(self._pose, card.camera_from_card)
        ends = [pose_apply(table_from_card, (FAR_END_M, side * _RAILS_M, 0.0)) for side in (-1.0, 1.0)]
        rails = np.array([(end, held_at) for end in ends])
        return [self._shapes.lines(rails, (*GOLD, 0.9))]

    def _warning(self, hand: SceneHand, pulse: float) -> list[Array]:
        places = self._places(hand)
        middle = (places.min(axis=0) + places.max(axis=0)) / 2.0
        radius = (float(np.linalg.norm(places - middle, axis=1).max()) + _HAND_ROOM_M) * (0.9 + 0.1 * pulse)
        return [
            self._shapes.facing(vec3(middle), radius, (*FAULT, 0.20), DISC),
            self._shapes.facing(vec3(middle), radius, _WARNING, RING, (0.94, 1.0)),
        ]

    def _places(self, hand: SceneHand) -> Array:
        depths = np.asarray(hand.depths_m)
        camera = self._camera
        points = np.asarray(hand.points_px) - [camera.cx, camera.cy]
        seen = np.column_stack([points / [camera.fx, camera.fy] * depths[:, None], depths])
        return np.asarray(seen @ self._table_from_camera[:3, :3].T + self._table_from_camera[:3, 3])

    def _zone(self, radius: float) -> list[Array]:
        centre = (0.0, 0.0, 0.0015)
        spread: tuple[Vec3, Vec3] = ((radius, 0.0, 0.0), (0.0, radius, 0.0))
        return [
            self._shapes.flat(centre, *spread, (*FAULT, 0.13), DISC),
            self._shapes.flat(centre, *spread, (*FAULT, 0.95), RING, (0.96, 1.0)),
        ]

    def _drop(self, scene: Scene, drop: tuple[Vec3, Vec3], helps: Helps) -> list[Array]:
        """Return the dashed plumb line, rings where it meets a ladder and the table, and how far it may be off."""
        top, foot = drop
        quads = []
        if helps.uncertainty:
            quads += self._uncertain(scene, foot)
        if helps.drop_line:
            quads.append(self._shapes.line(top, foot, (*GOLD, 0.75), dashes=math.dist(top, foot) / _DASH_M))
            quads += self._landing(foot)
            met = self._below.under(top, scene.pieces)
            if met is not None:
                quads += self._landing(met)
        return quads

    def _landing(self, place: Vec3) -> list[Array]:
        """Return a level ring; the dark one around it shows on the white cloud, where gold alone is lost."""
        x, y, z = place
        spread: tuple[Vec3, Vec3] = ((_DROP_RING_M, 0.0, 0.0), (0.0, _DROP_RING_M, 0.0))
        centre = (x, y, z + 0.001)
        return [
            self._shapes.flat(centre, *spread, _SHADE, RING, (0.52, 1.0)),
            self._shapes.flat(centre, *spread, (*GOLD, 1.0), RING, (0.66, 1.0)),
        ]

    def _uncertain(self, scene: Scene, foot: Vec3) -> list[Array]:
        """Return an ellipse for the plumb line's foot: one standard deviation of the grip's depth along the view."""
        hands = [h for h in scene.hands if h.grip_point is not None and not h.unwanted]
        if not hands:
            return []
        hand = min(hands, key=lambda h: math.dist((h.grip_point or foot)[:2], foot[:2]))
        assert hand.grip_point is not None
        ray = np.asarray(hand.grip_point) - np.asarray(self._eye)
        distance = float(np.linalg.norm(ray))
        level = float(np.linalg.norm(ray[:2]))
        if level < 1e-3:
            return []
        along = ray[:2] / level
        reach = max(hand.sigma_along_m * level / distance, _DROP_RING_M)
        side = _DROP_RING_M
        spread: tuple[Vec3, Vec3] = (
            (float(-along[1] * side), float(along[0] * side), 0.0),
            (float(along[0] * reach), float(along[1] * reach), 0.0),
        )
        centre = (foot[0], foot[1], foot[2] + 0.0008)
        return [
            self._shapes.flat(centre, *spread, (*GOLD, 0.34), DISC),
            self._shapes.flat(centre, *spread, (*GOLD, 0.90), RING, (0.84, 1.0)),
        ]
