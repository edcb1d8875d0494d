"""The way to the other tables that a link names, and what is said on it before the game begins."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from armoon import __version__
from armoon.engine.logbook import VERSION
from armoon.party.tables import broker_of
from armoon.settings.preferences import PlayOptions
from armoon.sinks.publish import password
from armoon.values.text import Address
from armoon.world.physics import build

if TYPE_CHECKING:
    from armoon.remote.kinds import Message
    from armoon.remote.link import Link
    from armoon.remote.seal import Seal
    from armoon.remote.wire import Wire


def version() -> str:
    from armoon.remote.kinds import FORM

    return f"{__version__} {VERSION} {build()} {FORM}"


def players_of(options: PlayOptions) -> tuple[tuple[str, str | None], ...]:
    """Return each player at this table, with the bot that plays, if one does."""
    bots = options.game_options.played_by
    return tuple(
        (name, bots[seat] if seat < len(bots) else None) for seat, name in enumerate(options.players)
    )


def wire_of(link: Link, *, listens: bool = False) -> Wire:
    """Return the way to the others that a link names; ``listens``: in the same network this is the host's table."""
    from armoon.remote.lan import LanGuest, LanHost
    from armoon.remote.link import LAN
    from armoon.remote.over_broker import OverBroker

    if link.scheme != LAN:
        return OverBroker(broker_of(Address(link.at), password()), link.room)
    if listens:
        return LanHost("0.0.0.0", urlsplit(link.at).port or 0)
    return LanGuest(link.at)


def say(wire: Wire, seal: Seal, message: Message) -> None:
    wire.send(seal.close(message))
