"""What every game's picture shows alike: the hands, the watch over a second one, and what is in a hand's way."""

from __future__ import annotations

from typing import Any

from armoon.engine.match import Match
from armoon.hands.grips.interpret import HandView
from armoon.hands.grips.refusal import Refusal
from armoon.hands.watch.onehand import WatchReport, Zone
from armoon.messages import text
from armoon.values.scene import SceneHand


def scene_hands(match: Match[Any]) -> tuple[SceneHand, ...]:
    """The hands of the frame that is drawn under them."""
    return tuple(_hand(view, match.watch) for view in match.hand_views)


def watch_warning(match: Match[Any]) -> str:
    """What is said of a second hand; empty while there is nothing to say."""
    return text("watch.second_hand") if match.watch.warns else ""


def zone_radius_m(match: Match[Any]) -> float:
    """Around the structure, where a second hand has no business (F3); 0 while it isn't to be seen."""
    return Zone.radius_m if match.watch.warns else 0.0


def hand_hint(match: Match[Any]) -> str:
    """What is in the way of the hand that would play; empty if nothing is."""
    if match.too_far:
        return text("watch.too_far")
    if match.too_near:
        return text("watch.too_near")
    _, seat = match.on_turn
    hands = match.table.hands
    if match.other_hand and seat < len(hands):
        return text(f"watch.other_hand.{hands[seat]}", player=match.players[seat])
    if any(view.refused is Refusal.TOO_FAR for view in match.hand_views):
        return text("watch.out_of_reach")
    return ""


def begins_text(player: str, why: str) -> str:
    """Who begins, and why (``games.shared.seating.Beginner``)."""
    return text(f"first.why.{why}", player=player)


def _hand(view: HandView, watch: WatchReport) -> SceneHand:
    return SceneHand(
        view.points_px,
        view.depths_m,
        view.grip_point,
        view.closing,
        view.sigma_along_m,
        unwanted=view.identity in watch.hands and watch.warns,
        refused=view.refused is not None,
    )
