"""The feed to a broker, where it was asked for."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable

from armoon.party.tables.broker import broker_of, table_name
from armoon.party.tables.publisher import Publisher
from armoon.sinks.feed import FeedSink
from armoon.values.address import Address

#: Whoever shares a computer may read what was typed, but not this.
PASSWORD = "ARMOON_MQTT_PASSWORD"


def password() -> str:
    """The broker's password; empty: the address has it, or none is asked for."""
    return os.environ.get(PASSWORD, "")


def publishing(address: Address, table: str, say: Callable[[str], None]) -> FeedSink:
    """A sink that publishes under this name, else the computer's. Raises ArmoonError."""
    name = table_name(table or socket.gethostname())
    publisher = Publisher(broker_of(address, password()), name, say)
    return FeedSink(publisher.write, publisher.close)
