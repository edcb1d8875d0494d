"""The one grip that plays at the lake, out of hands and devices."""

from __future__ import annotations

from armoon.engine.devices import Devices
from armoon.games.lake.table.setup import LakeSetup
from armoon.hands.grips.interpret import HandView, Interpreter, preferred_side
from armoon.hands.grips.kinds import GripKind
from armoon.hands.grips.settings import GripSettings
from armoon.hands.tracking.landmarks import Hands
from armoon.values.intents import GripIntent
from armoon.values.poses import Pose, Vec3

_KINDS: dict[str, GripKind] = {"pinch": "pinch", "fist": "fist", "dwell": "dwell"}


class Grips:
    """Hands as the interpreter reads them, and mouse or keys where no hand holds."""

    def __init__(self, setup: LakeSetup) -> None:
        settings = GripSettings(palm_m=setup.palm_length_m, grip=_KINDS[setup.grip], reading=setup.reading)
        self._interpreter = Interpreter(setup.camera, setup.table_from_camera, settings)
        self._devices = Devices()
        self._hands = setup.hands

    @property
    def hand_views(self) -> tuple[HandView, ...]:
        """The hands of the last result, measured."""
        return self._interpreter.views()

    def meet(self, seat: int) -> None:
        """The player of this seat is on turn: of two hands the one that they prefer grips."""
        self._interpreter.prefer(preferred_side(self._hands, seat))

    @property
    def too_near(self) -> bool:
        """A hand has been too near to the camera for a while to be followed well: it should move back."""
        return self._interpreter.too_near

    @property
    def other_hand(self) -> bool:
        """A hand has just closed in vain: its player prefers the other one, which is in view as well."""
        return self._interpreter.other_hand

    def move_table(self, table_from_camera: Pose) -> None:
        """The camera, or the table, was moved."""
        self._interpreter.move_table(table_from_camera)

    def see(self, hands: Hands) -> None:
        """A tracker's newest result."""
        self._interpreter.see(hands)

    def take_in(self, grips: tuple[GripIntent, ...]) -> None:
        """What devices want in this turn of the loop."""
        self._devices.take_in(grips, self._interpreter.holding)

    def at(self, time_s: float, offered: Vec3 | None) -> GripIntent | None:
        """The grip of a tick; ``offered`` is where what it would take stands."""
        # One camera hardly tells depth: a grip starts at the depth of what it takes.
        self._interpreter.offer(offered)
        hand = self._interpreter.intent(time_s)
        device = self._devices.intent(time_s)
        devices_play = self._devices.holding or not self._interpreter.holding
        return device if device is not None and (hand is None or devices_play) else hand

    def let_go(self) -> None:
        """The game has ended the grip: a closed hand holds nothing until it has opened."""
        self._interpreter.let_go()
        self._devices.let_go()
