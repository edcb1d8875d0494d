"""Front views of real structures with every rail and rung, for rule pictures and saved games; the book's pages."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from armoon.games.contract import PictureBookPage
from armoon.games.moon.editions import STRAIGHT
from armoon.games.moon.figures import BookPage, find_meeting, list_lines, load_pages, sample_spots
from armoon.games.sketches import GOLD, INK, fade
from armoon.geometry import pose_apply, quat_from_axis_angle, quat_multiply, quat_rotate
from armoon.values.choices import Slots
from armoon.values.page import WIDE, Drawing, Mark, Rgba, Shape, Sign, Stroke
from armoon.values.pieces import Base, Ladder, LadderSet, PieceId
from armoon.values.poses import Pose, Vec2, Vec3
from armoon.values.scene import ScenePiece
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, make_ladder_set

#: Strength of the glow of a figure's ladders, low enough for their wood to be visible.
_GLOW = 0.45


def find_page(figure: str) -> BookPage:
    return {page.figure: page for page in load_pages()}[figure]


def make_table(page: BookPage) -> tuple[LadderSet, Base]:
    ladders = make_ladder_set(page.ladder_seed)
    fixed = tuple(ladders[name] for name, _, is_fixed in page.standing if is_fixed)
    return ladders, make_base(fixed)


def find_slots(page: BookPage) -> Slots:
    ladders, _ = make_table(page)
    fixed = [(ladders[name], pose) for name, pose, is_fixed in page.standing if is_fixed]

    def off_m(slots: Slots) -> float:
        base = make_base(tuple(ladder for ladder, _ in fixed), slots)
        return sum(
            math.dist(pose.position, slot.position) for (_, pose), slot in zip(fixed, base.slots, strict=True)
        )

    return min(Slots, key=off_m)


def make_leaf(number: int) -> PictureBookPage:
    page = load_pages()[number]
    ladders, base = make_table(page)
    pieces = tuple(
        ScenePiece(name, pose, "touched" if name in page.makers else "plain", _GLOW)
        for name, pose, _ in page.standing
    )
    by_name = {name: ladders[name] for name, _, _ in page.standing}
    poses = {name: pose for name, pose, _ in page.standing}
    pairs = {
        frozenset((piece, other)): spot
        for piece in page.makers
        for other, spot in find_meeting(by_name, poses, piece).items()
    }
    return PictureBookPage(ladders, base, pieces, tuple(pairs.values()))


def make_bare_table(slots: Slots, *, left_handed: bool) -> tuple[LadderSet, Base]:
    ladders = make_ladder_set(BOX_SEED)
    two = tuple(ladders[name] for name in STRAIGHT[:2])
    return ladders, make_base(two, slots, left_handed=left_handed)


#: Scale, as shares of the picture's height per metre, and position of the base's middle.
SCALE = 3.6
MIDDLE: Vec2 = (0.50, 0.90)
#: Angle at which the view looks down.
_DOWN = math.radians(7.0)
RAIL_WIDTH, RUNG_WIDTH = 0.024, 0.018
#: Margin around a structure of ``draw_whole``, as a share of the picture, and its maximum enlargement.
_MARGIN, _LARGEST = 0.05, 1.4
WOOD: Rgba = (0.80, 0.58, 0.36, 1.0)
#: Colour of the starting ladders.
DARK_WOOD: Rgba = (0.60, 0.42, 0.28, 1.0)
_EDGE: Rgba = (0.24, 0.15, 0.11, 1.0)
_CLOUD: Rgba = (0.86, 0.90, 1.0, 1.0)
_TABLE: Rgba = (0.45, 0.36, 0.36, 1.0)


def project(point: Vec3) -> Vec2:
    x, y, z = point
    return (MIDDLE[0] + SCALE * x, MIDDLE[1] - SCALE * (z * math.cos(_DOWN) + y * math.sin(_DOWN)))


@dataclass(frozen=True, eq=False)
class DrawnStructure:
    """Ladders at rest on a page of the book of figures."""

    ladders: Mapping[PieceId, Ladder]
    poses: Mapping[PieceId, Pose]
    fixed: tuple[PieceId, ...]

    @cache  # noqa: B019 - structures are cached too
    def list_contacts(self, piece: PieceId) -> tuple[Vec2, ...]:
        return tuple(map(project, find_meeting(self.ladders, self.poses, piece).values()))

    def find_top(self, piece: PieceId) -> Vec2:
        spots = sample_spots(self.ladders[piece], self.poses[piece])
        x, y, z = (float(v) for v in spots[int(spots[:, 2].argmax())])
        return project((x, y, z))


@cache
def load_structure(figure: str, *, without: tuple[PieceId, ...] = ()) -> DrawnStructure:
    page = next(page for page in load_pages() if page.kind.value == figure)
    ladders, _ = make_table(page)
    standing = [row for row in page.standing if row[0] not in without]
    return DrawnStructure(
        {name: ladders[name] for name, _, _ in standing},
        {name: pose for name, pose, _ in standing},
        tuple(name for name, _, fixed in standing if fixed),
    )


@dataclass(frozen=True)
class DrawnLadder:
    """A ladder with the pose and colour in which it is drawn."""

    ladder: Ladder
    pose: Pose
    colour: Rgba = WOOD


def draw_ladders(looks: tuple[DrawnLadder, ...]) -> tuple[Shape, ...]:
    strokes: list[tuple[float, Stroke]] = []
    for look in looks:
        rails = sum(len(rail) - 1 for rail in look.ladder.rails)
        edge = fade(_EDGE, look.colour[3])
        for number, (a, b) in enumerate(list_lines(look.ladder)):
            p, q = pose_apply(look.pose, a), pose_apply(look.pose, b)
            width = RAIL_WIDTH if number < rails else RUNG_WIDTH
            away = (p[1] + q[1]) / 2.0 - 0.001 * (number < rails)
            strokes.append((away, Stroke(project(p), project(q), width, look.colour, edge)))
    strokes.sort(key=lambda one: -one[0])
    return (*_ground(), *(stroke for _, stroke in strokes), *_cloud())


def draw_whole(looks: tuple[DrawnLadder, ...]) -> Drawing:
    """Return ladders on table and base, in the middle of the picture, scaled so that the highest fits."""
    _, *shapes = draw_ladders(looks)
    top = min(min(one.a[1], one.b[1]) for one in shapes if isinstance(one, Stroke))
    part = min(_LARGEST, (MIDDLE[1] - _MARGIN) / (MIDDLE[1] - top))

    def at(place: Vec2) -> Vec2:
        return (WIDE / 2.0 + part * (place[0] - MIDDLE[0]), MIDDLE[1] + part * (place[1] - MIDDLE[1]))

    def larger(one: Shape) -> Shape:
        if isinstance(one, Stroke):
            return replace(one, a=at(one.a), b=at(one.b), width=part * one.width)
        assert isinstance(one, Mark)
        return replace(one, centre=at(one.centre), half=(part * one.half[0], part * one.half[1]))

    return Drawing((*_ground(_MARGIN, WIDE - _MARGIN), *map(larger, shapes)))


def _ground(left: float = 0.04, right: float = 1.29) -> tuple[Shape, ...]:
    return (Stroke((left, MIDDLE[1] + 0.035), (right, MIDDLE[1] + 0.035), 0.022, _TABLE),)


def _cloud() -> tuple[Shape, ...]:
    x, y = MIDDLE
    rounds = (
        (-0.20, 0.0, 0.035),
        (-0.11, -0.012, 0.05),
        (0.0, -0.02, 0.06),
        (0.11, -0.01, 0.05),
        (0.2, 0.0, 0.035),
    )
    low = Stroke((x - 0.20, y + 0.005), (x + 0.20, y + 0.005), 0.06, _CLOUD)
    discs = (Mark(Sign.DISC, (x + dx, y + dy), (r, r), _CLOUD) for dx, dy, r in rounds)
    return (low, *discs)


def shift_pose(pose: Pose, by: Vec3, turned: float = 0.0) -> Pose:
    """Return the pose moved in the table frame, and rotated about the line of sight (radians, clockwise as seen)."""
    x, y, z = pose.position
    rotation = quat_multiply(quat_from_axis_angle((0.0, 1.0, 0.0), turned), pose.rotation)
    return Pose((x + by[0], y + by[1], z + by[2]), rotation)


def find_upper_end(look: DrawnLadder) -> Vec2:
    axis = quat_rotate(look.pose.rotation, (0.0, 0.0, 1.0))
    up = 1.0 if axis[2] >= 0.0 else -1.0
    return project(pose_apply(look.pose, (0.0, 0.0, up * 0.30 * look.ladder.length_m)))


def draw_mark(spot: Vec2, size: float, left: float) -> tuple[Mark, Mark]:
    return (
        Mark(Sign.DISC, spot, (size * 1.35, size * 1.35), fade(INK, 0.8 * left)),
        Mark(Sign.DISC, spot, (size, size), fade(GOLD, left)),
    )
