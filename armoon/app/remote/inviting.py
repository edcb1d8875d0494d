"""The host's table: it invites others, and lets them in one after the other until the game begins."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from armoon.app.remote.kept import keep_key
from armoon.app.remote.meeting import Meeting
from armoon.app.remote.ways import players_of, say, version, wire_of
from armoon.app.setup import saved_players, unlike
from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.party.link import own_address
from armoon.remote.part import LAN_WORD
from armoon.settings.preferences import PlayOptions
from armoon.values.names import free_name
from armoon.values.poses import Vec3
from armoon.values.text import Address

if TYPE_CHECKING:
    from armoon.remote.kinds import Hello, Why
    from armoon.remote.wire import Wire


class Inviting:
    """An invitation that stands."""

    def __init__(self, options: PlayOptions, way: Address, port: int, stack: ExitStack) -> None:
        """Listen at a port in the same network, or go to a broker; ``stack`` ends it. Raises ArmoonError."""
        self._saved = saved_players(options)
        from armoon.remote.link import Link
        from armoon.remote.seal import Seal, new_key

        key = new_key()
        seal = Seal(key)
        if way.whole == LAN_WORD:
            from armoon.remote.lan import LanHost

            host = LanHost("0.0.0.0", port)
            link = Link(f"ws://{own_address()}:{host.port}", key, seal.table)
            wire: Wire = host
        else:
            link = Link(way.whole.rstrip("/"), key, seal.table)
            wire = wire_of(link)
        stack.callback(wire.close)
        keep_key(link, seal)
        self._meeting = Meeting(options, wire, seal, link)

    @property
    def link(self) -> str:
        return str(self._meeting.link)

    @property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(name for name, _ in hello.players) for _, hello in self._meeting.guests)

    def look(self) -> None:
        """Let in the tables that have come since the last call, or tell them why not."""
        from armoon.remote.kinds import Hello, Refuse

        meeting = self._meeting
        for _, opened in meeting.heard():
            hello = opened.message
            if not isinstance(hello, Hello) or opened.table in {table for table, _ in meeting.guests}:
                continue
            why = _refusal(meeting, hello, self._saved)
            if why is None:
                meeting.guests += ((opened.table, hello if self._saved else _unlike_others(meeting, hello)),)
            else:
                say(meeting.wire, meeting.seal, Refuse(opened.table, why))

    def met(self) -> Meeting:
        """Return the meeting with the players of all tables. Raises ArmoonError where these can't play the game."""
        meeting = self._meeting
        if self._saved:
            return meeting  # the saved game names the players; those who haven't come play at this table
        options = meeting.options
        everybody = [*players_of(options), *(one for _, hello in meeting.guests for one in hello.players)]
        names, bots = tuple(name for name, _ in everybody), tuple(bot for _, bot in everybody)
        game = options.game_options.having(bots=bots) if any(bots) else options.game_options
        try:
            game.check(names)
        except ValueError as error:
            raise ArmoonError(str(error), remedy=text("remote.players_remedy")) from error
        wished = [*_wished(options.colours, len(options.players))]
        for _, hello in meeting.guests:
            wished += _wished(hello.colours, len(hello.players))
        meeting.options = replace(options, players=names, game_options=game, colours=unlike(wished))
        return meeting


def _wished(colours: tuple[Vec3, ...], count: int) -> tuple[Vec3 | None, ...]:
    return colours if len(colours) == count else (None,) * count


def _unlike_others(meeting: Meeting, hello: Hello) -> Hello:
    """Return it with a number behind each name that sits at another table or looks like one that does."""
    taken = [*meeting.options.players, *(name for _, one in meeting.guests for name, _ in one.players)]
    players = list[tuple[str, str | None]]()
    for name, bot in hello.players:
        taken.append(free_name(name, taken))
        players.append((taken[-1], bot))
    return replace(hello, players=tuple(players))


def _refusal(meeting: Meeting, hello: Hello, saved: tuple[str, ...]) -> Why | None:
    from armoon.remote.kinds import Why

    game = meeting.options.game_options
    come = [name for _, one in meeting.guests for name, _ in one.players]
    seated = come if saved else [*meeting.options.players, *come]
    names = [name for name, _ in hello.players]
    if hello.version != version():
        return Why.VERSION
    if saved and not {*names} <= {*saved}:
        return Why.UNKNOWN
    if any(bot is not None and bot not in game.bot_kinds().words for _, bot in hello.players):
        return Why.NONSENSE
    if saved and {*seated} & {*names}:
        return Why.NAME
    return Why.FULL if len(seated) + len(names) > game.most else None
