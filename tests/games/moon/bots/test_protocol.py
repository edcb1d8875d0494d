"""The line protocol: docs/bots.md names every line and every built-in bot, and rotations are normalised."""

from __future__ import annotations

import math

from support.checkout import CHECKOUT

from armoon.games.moon import bot_protocol
from armoon.games.moon.bot_protocol import BotLevel
from armoon.messages import text
from armoon.values.poses import Pose
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, make_ladder_set

LADDERS = make_ladder_set(BOX_SEED)
BASE = make_base(tuple(LADDERS[piece] for piece in ("L01", "L02")), "facing")
POSE = Pose((1.0 / 3.0, -0.1, 0.123456789), (0.0, math.sqrt(0.5), 0.0, math.sqrt(0.5)))
TURN = bot_protocol.BotTurn(
    7, (("L01", POSE, True), ("L12", POSE, False)), (2, 0, 1), 4, "MOON", "L20", POSE, 8.0
)
GREETING = bot_protocol.Greeting("fr", "luna", 42, 3, "facing", ("L01", "L02"))


def test_a_rotation_is_normalised() -> None:
    parsed = bot_protocol.read_line(b"place 0 0 0.3 0 0 0 1.0004")
    assert parsed.pose is not None
    assert parsed.pose.rotation == (0.0, 0.0, 0.0, 1.0)


def test_the_page_names_every_line_and_every_built_in_bot() -> None:
    page = (CHECKOUT / "docs" / "bots.md").read_text(encoding="utf-8")
    lines = [
        *bot_protocol.format_greeting(GREETING, LADDERS, BASE),
        *bot_protocol.format_turn(TURN),
        bot_protocol.format_verdict_line(True, "honoured"),
    ]
    lines += ["stop", "forget", "bye", "hello x", "say x", "plan x", "place x", "pass"]
    for verb in {line.split()[0] for line in lines}:
        assert f"| `{verb}" in page, verb
    for level in BotLevel:
        assert f"| {text(f'bots.name.{level}')} |" in page
