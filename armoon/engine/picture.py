"""Parts of the scene that all games share: hands, props, and hints about hands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from armoon.engine.match import Match
from armoon.geometry import pose_apply, pose_compose
from armoon.hands.one_hand_watch import ZONE_RADIUS_M, WatchReport
from armoon.hands.tracked_hand import GripRefusal, HandView
from armoon.messages import text
from armoon.values.pieces import GripIntent
from armoon.values.poses import IDENTITY_POSE, Pose, Vec3
from armoon.values.scene import Scene, SceneHand, SceneProp


def list_hands(match: Match) -> tuple[SceneHand, ...]:
    return tuple(_build_hand(view, match.watch) for view in match.hand_views)


def find_prop(match: Match, find_held_point: Callable[[GripIntent], Vec3 | None]) -> SceneProp | None:
    """Return the visible prop, if any; ``find_held_point`` returns the held object's nearest point to a grip."""
    grip = match.prop
    if grip is None:
        return None
    point = find_held_point(match.to_table_frame(grip))
    return SceneProp(grip.pose, None if point is None else pose_apply(match.home_from_table(), point))


def turn_scene(scene: Scene, home_from_table: Pose) -> Scene:
    """Rotate a scene with the table, except its hands, props and framed area, which are in the home frame."""
    if home_from_table == IDENTITY_POSE:
        return scene

    def rotate(place: Vec3) -> Vec3:
        return pose_apply(home_from_table, place)

    drop, line, fall = scene.drop_line, scene.place_line, scene.slow_fall
    return replace(
        scene,
        home_from_table=home_from_table,
        pieces=tuple(replace(p, pose=pose_compose(home_from_table, p.pose)) for p in scene.pieces),
        contact_points=tuple(map(rotate, scene.contact_points)),
        drop_line=None if drop is None else (rotate(drop[0]), rotate(drop[1])),
        place_line=None if line is None else (rotate(line[0]), rotate(line[1])),
        height_lines=tuple(replace(line, through=rotate(line.through)) for line in scene.height_lines),
        rings=tuple(replace(ring, centre=rotate(ring.centre)) for ring in scene.rings),
        slow_fall=None if fall is None else replace(fall, place=rotate(fall.place)),
        points_flights=tuple(replace(points, place=rotate(points.place)) for points in scene.points_flights),
        ghosts=tuple(
            replace(
                ghost, pose=pose_compose(home_from_table, ghost.pose), points=tuple(map(rotate, ghost.points))
            )
            for ghost in scene.ghosts
        ),
        moths=tuple(replace(moth, place=rotate(moth.place)) for moth in scene.moths),
        board=None if scene.board is None else scene.board.turn_board(home_from_table),
    )


def zone_radius_m(match: Match) -> float:
    """Return the radius of the zone closed to a second hand (ruling F3), metres; 0 without a warning."""
    return ZONE_RADIUS_M if match.watch.warns else 0.0


def find_hand_hint(match: Match) -> str:
    tracks, is_prop_visible = match.interpreter.tracks, match.prop is not None
    if match.distant_hand.asks_closer and not is_prop_visible:
        return text("watch.too_far")
    if tracks.is_too_near and not is_prop_visible:
        return text("watch.too_near")
    if tracks.has_merged and not is_prop_visible:
        return text("watch.merged")
    _, seat = match.on_turn
    if match.ignores_hands and any(view.is_closed for view in match.hand_views):
        return text("watch.not_yours", player=match.players[seat])
    hands = match.table.hands
    if match.interpreter.should_use_other_hand and seat < len(hands):
        return text(f"watch.other_hand.{hands[seat]}", player=match.players[seat])
    if is_prop_visible:
        return ""
    if any(view.refusal is GripRefusal.TOO_FAR for view in match.hand_views):
        return text("watch.out_of_reach")
    if not tracks.is_slow or match.holding:
        return ""
    is_closing = any(view.closing > 0.3 and not view.is_closed for view in match.hand_views)
    return text("watch.slow_camera") if is_closing else ""


def explain_first_player(match: Match, seat: int) -> str:
    """Return a sentence on why this seat begins; empty in a resumed game or without a reason."""
    why = match.table.first_why
    return text(f"first.why.{why}", player=match.players[seat]) if why and not match.setup.moves else ""


def _build_hand(view: HandView, watch: WatchReport) -> SceneHand:
    return SceneHand(
        view.points_px,
        view.depths_m,
        view.grip_point,
        view.closing,
        view.sigma_along_m,
        is_unwanted=watch.warns and view.identity in watch.hands,
        refused=view.refusal is not None,
    )
