"""What stands behind the screens while no game is under way: the table, with nobody at it."""

from __future__ import annotations

from armoon.camera.seat import Seat
from armoon.clock import TICKS_PER_SECOND
from armoon.games.kind import Viewed
from armoon.games.moon.kind import rising_moon
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.rules.editions import STRAIGHT
from armoon.games.moon.setup import LADDER_SEED
from armoon.settings.options import PlayOptions
from armoon.values.choices import Slots
from armoon.values.pieces import Base, LadderSet
from armoon.values.scene import Scene, SceneHud
from armoon.world.base import make_base
from armoon.world.ladders import make_ladder_set


def title_table(options: PlayOptions) -> tuple[LadderSet, Base]:
    """Ladders, and the base on which two of them will stand as these options say."""
    own = options.game_options
    slots = own.slots if isinstance(own, MoonOptions) else Slots.FACING
    ladders = make_ladder_set(LADDER_SEED)
    return ladders, make_base(tuple(ladders[name] for name in STRAIGHT[:2]), slots)


def title_scene(now_s: float, banner: str = "") -> Scene:
    """The empty table, with nothing on the glass but perhaps a banner."""
    hud = SceneHud(banner=banner)
    return Scene(tick=round(now_s * TICKS_PER_SECOND), pieces=(), hands=(), hud=hud)


def viewed_from(seat: Seat, ladders: LadderSet | None = None, base: Base | None = None) -> Viewed:
    """What a renderer has to know to draw them from this seat; without a base, nothing but the camera's picture."""
    backdrop = None if base is None else rising_moon
    return Viewed(seat.camera, seat.table_from_camera, seat.mirrored, ladders, base, backdrop=backdrop)
