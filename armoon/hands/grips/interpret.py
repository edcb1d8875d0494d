"""From hands to a grip: whose hand plays, when it grabs and lets go, and where it is now.

Pure and deterministic: the same ``Hands`` and the same times give the same intents, bit for bit. No stream of
landmarks, however broken, raises.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace

from armoon.geometry import CameraModel, mat_from_pose, pose_apply, pose_inverse
from armoon.hands.grips.followed import FRESH_AFTER_FRAMES, Edge, FollowedHand
from armoon.hands.grips.identity import match_hands, without_doubles
from armoon.hands.grips.reading import Pace
from armoon.hands.grips.settings import GripSettings, with_movement
from armoon.hands.grips.view import HandView, Refusal
from armoon.hands.pose.filters import SHORTEST_STEP_S, leashed
from armoon.hands.pose.metric import FARTHEST_M, NEAREST_M
from armoon.hands.tracking.landmarks import Hand, Hands
from armoon.values.intents import GripIntent, GripPhase
from armoon.values.movement import Movement
from armoon.values.poses import Pose, Vec3

#: A stamp this much earlier than the last means that the source has started again, not that frames got mixed.
RESTART_S = 1.0
#: Seconds without a frame after which the tracker has stopped, or hangs: longer than any delay of a working camera.
STALLED_AFTER_S = 0.5
#: A palm that is longer than this part of the picture's short side is too near to be followed well: 28 cm before
#: a camera of 640 x 360 pixels. It is said when it stays so for a while; hands that pass the camera are many.
TOO_NEAR_PART = 0.45
TOO_NEAR_AFTER_S = 0.3
#: Seconds for which a hand that came near enough to be lost still counts as too near.
TOO_NEAR_STAYS_S = 2.0
#: How long the hint "use your other hand" is shown, in seconds.
OTHER_HAND_S = 2.0


#: What stands this far beside a closing hand isn't meant, metres at its own distance: half a long ladder, and a bit.
OUT_OF_REACH_M = 0.12


class Interpreter:
    """Reads hands as one grip.

    The hand that closes first is the *owner* until it opens; other grips do nothing meanwhile. An owner
    that is missing from the frames for longer than ``GripSettings.lost_after_s`` is LOST until a hand that
    comes into view thereafter is closed: arriving closed it goes on with HOLD; seen open before, its closing
    is a GRAB. Either way its source stays the owner's.

    The *clutch* gives a short reach more room: what is held is parked in the air, counts as held right there, while
    the hand opens, moves freely and closes again; from then on it moves what is parked from where that hangs, at
    the distance the two then have. Since an opening hand lets go, a hand alone can't ask to park: that takes a key,
    a button or another caller of ``clutch``.
    """

    def __init__(
        self, camera: CameraModel, table_from_camera: Pose, settings: GripSettings | None = None
    ) -> None:
        self._camera = camera
        self._table_from_camera = table_from_camera
        self._settings = self._usual = settings or GripSettings()
        self._time_s = -math.inf
        self._pace = Pace()
        self._hands: list[FollowedHand] = []
        self._in_frame: tuple[FollowedHand, ...] = ()
        self._next_identity = 1
        self._owner: FollowedHand | None = None
        self._focus: FollowedHand | None = None
        self._edges: deque[GripIntent] = deque()
        self._last_held: GripIntent | None = None
        self._offered: Vec3 | None = None
        self._preferred: str | None = None
        self._refused_s = -math.inf
        self._near_s: float | None = None
        self._seen_near_s = -math.inf
        self._views: tuple[HandView, ...] | None = None

    def see(self, hands: Hands) -> None:
        """Take in the newest frame; one that isn't newer than the last is passed over."""
        self._views = None
        if not math.isfinite(hands.time_s):
            return
        if hands.time_s < self._time_s + SHORTEST_STEP_S:
            if hands.time_s > self._time_s - RESTART_S:
                return
            self._lose_everybody()
        self._pace.see(hands.time_s - self._time_s)
        self._time_s = hands.time_s
        self._hands = [hand for hand in self._hands if not self._is_gone(hand)]
        self._follow(without_doubles([hand for hand in hands.hands if hand.plausible]))
        self._choose_focus()

    def intent(self, time_s: float) -> GripIntent | None:
        """Return the grip at a time of the frames' clock, to be asked once a tick; None without a hand.

        Edges come first, one a call, in their order. Between frames the pose is predicted a little.
        """
        if not math.isfinite(time_s):
            time_s = self._time_s
        if self._edges:
            return replace(self._edges.popleft(), time_s=time_s)
        stalled = time_s - self._time_s > STALLED_AFTER_S
        if self._owner is not None and self._last_held is not None:
            if stalled or self._is_gone(self._owner):
                self._last_held = replace(self._last_held, time_s=time_s)
                return replace(self._last_held, phase=GripPhase.LOST)
            pose = self._leashed(self._owner.pose(time_s), time_s - self._last_held.time_s)
            self._last_held = self._say(self._owner, GripPhase.HOLD, pose, time_s)
            return self._last_held
        if self._focus is None or stalled:
            return None
        return self._say(self._focus, GripPhase.HOVER, self._focus.pose(time_s), time_s)

    def offer(self, point: Vec3 | None) -> None:
        """Where what a grip would take stands, table frame; None if there is nothing to take.

        A grip begins at that depth, whatever the camera makes of the hand's: so the ladder moves with the
        fingers in the picture, neither slower nor faster.
        """
        self._offered = None
        if point is not None:
            in_camera = pose_apply(pose_inverse(self._table_from_camera), point)
            if NEAREST_M <= in_camera[2] <= FARTHEST_M:
                self._offered = in_camera

    def clutch(self, time_s: float) -> bool:
        """Park what is held, or take up what is parked if the hand is closed; False if neither can be."""
        self._views = None
        owner = self._owner
        if owner is None or self._is_gone(owner) or not math.isfinite(time_s):
            return False
        if not owner.parked:
            owner.park(time_s)
        elif owner.grip.closed:
            owner.take_up()
        else:
            return False
        return True

    def meet(self, palm_m: float) -> None:
        """Another player's turn: hands that come from now on are taken to have a palm of this length."""
        self._settings = replace(self._settings, palm_m=palm_m)

    def meet_movement(self, movement: Movement) -> None:
        """Another player's turn: hands that come from now on are taken to move so."""
        self._settings = with_movement(self._settings, movement, self._usual)

    def prefer(self, side: str | None) -> None:
        """Another player's turn: of two hands in view the ``"left"`` or ``"right"`` one alone grips; else: either.

        A hand that is alone in view grips whichever it is: the label may be wrong, and the player knows.
        """
        self._preferred = side
        self._refused_s = -math.inf

    def move_table(self, table_from_camera: Pose) -> None:
        """Move the table or the camera: poses refer to the table's new place from now on."""
        self._views = None
        self._table_from_camera = table_from_camera
        owner = () if self._owner is None else (self._owner,)
        for hand in (*self._hands, *self._in_frame, *owner):
            hand.move_table(table_from_camera)

    def let_go(self) -> None:
        """End the grip for the game (grace time over, or an order): only a new closing grabs again."""
        self._views = None
        if self._owner is not None:
            self._owner.let_loose()
        self._owner = None
        self._choose_focus()

    def refuse(self, why: Refusal | None) -> None:
        """Note why the hand that has just closed took nothing; None: it took something."""
        self._views = None
        if self._owner is not None:
            self._owner.refused = why

    def views(self) -> tuple[HandView, ...]:
        """Return the hands of the newest frame, where they were in that very frame; the longest known first."""
        if self._views is None:
            self._views = tuple(self._view(hand) for hand in self._in_frame)
        return self._views

    @property
    def other_hand(self) -> bool:
        """A hand has just closed in vain: its player prefers the other one, which is in view as well."""
        return self._time_s - self._refused_s < OTHER_HAND_S

    @property
    def too_near(self) -> bool:
        """A hand has been too near to the camera for a while to be followed well; it should move back."""
        return self._near_s is not None and self._time_s - self._near_s >= TOO_NEAR_AFTER_S

    @property
    def holding(self) -> bool:
        """Whether a hand is taken to hold, be it in sight or lost."""
        return self._owner is not None

    @property
    def parked(self) -> bool:
        """Whether what is held hangs parked in the air (``clutch``)."""
        return self._owner is not None and self._owner.parked

    def _is_gone(self, hand: FollowedHand) -> bool:
        bridged_s = max(self._settings.lost_after_s, FRESH_AFTER_FRAMES * self._pace.frame_s)
        return self._time_s - hand.seen_s > bridged_s

    def _lose_everybody(self) -> None:
        self._hands = []
        if self._owner is not None:
            self._owner.seen_s = -math.inf

    def _follow(self, seen: tuple[Hand, ...]) -> None:
        expected = [(hand, place) for hand in self._hands if (place := hand.expected(self._time_s))]
        matched = match_hands(
            [place for _, place in expected],
            [self._time_s - hand.seen_s for hand, _ in expected],
            [hand.whereabouts for hand in seen],
        )
        who = {s: expected[k][0] for k, s in matched.items()}
        in_frame, near = [], False
        for s, hand in enumerate(seen):
            followed = who.get(s) or self._newcomer()
            edge = followed.see(hand, self._time_s, self._offered)
            near = near or followed.too_near or self._fills_the_picture(hand)
            if followed.seen_s != self._time_s:
                continue
            if followed not in self._hands:
                self._hands.append(followed)
            in_frame.append(followed)
            self._note_edge(followed, edge)
        self._in_frame = tuple(sorted(in_frame, key=lambda hand: hand.identity))
        if near:
            self._near_s = self._time_s if self._near_s is None else self._near_s
            self._seen_near_s = self._time_s
        elif in_frame or self._time_s - self._seen_near_s > TOO_NEAR_STAYS_S:
            self._near_s = None

    def _fills_the_picture(self, hand: Hand) -> bool:
        return hand.whereabouts.palm_px > TOO_NEAR_PART * min(self._camera.width, self._camera.height)

    def _newcomer(self) -> FollowedHand:
        owner_is_awaited = self._owner is not None and self._is_gone(self._owner)
        newcomer = FollowedHand(
            self._next_identity,
            self._camera,
            self._table_from_camera,
            self._settings,
            self._pace,
            trusted=owner_is_awaited,
        )
        self._next_identity += 1
        return newcomer

    def _note_edge(self, hand: FollowedHand, edge: Edge | None) -> None:
        if edge is not None:
            hand.refused = None
        if edge is Edge.OPENED and hand is self._owner:
            if not hand.parked:
                self._release(hand)
        elif edge is Edge.CLOSED and hand is self._owner:
            hand.take_up()
        elif edge is Edge.CLOSED and (self._owner is None or self._may_go_on(hand)):
            if self._is_other(hand):
                hand.refused = Refusal.OTHER_HAND
                self._refused_s = self._time_s
            else:
                if self._owner is None:
                    hand.refused = self._in_vain(hand)
                self._grab(hand)

    def _in_vain(self, hand: FollowedHand) -> Refusal | None:
        """Why a hand that closes now can hardly take anything; the game itself has the last word."""
        if self._offered is None:
            return Refusal.NOTHING
        x, y, z = self._offered
        here = pose_apply(pose_inverse(self._table_from_camera), hand.grip_in_picture())
        away_m = math.hypot(here[0] / here[2] * z - x, here[1] / here[2] * z - y)
        return Refusal.TOO_FAR if away_m > OUT_OF_REACH_M else None

    def _is_other(self, hand: FollowedHand) -> bool:
        """Whether it is the hand that its player doesn't prefer, with the preferred one in view beside it."""
        side = hand.settled_side
        if self._preferred is None or side is None or side == self._preferred:
            return False
        return any(one.settled_side == self._preferred for one in self._hands if one is not hand)

    def _release(self, hand: FollowedHand) -> None:
        pose = self._leashed(hand.pose_before_opening(), hand.look_back_s)
        self._edges.append(self._say(hand, GripPhase.RELEASE, pose, self._time_s))
        self._owner = None
        self._focus = hand
        hand.let_loose()

    def _grab(self, hand: FollowedHand) -> None:
        lost = self._owner
        went_on = lost is not None and not hand.grip.seen_open
        self._owner = self._focus = hand
        if lost is not None:
            hand.identity = lost.identity
        if lost is not None and lost.parked and self._last_held is not None:
            hand.take_up(self._last_held.pose)
        else:
            hand.take_hold(None if went_on or self._offered is None else self._offered[2])
        if went_on and self._last_held is not None:
            return  # nothing new to say: the next tick takes what is held towards the hand, no faster than allowed
        self._last_held = self._say(hand, GripPhase.HOLD, hand.pose(self._time_s), self._time_s)
        if not went_on:
            self._edges.append(replace(self._last_held, phase=GripPhase.GRAB))

    def _leashed(self, wanted: Pose, step_s: float) -> Pose:
        """Return a held grip's next pose, no further from the last than its speed limit allows."""
        if self._last_held is None:
            return wanted
        s = self._settings
        before = self._last_held.pose
        return leashed(before, wanted, step_s, most_m_s=s.most_speed_m_s, most_rad_s=s.most_turn_rad_s)

    def _may_go_on(self, hand: FollowedHand) -> bool:
        """Whether a hand that has closed may be the lost owner: not one that was seen beside it before."""
        return self._owner is not None and self._is_gone(self._owner) and hand.trusted

    def _choose_focus(self) -> None:
        """Show the hand that was shown before as long as it is there, then the longest known.

        Of two hands always the one that their player prefers.
        """
        if self._owner is not None:
            return
        if self._focus in self._hands and (self._focus is None or not self._is_other(self._focus)):
            return
        known = [hand for hand in self._hands if not self._is_other(hand)]
        self._focus = min(known, key=lambda hand: hand.identity, default=None)

    def _say(self, hand: FollowedHand, phase: GripPhase, pose: Pose, time_s: float) -> GripIntent:
        across_m, along_m = hand.sigmas_m
        return GripIntent(
            time_s=time_s,
            source=f"hand:{hand.identity}",
            phase=phase,
            pose=pose,
            view_axis=hand.view_axis(pose),
            sigma_across_m=across_m,
            sigma_along_m=along_m,
            closing=hand.closing,
        )

    def _view(self, hand: FollowedHand) -> HandView:
        table = mat_from_pose(self._table_from_camera)
        in_camera = hand.points_m
        points = in_camera @ table[:3, :3].T + table[:3, 3]
        return HandView(
            identity=hand.identity,
            side=hand.side,
            points_px=hand.points_px,
            depths_m=tuple(in_camera[:, 2].tolist()),
            points_table=tuple([(x, y, z) for x, y, z in points.tolist()]),
            grip_point=hand.grip_in_picture(),
            closing=hand.closing,
            pinched=hand.grip.closed,
            owner=hand is self._owner,
            sigma_along_m=hand.sigmas_m[1],
            own_depth_m=hand.own_depth_m,
            refused=hand.refused,
        )
