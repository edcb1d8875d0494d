"""The streaming process's reports about itself."""

from __future__ import annotations

import enum

#: The server takes what is sent.
ON_AIR = "on air"
#: Bits per pixel of a stream's picture: 2.5 million a second for 1280×720 at 30 pictures.
BITS_PER_PIXEL = 0.09


class Why(enum.Enum):
    """Why a connection ended; as it stands below ``live.why``."""

    REFUSED = "refused"
    """The server can't be reached, or doesn't take this key."""
    BROKEN = "broken"
    """The connection broke."""
    STUCK = "stuck"
    """The network takes nothing any more."""
    ENDED = "ended"
    """The game wanted it so."""
