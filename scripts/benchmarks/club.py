"""A club's broker: nats-server with its MQTT and JetStream, and a load of simulated tables and onlookers against it.

Each table tells a live line so often, each onlooker looks at one table. Broker, tables and onlookers share this
machine's processor: all figures are a lower bound.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.watch import free_port, late, onlookers, processor_s, tables

#: What a broker of a club needs; ``%`` fields are filled in.
CONFIG = """server_name: armoon-club
listen: "{host}:{own}"
max_connections: 20000
jetstream {{ store_dir: "{kept}", max_file_store: 1GB }}
mqtt {{ listen: "{host}:{port}" }}
{login}"""
#: A live line as long as one of a moon game with twelve ladders.
_PIECE = '{"name":"L%02d","shape":"L%02d","pose":[-0.0241,-0.0119,0.1647,0.0036,0.9827,-0.0211,0.1839],"look":"plain"}'


def line() -> bytes:
    """Return a live line."""
    pieces = ",".join(_PIECE % (number, number) for number in range(12))
    return f'{{"feed":1,"number":1,"at_s":0.0,"live":{{"seats":[],"turn":1,"pieces":[{pieces}]}}}}'.encode()


def program() -> str:
    """Return nats-server's path. Raises typer.Exit where it isn't installed."""
    found = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin:/usr/local/sbin")
    if found is None:
        print("nats-server isn't installed. Please type: apt-get install nats-server", file=sys.stderr)
        raise typer.Exit(2)
    return found


def started(folder: Path, host: str, port: int, password: str = "") -> subprocess.Popen[bytes]:
    """Start the broker; with a password, ``armoon`` is who may publish, and everybody else may look on."""
    login = ""
    if password:
        looks_on = '{ user: watch, password: watch, permissions: { publish: { deny: ">" } } }'
        login = f"authorization {{ users: [ {{ user: armoon, password: {json.dumps(password)} }}, {looks_on} ] }}\n"
    config = folder / "nats.conf"
    config.write_text(
        CONFIG.format(host=host, own=free_port(), port=port, kept=folder / "kept", login=login),
        encoding="utf-8",
    )
    config.chmod(0o600)
    return subprocess.Popen([program(), "-c", str(config)])


def load(port: int, broker: int, count: int, watchers: int, hertz: float, seconds: float) -> dict[str, Any]:
    """Let tables tell and onlookers look; return what was seen."""
    with onlookers(watchers, "mqtt", str(port), "club", str(count)) as (tell, ended):
        tell("on")
        before_s = processor_s(broker)
        begun_s = time.monotonic()
        told = asyncio.run(tables(port, "club", count, line(), seconds, hertz))
        took_s = time.monotonic() - begun_s
        used_s = processor_s(broker) - before_s
        time.sleep(2.0)
        seen = ended()
    return {
        "tables": count,
        "watchers": watchers,
        "lines_a_second": round(told / took_s, 1),
        "delivered": round(seen["lines"] / (told * watchers / count), 4),
        "late_ms": late(seen["late_ms"]),
        "gone": seen["ended"],
        "broker_cores": round(used_s / took_s, 2),
        "broker_us_a_delivery": round(1e6 * used_s / max(1, seen["lines"]), 1),
    }


def club(
    port: Annotated[int, typer.Option(help="Where tables and onlookers speak MQTT.")] = 1883,
    host: Annotated[
        str, typer.Option(help="Where it listens; 0.0.0.0 for others in the network.")
    ] = "127.0.0.1",
    folder: Annotated[Path, typer.Option(help="Where it keeps what is retained.")] = Path("club"),
    under_load: Annotated[bool, typer.Option("--load", help="Measure, and end.")] = False,
    tables_: Annotated[int, typer.Option("--tables", min=1)] = 200,
    watchers: Annotated[int, typer.Option(min=1)] = 2000,
    hertz: Annotated[float, typer.Option(help="Lines of each table a second.")] = 1.0,
    seconds: Annotated[float, typer.Option(help="How long the tables tell.")] = 15.0,
    json_path: Annotated[Path | None, typer.Option("--json", metavar="FILE")] = None,
) -> None:
    """Run the broker of a club here, or measure it. ``ARMOON_MQTT_PASSWORD`` is the tables' password."""
    if not under_load:
        folder.mkdir(parents=True, exist_ok=True)
        broker = started(folder.resolve(), host, port, os.environ.get("ARMOON_MQTT_PASSWORD", ""))
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        while broker.poll() is None and not stop.wait(0.5):
            pass
        broker.terminate()
        raise typer.Exit(broker.wait() if not stop.is_set() else 0)
    with tempfile.TemporaryDirectory(prefix="armoon-club-") as name:
        port = free_port()
        broker = started(Path(name), "127.0.0.1", port)
        try:
            time.sleep(2.0)
            figures = load(port, broker.pid, tables_, watchers, hertz, seconds)
        finally:
            broker.kill()
            broker.wait()
    print(json.dumps(figures, indent=1))
    if json_path is not None:
        json_path.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    typer.run(club)
