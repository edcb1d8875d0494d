"""A broker's address, and a client for it; the client's package is an extra, imported only when used."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.values.address import Address

PORTS = {"mqtt": 1883, "mqtts": 8883}
#: A broker that is silent for half as long again is taken for gone.
KEEP_ALIVE_S = 15
#: How long a broker may take to answer, and how long is waited between two tries.
CONNECT_S, FIRST_WAIT_S, LONGEST_WAIT_S = 5.0, 1, 10
#: Maximum packet, in bytes: a state with all its ladders has 60 kB.
LARGEST_BYTES = 1024 * 1024
#: What a topic's part can't hold.
FORBIDDEN = "+#/\0"
#: What a broker answers that knows only the MQTT before: NATS, and mosquitto before 1.6.
_OTHER_VERSION = 132
#: What NATS takes in no topic, and what stands there instead; the sign for that, too.
_WRITTEN = {"%": "%25", " ": "%20", ".": "%2E"}
#: A table's name is no longer.
LONGEST_NAME = 40


@dataclass(frozen=True)
class Broker:
    """Where a broker is, and below which name tables stand."""

    host: str
    port: int
    prefix: str
    secured: bool
    user: str = ""
    password: str = field(default="", repr=False)

    def topic(self, table: str, what: str) -> str:
        """Where a table tells something."""
        return "".join(_WRITTEN.get(sign, sign) for sign in f"{self.prefix}/{table}/{what}")


def broker_of(address: Address, password: str = "") -> Broker:
    """Return the broker of ``mqtt://[user[:password]@]host[:port]/prefix``.

    Raises ArmoonError for a prefix that can't be.
    """
    parts = urlsplit(address.whole)
    prefix = unquote(parts.path.strip("/"))
    if any(sign in prefix for sign in "+#\0") or len(prefix.encode()) > 200:
        raise ArmoonError(text("tables.prefix"), remedy=text("tables.prefix_remedy"))
    return Broker(
        parts.hostname or "",
        parts.port or PORTS[parts.scheme],
        prefix,
        parts.scheme == "mqtts",
        unquote(parts.username or ""),
        password or unquote(parts.password or ""),
    )


def table_name(wanted: str) -> str:
    """Return a name that can be a part of a topic."""
    kept = "".join("-" if sign in FORBIDDEN or not sign.isprintable() else sign for sign in wanted.strip())
    return kept[:LONGEST_NAME] or "table"


def table_in(topic: str) -> str:
    """Return the name of the table that tells something there; empty where there is none."""
    name = "/".join(topic.split("/")[-2:-1])
    for sign, written in reversed(_WRITTEN.items()):
        name = name.replace(written, sign)
    return name


def client_for(broker: Broker) -> Any:
    """Return a client that isn't connected yet, and comes back by itself when the broker was gone."""
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

    client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    client.suppress_exceptions = True
    client.connect_timeout = CONNECT_S
    client.reconnect_delay_set(FIRST_WAIT_S, LONGEST_WAIT_S)
    if broker.user:
        client.username_pw_set(broker.user, broker.password or None)
    if broker.secured:
        client.tls_set()
    return client


def reach(client: Any, broker: Broker) -> None:
    """Begin to connect, and go on trying, in a thread of the client's own."""
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    properties: Any = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.MaximumPacketSize = LARGEST_BYTES
    client.connect_async(broker.host, broker.port, KEEP_ALIVE_S, properties=properties)
    client.loop_start()


def lets_in(client: Any, reason: Any) -> bool:
    """Whether the broker has let the client in; one that doesn't know MQTT 5 is asked again by 3.1.1."""
    from paho.mqtt.enums import MQTTProtocolVersion

    if reason.value == _OTHER_VERSION:
        # As the client itself goes from 3.1.1 to 3.1; it has no public way to do so.
        client._protocol, client._clean_session = MQTTProtocolVersion.MQTTv311, True
    return not reason.is_failure


def asks_again(client: Any, reason: Any) -> bool:
    """Whether a refusal was only about the version, and the next try will be by an older one."""
    return bool(reason.value == _OTHER_VERSION and client.protocol < 5)


def hear_others(client: Any, topic: str) -> None:
    """Ask for what others publish there, and by MQTT 5 not for what this client does."""
    from paho.mqtt.subscribeoptions import SubscribeOptions

    if client.protocol < 5:
        client.subscribe(topic)
        return
    client.subscribe(topic, options=SubscribeOptions(qos=0, noLocal=True))
