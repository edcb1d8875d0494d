"""Which depth aids are drawn, the look of meaningful things, and the reading of the glass."""

from __future__ import annotations

from dataclasses import dataclass, replace

from armoon.values.handicap import Helping
from armoon.values.look import USUAL_LOOK, Look


@dataclass(frozen=True)
class Helps:
    """Each can be turned off by itself."""

    drop_line: bool = True
    """The plumb line under the held ladder, with rings where it meets a ladder and the table."""
    halo: bool = True
    """The light around the ladder that a hand would take, and the ring that closes with the fingers."""
    inset: bool = True
    """The small side view while a ladder is held."""
    uncertainty: bool = True
    """How far the hand may be nearer or farther than it is drawn."""
    landing: bool = True
    """The faint ladder where the held one would come down."""
    calm: bool = False
    """What would glide changes in steps."""
    glass: bool = True
    """A carrying hand is glassy where it hides what stands well behind it."""
    numbers: bool = False
    """Ladders left and height are always to be seen, not for a while after a change."""
    look: Look = USUAL_LOOK
    text_scale: float = 1.0
    """Factor of the glass's letters, as far as there is room."""
    chooses: bool = False
    """The player chooses among offers by buttons beside the table."""
    listed: bool = False
    """All of them stand there, below each other: the game makes room for them, as far as the camera's picture goes."""

    def at(self, helping: Helping) -> Helps:
        """Return these helps with the handicap of the player on turn."""
        if helping is Helping.USUAL:
            return self
        on = helping is Helping.ALL
        return replace(self, drop_line=on, halo=on, inset=on, uncertainty=on, landing=on)
