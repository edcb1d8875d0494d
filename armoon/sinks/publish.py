"""Publishes the feed to an MQTT broker, if one is configured (docs/party.md)."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass

from armoon.options.kinds import TargetAddress, Text
from armoon.options.option import COMMAND, make_option, option, option_field
from armoon.sinks.sink import DrawnPictures, Sink, SinkPart
from armoon.values.text import Address

PUBLISH = make_option("publish", TargetAddress("publish", ("mqtt", "mqtts")), None, COMMAND)
#: Environment variable with the broker's password; other users can read command lines, but not the environment.
PASSWORD = "ARMOON_MQTT_PASSWORD"


def read_password() -> str:
    return os.environ.get(PASSWORD, "")


@dataclass(frozen=True)
class PublishPart(SinkPart):
    """The options ``--publish`` and ``--table``."""

    publish: Address | None = option_field(PUBLISH)
    """The broker's address; None without a broker."""
    table: str = option(Text("table", "NAME"), "", COMMAND)
    """The table's name at the broker; empty: the computer's name."""

    def create_sink(
        self, rate_hz: float, notify: Callable[[str], None], pictures: DrawnPictures | None
    ) -> Sink | None:
        if self.publish is None:
            return None
        from armoon.party.tables import Publisher, parse_broker, table_name
        from armoon.sinks.feed import FeedSink

        name = table_name(self.table or socket.gethostname())
        publisher = Publisher(parse_broker(self.publish, read_password()), name, notify)
        return FeedSink(publisher.write, publisher.close)
