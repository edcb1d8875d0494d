"""The options of a game at several tables (docs/remote.md); nothing listens or dials without one of them."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.options.kinds import Number, Text, To
from armoon.options.option import COMMAND, option
from armoon.options.parts import OptionPart
from armoon.values.text import Address

#: What ``--remote`` says for the same network.
LAN_WORD = "lan"
#: ... and ``--join`` for a link that is read, so that it isn't in the list of processes.
STANDARD_INPUT = "-"


@dataclass(frozen=True)
class RemoteWay(To):
    """How other tables come in: straight in the same network, or over a broker."""

    @property
    def metavar(self) -> str:
        return f"{LAN_WORD}|{super().metavar}"

    def read(self, value: object) -> Address:
        return Address(LAN_WORD) if value == LAN_WORD else super().read(value)


@dataclass(frozen=True)
class RemotePart(OptionPart):
    """How other tables come in, or where this one goes."""

    remote: Address | None = option(RemoteWay("remote", ("mqtt", "mqtts")), None, COMMAND)
    """Other tables are invited this way; None: a game at this table alone."""
    remote_port: int = option(Number(0, 65535, whole=True), 8741, COMMAND, needs=("remote", "join"))
    guests: int = option(Number(1, 5, whole=True), 1, COMMAND, needs=("remote",))
    """Number of tables to wait for before the game begins."""
    join: str | None = option(Text("link", "LINK"), None, COMMAND)
    """The invitation to another table's game, or the file with it."""

    @property
    def wanted(self) -> bool:
        return self.remote is not None or self.join is not None


OWN = RemotePart
