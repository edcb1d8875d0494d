"""The rule book, its pictures (described in ``rules.txt``), and front views of structures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from armoon import geometry
from armoon.games.contract import PictureBookPage
from armoon.games.moon.editions import CHART, STRAIGHT, list_starting_ladders, list_supply_ladders
from armoon.games.moon.figures import BookPage, list_lines, load_pages, sample_spots
from armoon.games.moon.options import MoonOptions
from armoon.games.shared import RuleBook
from armoon.games.sketches import GOLD, INK, IVORY, MIST, Shapes, SketchBook, Sketcher, fade, load_sketch_book
from armoon.messages import text
from armoon.values.choices import OneHand, Slots
from armoon.values.page import ASPECT, Drawing, DrawnWord, Mark, Rgba, Shape, Sign, Stroke
from armoon.values.pieces import Base, Ladder, LadderSet, PieceId
from armoon.values.poses import Pose, Vec2, Vec3
from armoon.values.scene import ScenePiece
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, make_ladder_set

#: Strength of the glow of a figure's ladders, low enough for their wood to be visible.
_GLOW = 0.45


def find_page(figure: str) -> BookPage:
    """Return a figure's page of the book. Raises KeyError for an unknown figure."""
    return {page.figure: page for page in load_pages()}[figure]


def make_picture_book_page(number: int) -> PictureBookPage:
    page = load_pages()[number]
    ladders = make_ladder_set(page.ladder_seed)
    pieces = tuple(
        ScenePiece(name, pose, "touched" if name in page.makers else "plain", _GLOW)
        for name, pose in page.poses.items()
    )
    pairs = {frozenset((piece, other)): spot for piece, other, spot in page.touches if piece in page.makers}
    base = make_base(tuple(ladders[name] for name in page.fixed))
    return PictureBookPage(ladders, base, pieces, tuple(pairs.values()))


def make_bare_table(slots: Slots, *, left_handed: bool) -> tuple[LadderSet, Base]:
    ladders = make_ladder_set(BOX_SEED)
    starting = tuple(ladders[name] for name in STRAIGHT[:2])
    return ladders, make_base(starting, slots, left_handed=left_handed)


#: Scale of the pictures, in picture heights per metre.
SCALE = 3.6
#: Position of the base's middle.
MIDDLE: Vec2 = (0.50, 0.90)
#: Downward tilt of the view, radians.
_TILT_RAD = math.radians(7.0)
RAIL_WIDTH, RUNG_WIDTH = 0.024, 0.018
#: Margin around a structure of ``draw_structure``, as a fraction of the picture's height, and its maximum scale.
_MARGIN, _MAX_SCALE = 0.05, 1.4
WOOD: Rgba = (0.80, 0.58, 0.36, 1.0)
#: Colour of the starting ladders.
DARK_WOOD: Rgba = (0.60, 0.42, 0.28, 1.0)
_EDGE: Rgba = (0.24, 0.15, 0.11, 1.0)
_CLOUD: Rgba = (0.86, 0.90, 1.0, 1.0)
_TABLE: Rgba = (0.45, 0.36, 0.36, 1.0)


def project_point(point: Vec3) -> Vec2:
    x, y, z = point
    return (MIDDLE[0] + SCALE * x, MIDDLE[1] - SCALE * (z * math.cos(_TILT_RAD) + y * math.sin(_TILT_RAD)))


#: A ladder with its pose and colour in the picture.
DrawnLadder = tuple[Ladder, Pose, Rgba]


def draw_ladders(ladders: tuple[DrawnLadder, ...]) -> tuple[Shape, ...]:
    strokes: list[tuple[float, Stroke]] = []
    for ladder, pose, colour in ladders:
        rails = sum(len(rail) - 1 for rail in ladder.rails)
        edge = fade(_EDGE, colour[3])
        for number, line in enumerate(list_lines(ladder)):
            start, end = (geometry.pose_apply(pose, point) for point in line)
            width = RAIL_WIDTH if number < rails else RUNG_WIDTH
            away = (start[1] + end[1]) / 2.0 - 0.001 * (number < rails)
            strokes.append((away, Stroke(project_point(start), project_point(end), width, colour, edge)))
    strokes.sort(key=lambda stroke: -stroke[0])
    return (*_draw_ground(), *(stroke for _, stroke in strokes), *_draw_cloud())


def draw_structure(ladders: tuple[DrawnLadder, ...]) -> Drawing:
    """Draw ladders on table and base, in the middle of the picture and scaled to fit."""
    _, *shapes = draw_ladders(ladders)
    top = min(min(shape.a[1], shape.b[1]) for shape in shapes if isinstance(shape, Stroke))
    scale = min(_MAX_SCALE, (MIDDLE[1] - _MARGIN) / (MIDDLE[1] - top))

    def move(spot: Vec2) -> Vec2:
        return (ASPECT / 2.0 + scale * (spot[0] - MIDDLE[0]), MIDDLE[1] + scale * (spot[1] - MIDDLE[1]))

    def enlarge(shape: Shape) -> Shape:
        if isinstance(shape, Stroke):
            return replace(shape, a=move(shape.a), b=move(shape.b), width=scale * shape.width)
        assert isinstance(shape, Mark)
        return replace(shape, centre=move(shape.centre), half=(scale * shape.half[0], scale * shape.half[1]))

    return Drawing((*_draw_ground(_MARGIN, ASPECT - _MARGIN), *map(enlarge, shapes)))


def _draw_ground(left: float = 0.04, right: float = 1.29) -> tuple[Shape, ...]:
    return (Stroke((left, MIDDLE[1] + 0.035), (right, MIDDLE[1] + 0.035), 0.022, _TABLE),)


def _draw_cloud() -> tuple[Shape, ...]:
    x, y = MIDDLE
    circles = (
        (-0.20, 0.0, 0.035),
        (-0.11, -0.012, 0.05),
        (0.0, -0.02, 0.06),
        (0.11, -0.01, 0.05),
        (0.2, 0.0, 0.035),
    )
    body = Stroke((x - 0.20, y + 0.005), (x + 0.20, y + 0.005), 0.06, _CLOUD)
    discs = (Mark(Sign.DISC, (x + dx, y + dy), (r, r), _CLOUD) for dx, dy, r in circles)
    return (body, *discs)


def shift_pose(pose: Pose, shift: Vec3, angle_rad: float = 0.0) -> Pose:
    """Return a pose moved in the table frame, and rotated about the line of sight (radians, clockwise as seen)."""
    turn = geometry.quat_from_axis_angle((0.0, 1.0, 0.0), angle_rad)
    x, y, z = (a + b for a, b in zip(pose.position, shift, strict=True))
    return Pose((x, y, z), geometry.quat_multiply(turn, pose.rotation))


def find_upper_end(ladder: Ladder, pose: Pose) -> Vec2:
    axis = geometry.quat_rotate(pose.rotation, (0.0, 0.0, 1.0))
    up = 1.0 if axis[2] >= 0.0 else -1.0
    return project_point(geometry.pose_apply(pose, (0.0, 0.0, up * 0.30 * ladder.length_m)))


#: Colours of a held ladder, of one that honours the die, and of a mistake.
HELD: Rgba = (0.98, 0.82, 0.50, 1.0)
JUDGED: Rgba = (0.55, 0.85, 0.60, 1.0)
WRONG: Rgba = (0.95, 0.48, 0.42, 1.0)
#: Position of a ladder before it is taken (table frame, metres).
WAITING: Vec3 = (0.19, 0.0, 0.075)
_LID: Rgba = (0.36, 0.42, 0.72, 1.0)
_UNLIT: Rgba = (0.3, 0.36, 0.62, 1.0)


class MoonSketcher(Sketcher):
    """Draws ladders on the base, and the signs of tears, scorings and ranks."""

    colours: ClassVar[Mapping[str, Rgba]] = {
        **Sketcher.colours,
        "held": HELD,
        "judged": JUDGED,
        "wrong": WRONG,
        "wood": WOOD,
        "dark": DARK_WOOD,
        "lit": (0.95, 0.80, 0.46, 1.0),
    }

    def tower(
        self, figure: str, without: str = "", ghost: str = "", spin: float = 0.0, **moves: Any
    ) -> Shapes:
        """Return a figure of the picture book; arguments such as ``L26.way`` move its ladders (``_move_ladder``).

        ``spin`` is the table's rotation in degrees. ``@L26`` becomes an anchor near the upper end of ``L26``.
        """
        page, self._without = find_page(figure), without
        self._page = page
        by_piece: dict[str, dict[str, Any]] = {}
        for name, value in moves.items():
            piece, _, move = name.partition(".")
            for ladder in page.fixed if piece == "fixed" else (piece,):
                by_piece.setdefault(ladder, {})[move] = value
        ladders = [self._move_ladder(ghost, colour=fade(JUDGED, 0.45))] if ghost else []
        ladders += [
            self._move_ladder(piece, **by_piece.get(piece, {})) for piece in page.poses if piece != without
        ]
        if spin:
            turn = Pose((0.0, 0.0, 0.0), geometry.quat_from_axis_angle((0.0, 0.0, 1.0), math.radians(spin)))
            ladders = [
                (ladder, geometry.pose_compose(turn, pose), colour) for ladder, pose, colour in ladders
            ]
        self.anchors |= {f"@{ladder.piece}": find_upper_end(ladder, pose) for ladder, pose, _ in ladders}
        return draw_ladders(tuple(entry for entry in ladders if entry[2][3] > 0.0))

    def _move_ladder(
        self,
        piece: PieceId,
        way: float | None = None,
        fall: float = 0.0,
        aside: float = 0.09,
        by: Vec3 = (0.0, 0.0, 0.0),
        turn: float = 0.0,
        sway: Vec2 = (0.0, 0.0),
        colour: Rgba | None = None,
        left: float = 1.0,
    ) -> DrawnLadder:
        """Return a ladder at a fraction ``way`` of its path to its place, or at a fraction ``fall`` of its fall.

        A falling ladder lands ``aside`` metres to the side; ``by`` (metres) and ``turn`` (degrees) displace a ladder
        further; ``sway`` is the amplitude in metres and the number of swings; ``left`` is the opacity.
        """
        end = self._page.poses[piece]
        default = WRONG if fall else DARK_WOOD if piece in self._page.fixed else WOOD
        if way is not None:
            default = HELD
            begin, above = Pose(WAITING), shift_pose(end, (0.02, 0.0, 0.035))
            pose = geometry.pose_between(begin, above, way / 0.7)
            if way > 0.7:
                pose = geometry.pose_between(above, end, (way - 0.7) / 0.3)
        else:
            down = (aside * fall, -0.05 * fall, -0.93 * end.position[2] * fall * fall)
            swing = sway[0] * math.sin(2.0 * math.pi * sway[1] * self.time)
            x, y, z = (a + b for a, b in zip(by, down, strict=True))
            pose = shift_pose(end, (x + swing, y, z), math.radians(turn) + 1.35 * fall)
        ladder = make_ladder_set(self._page.ladder_seed)[piece]
        return ladder, pose, fade(colour or default, left)

    def contacts(self, piece: PieceId, size: float, left: float = 1.0) -> Shapes:
        discs = ((1.35 * size, fade(INK, 0.8 * left)), (size, fade(GOLD, left)))
        touches = (touch for touch in self._page.touches if touch[0] == piece and touch[1] != self._without)
        spots = [project_point(spot) for _, _, spot in touches]
        return tuple(Mark(Sign.DISC, spot, (half, half), colour) for spot in spots for half, colour in discs)

    def height(self, piece: PieceId) -> Shapes:
        ladder = make_ladder_set(self._page.ladder_seed)[piece]
        spots = sample_spots(ladder, self._page.poses[piece])
        return self._line(project_point(geometry.vec3(spots[int(spots[:, 2].argmax())]))[1])

    def _line(self, y: float) -> Shapes:
        return tuple(Stroke((0.06 + 0.08 * k, y), (0.10 + 0.08 * k, y), 0.012, GOLD) for k in range(15))

    def lid(self, y: float) -> Shapes:
        foot = MIDDLE[1] + 0.02
        place, half = (1.05, (y + foot) / 2.0), (0.10, (foot - y) / 2.0)
        return (Mark(Sign.PANEL, place, half, _LID, fade(MIST, 0.9)), *self._line(y))

    def supply(self, count: float) -> Shapes:
        spots = [(0.16 + 0.086 * (k % 7), 0.26 + 0.22 * (k // 7)) for k in range(math.ceil(count))]
        return tuple(Mark(Sign.LADDER, spot, (0.03, 0.09), WOOD) for spot in spots)

    def player(self, seat: float, y: float, tears: float, left: float = 1.0) -> Shapes:
        drops = (self.tear((0.45 + 0.115 * k, y), 0.055, left) for k in range(math.ceil(tears)))
        return (*self.person(seat, (0.25, y), 0.17, left), *(shape for drop in drops for shape in drop))

    def scoring(self, points: float, y: float, left: float, won: float = 0.0) -> Shapes:
        plate, ink = ((*GOLD[:3], 0.9), INK) if won else ((0.17, 0.2, 0.42, left), fade(IVORY, left))
        return (
            *self.tear((0.30, y), 0.065, left),
            Mark(Sign.PANEL, (0.66, y), (0.20, 0.105), plate, fade(MIST, left)),
            DrawnWord(f"{points:.0f}", (0.66, y), 0.13, ink),
        )

    def chart(self, lit: float) -> Shapes:
        shapes: list[Shape] = []
        for k, (least, _) in enumerate(CHART):
            x, top = 0.12 + 0.135 * k, 0.80 - 0.085 * k
            shapes.append(Stroke((x, 0.88), (x, top), 0.085, GOLD if lit > k else _UNLIT))
            shapes.append(DrawnWord(str(least), (x, top - 0.085), 0.07, IVORY))
        return tuple(shapes)


def list_fields(options: MoonOptions) -> dict[str, object]:
    """Return the numbers in the rules' sentences and pictures."""
    edition, house = options.edition_rules, options.house
    tears = house.get_tears(edition)
    return {
        "starting": len(list_starting_ladders(house)),
        "ladders": house.supply_size or len(list_supply_ladders(edition, house)),
        "count_tears": tears,
        "tears_left": tears - 1,
        "limit": house.get_tear_limit(edition),
        "best": 4,
        "points": next(least for least, key in CHART if key == "rank.touch_the_moon"),
        "top": CHART[-1][0],
    }


@lru_cache(maxsize=8)
def load_pictures(options: MoonOptions) -> SketchBook:
    return load_sketch_book(Path(__file__).with_name("rules.txt"), MoonSketcher, list_fields(options))


def build_rule_book(options: MoonOptions) -> RuleBook:
    edition, together = options.edition_rules, options.together
    omitted = {"end", "final"} if together else {"score", "team_end"}
    omitted.add("everybody" if together else "everybody_together")
    omitted.add("taking" if options.draws_any else "taking_any")
    omitted.add("fewest_counts" if edition.last_tear_eliminates else "fewest_out")
    hands = {OneHand.MISTAKE: "two_hands_mistake", OneHand.WARN: "two_hands_warn"}
    omitted |= set(hands.values()) - {hands.get(options.house.one_hand)}
    title = text(f"option.edition.word.{edition.name}")
    if together:
        title = f"{title} · {text('option.mode.word.cooperative')}"
    words = {name: text(key) for name, key in edition.terms.items()}
    fields = {**words, **list_fields(options), "rank": text(CHART[-1][1])}
    return RuleBook(title, load_pictures(options).list_screens("moon", omitted, fields))
