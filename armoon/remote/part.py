"""The options of a game at several tables (docs/remote.md); without them no connection is opened or accepted."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.options.kinds import Number, TargetAddress, Text
from armoon.options.option import COMMAND, option
from armoon.options.parts import OptionPart
from armoon.values.text import Address

#: URL schemes of brokers.
BROKERS = ("mqtt", "mqtts")
#: Value of ``--remote`` for the local network.
LAN_WORD = "lan"
#: Value of ``--join`` for a link read from standard input, so that it isn't visible in the list of processes.
STANDARD_INPUT = "-"


@dataclass(frozen=True)
class RemotePart(OptionPart):
    """The options ``--remote``, ``--guests`` and ``--join``."""

    remote: Address | None = option(TargetAddress("remote", BROKERS, LAN_WORD), None, COMMAND)
    """How invited tables connect: through a broker or the local network; None: no invitation."""
    remote_port: int = option(Number(0, 65535, whole=True), 8741, COMMAND, needs=("remote", "join"))
    guests: int = option(Number(1, 5, whole=True), 1, COMMAND, needs=("remote",))
    """Number of tables to wait for before the game begins."""
    join: str | None = option(Text("link", "LINK"), None, COMMAND)
    """The invitation to another table's game, or a file that contains it."""

    @property
    def wanted(self) -> bool:
        return self.remote is not None or self.join is not None
