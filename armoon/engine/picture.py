"""The parts of every game's picture: the hands, the watch over a second one, and obstacles to a hand."""

from __future__ import annotations

from dataclasses import replace

from armoon.engine.match import Match
from armoon.geometry import pose_apply, pose_compose
from armoon.hands.grips.view import HandView, Refusal
from armoon.hands.watch.onehand import WatchReport, Zone
from armoon.messages import text
from armoon.values.poses import IDENTITY_POSE, Pose, Vec3
from armoon.values.scene import Scene, SceneHand


def scene_hands(match: Match) -> tuple[SceneHand, ...]:
    """Return the hands of the frame that is drawn under them."""
    return tuple(_hand(view, match.watch) for view in match.hand_views)


def as_turned(scene: Scene, home_from_table: Pose) -> Scene:
    """Return a scene of the table frame as it is seen when the table is turned.

    Hands and framing are at home already.
    """
    if home_from_table == IDENTITY_POSE:
        return scene

    def point(place: Vec3) -> Vec3:
        return pose_apply(home_from_table, place)

    drop = scene.drop_line
    return replace(
        scene,
        home_from_table=home_from_table,
        pieces=tuple(replace(p, pose=pose_compose(home_from_table, p.pose)) for p in scene.pieces),
        contact_points=tuple(map(point, scene.contact_points)),
        drop_line=None if drop is None else (point(drop[0]), point(drop[1])),
        height_lines=tuple(replace(line, through=point(line.through)) for line in scene.height_lines),
        rings=tuple(replace(ring, centre=point(ring.centre)) for ring in scene.rings),
        counters=tuple(replace(one, place=point(one.place)) for one in scene.counters),
        ghosts=tuple(
            replace(
                ghost,
                pose=pose_compose(home_from_table, ghost.pose),
                points=tuple(map(point, ghost.points)),
            )
            for ghost in scene.ghosts
        ),
        moths=tuple(replace(moth, place=point(moth.place)) for moth in scene.moths),
        board=None if scene.board is None else scene.board.turned(home_from_table),
    )


def watch_warning(match: Match) -> str:
    """Return the warning about a second hand, or an empty string."""
    return text("watch.second_hand") if match.watch.warns else ""


def zone_radius_m(match: Match) -> float:
    """Around the structure, where a second hand has no business (F3); 0 while it isn't to be seen."""
    return Zone.radius_m if match.watch.warns else 0.0


def hand_hint(match: Match) -> str:
    """Return what hinders the hand that would play, or an empty string."""
    if match.too_far:
        return text("watch.too_far")
    if match.too_near:
        return text("watch.too_near")
    _, seat = match.on_turn
    if match.hands_rest and any(view.pinched for view in match.hand_views):
        return text("watch.not_yours", player=match.players[seat])
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
