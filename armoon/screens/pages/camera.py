"""The page for choosing a camera, or none: what it allows, and the fault of the previous one."""

from __future__ import annotations

from armoon.messages import text
from armoon.screens.actions import LookForCameras, UseCamera
from armoon.screens.flex import GAP, REST, grid, rows
from armoon.screens.layout import back_button, body_place, card, foot, heading, lines
from armoon.screens.state import Item, PageName, Plan, Reply, Screens, asking, go_back
from armoon.values.choices import CameraWay
from armoon.values.page import Rect

#: No more webcams than fit the page.
MOST_SHOWN = 4


def camera(screens: Screens) -> Plan:
    """Return a card for each webcam, one for mouse and keys, one for the demo."""
    told, tall = screens.camera, screens.tall
    body = body_place(tall)
    note, rest = rows(body, 0.2, REST, gap=GAP[1])
    cards = [
        (
            f"webcam {number}",
            number,
            text("screens.camera.webcam", number=number),
            name or text("screens.camera.unnamed"),
        )
        for number, name in told.found[:MOST_SHOWN]
    ]
    for way in (CameraWay.NONE, CameraWay.DEMO):
        cards.append((way, way, text(f"screens.camera.{way}"), text(f"screens.camera.{way}_about")))
    across = 1 if tall else 2 if len(cards) <= 4 else 3
    places = grid(rest, len(cards), across, 0.22 if tall else 0.36, (0.03, 0.03))
    return Plan(
        (
            heading(screens, text("screens.camera.heading")),
            *lines(note, (told.trouble or text("screens.camera.about"),), "note", 1.0),
            *(_card(screens, place, *described) for place, described in zip(places, cards, strict=True)),
            *foot(
                screens, back_button(), ("look", text("screens.camera.look"), asking(LookForCameras()), True)
            ),
        ),
        veil=0.80,
        leave=go_back,
        first=cards[0][0],
    )


def choose(screens: Screens) -> Reply:
    """Return a button's action that opens this page and looks for webcams meanwhile."""
    return screens.to(PageName.CAMERA), (LookForCameras(),)


def _card(screens: Screens, place: Rect, name: str, source: str, words: str, about: str) -> Item:
    return card(name, place, words, about, asking(UseCamera(source)), chosen=screens.camera.source == source)
