"""The pages of the camera: which one looks, or none; and finding the real table before it."""

from __future__ import annotations

from dataclasses import replace

from armoon.messages import text
from armoon.messages.numbers import number
from armoon.screens.actions import PointAtCorners, Request, UseCamera
from armoon.screens.layout import (
    back_button,
    body_place,
    button,
    card,
    choice,
    foot_place,
    lines,
    page,
    put,
)
from armoon.screens.plan import Plan, Reply, asking
from armoon.screens.state import PageName, Screens
from armoon.values.choices import CameraWay
from armoon.values.flex import GAP, REST, columns, grid, rows
from armoon.values.page import Rect

#: Maximum number of webcams on the page.
MOST_SHOWN = 4
#: The lengths that a table's near side can be given: paper, then what tables measure.
SIDES_M = (0.210, 0.297, 0.40, 0.50, 0.60, 0.70, 0.80, 0.90, 1.00, 1.20, 1.40, 1.60)


def camera(screens: Screens) -> Plan:
    """Return a card for each webcam, one for mouse and keys, one for the demo; and why the last one failed."""
    told, tall = screens.camera, screens.tall
    note, rest = rows(body_place(tall), 0.2, REST, gap=GAP[1])
    described = [
        (
            f"webcam {webcam}",
            webcam,
            text("screens.camera.webcam", number=webcam),
            name or text("screens.camera.unnamed"),
        )
        for webcam, name in told.found[:MOST_SHOWN]
    ]
    for way in (CameraWay.NONE, CameraWay.DEMO):
        described.append((way, way, text(f"screens.camera.{way}"), text(f"screens.camera.{way}_about")))
    cards = [
        card(name, words, about, asking(UseCamera(source)), chosen=told.source == source)
        for name, source, words, about in described
    ]
    across = 1 if tall else 2 if len(cards) <= 4 else 3
    items = (
        *lines(note, (told.trouble or text("screens.camera.about"),), "note", 1.0),
        *put(cards, grid(rest, len(cards), across, 0.22 if tall else 0.36, (0.03, 0.03))),
    )
    look = ("look", text("screens.camera.look"), asking(Request.LOOK_FOR_CAMERAS), True)
    title, first = text("screens.camera.heading"), described[0][0]
    return page(screens, title, items, back_button(), look, veil=0.80, first=first)


def choose(screens: Screens) -> Reply:
    """Return a button's action that opens this page and looks for webcams meanwhile."""
    return screens.to(PageName.CAMERA), (Request.LOOK_FOR_CAMERAS,)


def find(screens: Screens) -> Plan:
    """Return the plan of finding the table: the camera's picture, and the ways to find it."""
    told, tall = screens.table, screens.tall
    x, width = (0.05, 0.90) if tall else (0.08, 0.84)
    notes = Rect(x, 0.17 if not tall else 0.155, width, 0.11)
    half, _, other = columns(Rect(x, foot_place(tall).y - 0.13, width, 0.10), 0.49, 0.02, REST)
    side = text("screens.find.metres", metres=number(SIDES_M[screens.side], 2))
    ways = (
        (
            button("take_back", text("screens.find.take_back"), asking(Request.TAKE_CORNER_BACK)),
            button("look_again", text("screens.find.look_again"), asking(Request.LOOK_AGAIN)),
        )
        if told.pointing
        else (
            choice("side", text("screens.find.side"), side, _turn_side),
            button("corners", text("screens.find.corners"), _point),
        )
    )
    return page(
        screens,
        text("screens.find.heading"),
        (*lines(notes, (told.hint, told.error), "note", 0.05), *put(ways, (half, other))),
        ("back", text("screens.back"), leave, True),
        ("accept", text("screens.find.accept"), _accept, not told.pointing),
        veil=0.0,
        leave=leave,
        first="accept",
    )


def leave(screens: Screens) -> Reply:
    """Back to the title: nothing has begun."""
    return replace(screens.home(PageName.TITLE), in_game=False), (Request.LEAVE_GAME,)


def _accept(screens: Screens) -> Reply:
    return replace(screens.home(PageName.TABLE), in_game=True), (Request.TABLE_ACCEPTED,)


def _point(screens: Screens) -> Reply:
    return screens, (PointAtCorners(SIDES_M[screens.side]),)


def _turn_side(screens: Screens, step: int) -> Reply:
    return replace(screens, side=(screens.side + step) % len(SIDES_M)), ()
