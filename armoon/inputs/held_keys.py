"""Held keys as steps: a tap is one whole step, a held key repeats and speeds up.

No key needs a quick press or a timely release; with ``fine`` a step is a sixth.
"""

from __future__ import annotations

from armoon.values.acts import Act

#: Seconds before a held key begins to repeat, its steps a second, and the time RAMP_S to its greatest speed.
DELAY_S, SLOW_STEPS_S, FAST_STEPS_S, RAMP_S = 0.25, 8.0, 40.0, 1.2
#: Speed at which a tap's step is made, steps a second.
TAP_STEPS_S = 40.0
#: Share of a step, while fine steps are asked for.
FINE = 1.0 / 6.0


class HeldKeys:
    """Which keys are down, for how long, and the steps of taps that are still to be made."""

    def __init__(self) -> None:
        self._held_s: dict[Act, float] = {}
        self._pending: dict[Act, float] = {}

    @property
    def acts(self) -> frozenset[Act]:
        """What is being done now."""
        return frozenset(self._held_s) | frozenset(act for act, left in self._pending.items() if left > 0.0)

    def press(self, act: Act) -> None:
        """Press a key."""
        self._held_s[act] = 0.0
        self._pending[act] = self._pending.get(act, 0.0) + 1.0

    def release(self, act: Act) -> None:
        """Release a key; the step that it began is made to its end."""
        self._held_s.pop(act, None)

    def clear(self) -> None:
        """No key is down."""
        self._held_s.clear()
        self._pending.clear()

    def take(self, step_s: float, *, fine: bool = False) -> dict[Act, float]:
        """How many steps each key makes in ``step_s`` seconds."""
        made: dict[Act, float] = {}
        for act in self.acts:
            tapped = min(self._pending.get(act, 0.0), TAP_STEPS_S * step_s)
            self._pending[act] = self._pending.get(act, 0.0) - tapped
            held = 0.0
            if act in self._held_s:
                self._held_s[act] += step_s
                over_s = self._held_s[act] - DELAY_S
                if over_s > 0.0:
                    part = min(1.0, over_s / RAMP_S) ** 2
                    held = (SLOW_STEPS_S + (FAST_STEPS_S - SLOW_STEPS_S) * part) * min(step_s, over_s)
            made[act] = (tapped + held) * (FINE if fine else 1.0)
        return made
