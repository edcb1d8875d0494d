"""The rule book and its pictures, which ``rules.txt`` describes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from armoon.games.moon import structure_drawing as drawing
from armoon.games.moon.editions import CHART, list_starting_ladders, list_supply_ladders
from armoon.games.moon.options import MoonOptions
from armoon.games.shared import RuleBook
from armoon.games.sketches import GOLD, INK, IVORY, MIST, Shapes, SketchBook, Sketcher, fade, load_sketch_book
from armoon.geometry import pose_between, pose_compose, quat_from_axis_angle
from armoon.messages import text
from armoon.values.choices import OneHand
from armoon.values.page import DrawnWord, Mark, Rgba, Shape, Sign, Stroke
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, Vec2, Vec3

#: Colours of a held ladder, one that honours the die, and a mistake.
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
        "wood": drawing.WOOD,
        "dark": drawing.DARK_WOOD,
        "lit": (0.95, 0.80, 0.46, 1.0),
    }

    def tower(
        self, figure: str, without: str = "", ghost: str = "", spin: float = 0.0, **moves: Any
    ) -> Shapes:
        """Return a figure of the picture book whose ladders move: ``L26.way=…`` and so on (``_move_ladder``).

        ``spin`` turns the table, in degrees. The upper end of ``L26`` is the anchor ``@L26``.
        """
        own = self._own = drawing.load_structure(figure, without=(without,))
        by_piece: dict[str, dict[str, Any]] = {}
        for name, value in moves.items():
            piece, _, move = name.partition(".")
            for one in own.fixed if piece == "fixed" else (piece,):
                by_piece.setdefault(one, {})[move] = value
        looks = [self._move_ladder(own, ghost, colour=fade(JUDGED, 0.45))] if ghost else []
        looks += [self._move_ladder(own, piece, **by_piece.get(piece, {})) for piece in own.poses]
        if spin:
            about = Pose((0.0, 0.0, 0.0), quat_from_axis_angle((0.0, 0.0, 1.0), math.radians(spin)))
            looks = [replace(look, pose=pose_compose(about, look.pose)) for look in looks]
        self.anchors |= {f"@{look.ladder.piece}": drawing.find_upper_end(look) for look in looks}
        return drawing.draw_ladders(tuple(look for look in looks if look.colour[3] > 0.0))

    def _move_ladder(
        self,
        own: drawing.DrawnStructure,
        piece: PieceId,
        way: float | None = None,
        fall: float = 0.0,
        aside: float = 0.09,
        by: Vec3 = (0.0, 0.0, 0.0),
        turn: float = 0.0,
        sway: Vec2 = (0.0, 0.0),
        colour: Rgba | None = None,
        left: float = 1.0,
    ) -> drawing.DrawnLadder:
        """Return a ladder on its ``way`` (0 to 1) over the structure to its place, or of its ``fall`` to the table.

        It falls to the side by ``aside`` metres; ``by`` (metres) and ``turn`` (degrees) move it in addition, and
        ``sway`` is the distance (metres) and the number of its swings.
        """
        end = own.poses[piece]
        usual = WRONG if fall else drawing.DARK_WOOD if piece in own.fixed else drawing.WOOD
        if way is not None:
            usual = HELD
            begin, above = Pose(WAITING), drawing.shift_pose(end, (0.02, 0.0, 0.035))
            pose = pose_between(begin, above, way / 0.7)
            if way > 0.7:
                pose = pose_between(above, end, (way - 0.7) / 0.3)
        else:
            down = (aside * fall, -0.05 * fall, -0.93 * end.position[2] * fall * fall)
            swing = sway[0] * math.sin(2.0 * math.pi * sway[1] * self.time)
            x, y, z = (a + b for a, b in zip(by, down, strict=True))
            pose = drawing.shift_pose(end, (x + swing, y, z), math.radians(turn) + 1.35 * fall)
        return drawing.DrawnLadder(own.ladders[piece], pose, fade(colour or usual, left))

    def contacts(self, piece: PieceId, size: float, left: float = 1.0) -> Shapes:
        spots = self._own.list_contacts(piece)
        return tuple(mark for spot in spots for mark in drawing.draw_mark(spot, size, left))

    def height(self, piece: PieceId) -> Shapes:
        return self._line(self._own.find_top(piece)[1])

    def _line(self, y: float) -> Shapes:
        return tuple(Stroke((0.06 + 0.08 * k, y), (0.10 + 0.08 * k, y), 0.012, GOLD) for k in range(15))

    def lid(self, y: float) -> Shapes:
        foot = drawing.MIDDLE[1] + 0.02
        place, half = (1.05, (y + foot) / 2.0), (0.10, (foot - y) / 2.0)
        return (Mark(Sign.PLATE, place, half, _LID, fade(MIST, 0.9)), *self._line(y))

    def supply(self, count: float) -> Shapes:
        spots = [(0.16 + 0.086 * (k % 7), 0.26 + 0.22 * (k // 7)) for k in range(math.ceil(count))]
        return tuple(Mark(Sign.LADDER, spot, (0.03, 0.09), drawing.WOOD) for spot in spots)

    def player(self, seat: float, y: float, tears: float, left: float = 1.0) -> Shapes:
        drops = (self.tear((0.45 + 0.115 * k, y), 0.055, left) for k in range(math.ceil(tears)))
        return (*self.person(seat, (0.25, y), 0.17, left), *(shape for drop in drops for shape in drop))

    def scoring(self, points: float, y: float, left: float, won: float = 0.0) -> Shapes:
        plate, ink = ((*GOLD[:3], 0.9), INK) if won else ((0.17, 0.2, 0.42, left), fade(IVORY, left))
        return (
            *self.tear((0.30, y), 0.065, left),
            Mark(Sign.PLATE, (0.66, y), (0.20, 0.105), plate, fade(MIST, left)),
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
    book, house = options.book, options.house
    tears = house.get_tears(book)
    return {
        "starting": len(list_starting_ladders(house)),
        "ladders": house.supply_size or len(list_supply_ladders(book, house)),
        "count_tears": tears,
        "tears_left": tears - 1,
        "limit": house.get_tear_limit(book),
        "best": 4,
        "points": next(least for least, key in CHART if key == "rank.touch_the_moon"),
        "top": CHART[-1][0],
    }


@lru_cache(maxsize=8)
def load_pictures(options: MoonOptions) -> SketchBook:
    return load_sketch_book(Path(__file__).with_name("rules.txt"), MoonSketcher, list_fields(options))


def rulebook(options: MoonOptions) -> RuleBook:
    book, together = options.book, options.together
    omitted = {"end", "final"} if together else {"score", "team_end"}
    omitted.add("everybody" if together else "everybody_together")
    omitted.add("taking" if options.draws_any else "taking_any")
    omitted.add("fewest_counts" if book.last_tear_eliminates else "fewest_out")
    hands = {OneHand.MISTAKE: "two_hands_mistake", OneHand.WARN: "two_hands_warn"}
    omitted |= set(hands.values()) - {hands.get(options.house.one_hand)}
    title = text(f"option.edition.word.{book.name}")
    if together:
        title = f"{title} · {text('option.mode.word.cooperative')}"
    words = {name: text(key) for name, key in book.terms.items()}
    fields = {**words, **list_fields(options), "rank": text(CHART[-1][1])}
    return RuleBook(title, load_pictures(options).list_screens("moon", omitted, fields))
