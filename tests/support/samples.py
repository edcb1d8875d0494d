"""Recorded logs and saves of whole games; this program records the logs again (``OPENBLAS_CORETYPE``: conftest.py).

Run it after a change of ``engine.logbook.VERSION``: it replays each log's input with the current program.
"""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

from armoon.codec import encode_json, parse
from armoon.engine.logbook import VERSION, LogReader
from armoon.games.contract import load_kind
from armoon.games.library import create_logged_match, read_intakes

SAMPLES = Path(__file__).parents[1] / "samples"
LOGS = sorted(path.name.removesuffix(".jsonl.gz") for path in SAMPLES.glob("*.jsonl.gz"))


def sample_lines(name: str) -> list[bytes]:
    return gzip.decompress((SAMPLES / f"{name}.jsonl.gz").read_bytes()).splitlines(keepends=True)


def sample_log(name: str, folder: Path) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_bytes(b"".join(sample_lines(name)))
    return path


def record_again(name: str) -> None:
    header, *lines = sample_lines(name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        path.write_bytes(b"".join([encode_json(parse(header) | {"version": VERSION}) + b"\n", *lines]))
        reader = LogReader(path)
        match = create_logged_match(reader)
        outputs = [match.opening, *map(match.advance, read_intakes(reader)), match.finish()]
        match.close()
    records_of = load_kind(match.game).encode_event
    records = [record for output in outputs for event in output.events for record in records_of(event)]
    content = b"".join(encode_json(record) + b"\n" for record in records)
    (SAMPLES / f"{name}.jsonl.gz").write_bytes(gzip.compress(content, mtime=0))


if __name__ == "__main__":
    for log in LOGS:
        record_again(log)
