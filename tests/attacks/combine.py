"""``scripts/combine [--runs N] [--seed N]``: whole programs with options drawn by chance, and what became of each.

A run plays a film of half a second without a hand (no turn), or with ``--demo`` one turn of the demo, without a window.
It is as it should be if it ends with 0 and what was asked for is there (files that aren't empty, a party's page that
answered), or with 2 and one sentence; if no traceback was written; and if nothing that it started is left.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np

from armoon.cli.options import groups
from armoon.games import game_names
from armoon.options.kinds import File, Number, OneOf, Words
from armoon.options.option import HEADLESS, UNSEEN, Option

#: Seconds for one run; a program that takes longer hangs.
LONGEST_S = 120.0
#: Share of the options that a run names; of the runs that are wild, and of their values that are odd.
NAMED, WILD, ODD = 0.08, 0.3, 0.3
#: What isn't drawn: the run itself says it, it needs a window or a person, or it reaches out of the machine.
SAID = frozenset({"camera", "headless", "turns", "game", "resume", "now", "head_camera", "no_camera"})
SAID |= {"record", "party_port"}
#: Values of texts that are meant, by option.
WORDS = {
    "players": ("Ann,Ben", "Ann,Ben,Cleo", "Zoé,Élodie", "Ann, Ben"),
    "bots": ("hand,luna", "pip,nova"),
    "handicaps": ("spared:2+hints:1,-", "-,helps:none"),
    "first": ("moon", "age", "chance", "1", "2"),
    "trial": ("place-three",),
    "chat": ("irc://127.0.0.1:1/luna", "ircs://127.0.0.1:1/luna"),
    "table": ("By the window", "é"),
    "publish": ("mqtt://127.0.0.1:1/club",),
    "remote": ("mqtt://127.0.0.1:1/club",),
    "stream": ("rtmp://127.0.0.1:1/live/key", "rtmp://127.0.0.1:1/a rtmp://127.0.0.1:1/b"),
    "keys": ("roll=q", "roll=q,take=w"),
    "pad": ("roll=y",),
    "size": ("320x180", "640x360"),
    "join": ("ws://127.0.0.1:1#key",),
}
ODD_WORDS = ("", "²", "-1", "nan", "9" * 400, "\u202e", "x" * 300, "/", "../..", "~nosuchuser/a")


@dataclass(frozen=True)
class Ran:
    """One run and what became of it."""

    arguments: tuple[str, ...]
    code: int
    seconds: float
    faults: tuple[str, ...]
    said: str
    """The last line on stderr, else on stdout."""


def value_of(option: Option, chance: random.Random, folder: Path, *, wild: bool) -> str:
    """Return something to type for an option: what it takes, or in a wild run perhaps what nobody takes."""
    kind = option.kind
    if wild and chance.random() < ODD:
        return chance.choice(ODD_WORDS)
    if option.name in WORDS:
        return chance.choice(WORDS[option.name])
    if isinstance(kind, Words):
        return str(chance.choice(list(kind.words)).value)
    if isinstance(kind, OneOf):
        return chance.choice(kind.names())
    if isinstance(kind, Number):
        most = min(kind.most, kind.least + 20.0)
        drawn = chance.choice((kind.least, most, chance.uniform(kind.least, most)))
        return str(int(drawn)) if kind.whole else f"{drawn:.3f}"
    if isinstance(kind, File):
        own = {"record": "film.mp4", "log": "game.jsonl", "obs": "rules.toml", "pad_mappings": "pads.txt"}
        return str(folder / chance.choice(("", "deep/")[: 1 + kind.written]) / own.get(option.name, "file"))
    return chance.choice(ODD_WORDS)


def drawn(chance: random.Random, folder: Path, *, demo: bool) -> tuple[str, ...]:
    """Return a command line."""
    game, wild = chance.choice(game_names()), chance.random() < WILD
    own = groups()
    options = [*own[""], *own[game]]
    if wild:  # another game's options are told apart
        options += [one for group in own.values() for one in group if one not in options]
    camera = ("--camera", "demo", "--turns", "1") if demo else ("--camera", str(folder / "nobody.mp4"))
    filmed = chance.random() < 0.5
    record = ("--record", str(folder / "film.mp4")) if filmed else ()
    where = HEADLESS if filmed else UNSEEN
    taken: list[Option] = []
    for option in options:
        fits = where in option.works and not (
            option.needs and not {one.name for one in taken} & {*option.needs}
        )
        if option.name not in SAID and (wild or fits) and chance.random() < NAMED:
            taken.append(option)
    words = ["play", "--headless", "--game", game, *camera, *record]
    for option in taken:
        words.append(option.spelling)
        if option.switch is None:
            words.append(value_of(option, chance, folder, wild=wild))
    return tuple(words)


def film_of_nobody(path: Path) -> None:
    """Write half a second of noise."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 30.0, (320, 180))
    rng = np.random.default_rng(1)
    for _ in range(15):
        writer.write(rng.integers(0, 255, (180, 320, 3)).astype(np.uint8))
    writer.release()


def run(arguments: Sequence[str], folder: Path) -> Ran:
    """Run the program in a home and a session of its own."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "DISPLAY", "WAYLAND"))}
    words = list(arguments)
    port = free_port()
    if "--party" in words:
        words += ["--party-port", str(port)]
    began_s = time.monotonic()
    with (folder / "out").open("w+") as out, (folder / "err").open("w+") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "armoon", *words],
            cwd=folder,
            env={**kept, "HOME": str(home), "COLUMNS": "200", "ARMOON_NO_BROWSER": "1"},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        answered = False
        while process.poll() is None and time.monotonic() - began_s < LONGEST_S:
            if "--party" in words and not answered:
                answered = answers(port)
            time.sleep(0.05)
        hung = process.poll() is None
        left = end_session(process)
        seconds = time.monotonic() - began_s
    said, complained = (folder / "out").read_text(), (folder / "err").read_text()
    code = process.returncode
    faults = ["it hangs"] if hung else []
    faults += [f"{len(left)} processes are left: {', '.join(left)}"] if left and not hung else []
    faults += ["a traceback"] if "Traceback" in said + complained else []
    if code == 0:
        faults += missing(words, answered=answered)
    elif code == 2:
        faults += [] if told_once(complained) else ["no sentence, or more than one"]
    else:
        faults.append(f"exit code {code}")
    lines = (complained or said).strip().splitlines()
    last = next((line.strip(" │") for line in reversed(lines) if line.strip(" │─╰╯╭╮")), "")
    return Ran(tuple(arguments), code, round(seconds, 1), tuple(faults), last[:160])


def missing(words: Sequence[str], *, answered: bool) -> list[str]:
    """Return what was asked for and isn't there."""
    found = []
    for flag in ("--record", "--log"):
        if flag in words:
            path = Path(words[words.index(flag) + 1])
            if not (path.is_file() and path.stat().st_size):
                found.append(f"{flag}: no file")
    if "--party" in words and not answered:
        found.append("--party: no answer")
    return found


def told_once(complained: str) -> bool:
    """Whether it is one line of the program's own, or one box of the command line's."""
    own = [line for line in complained.splitlines() if line.startswith("armoon: ")]
    return len(own) + complained.count("─ Error ─") == 1


def answers(port: int) -> bool:
    """Whether somebody speaks HTTP there, whatever is said."""
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=1.0).close()
    except urllib.error.HTTPError:
        return True
    except (OSError, ValueError):
        return False
    return True


def end_session(process: subprocess.Popen[bytes]) -> list[str]:
    """End what is left of a run after a second, and return the names of what was."""
    end_s = time.monotonic() + (1.0 if process.poll() is not None else 0.0)
    while (left := of_session(process.pid)) and time.monotonic() < end_s:
        time.sleep(0.05)
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()
    return [f"{pid} {name}" for pid, name in left.items()]


def of_session(session: int) -> dict[int, str]:
    """Return the processes of a session that live, by number."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            name, rest = re.fullmatch(r"\d+ \((.*)\) (.*)", stat.read_text().strip(), re.S).groups()  # type: ignore[union-attr]
            state, _, _, own = rest.split()[:4]
            if int(own) == session and state != "Z":
                found[int(stat.parent.name)] = name
    return found


def free_port() -> int:
    """Return a port of loopback that nobody has."""
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/combine", description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0, help="of the first run; each has the next")
    parser.add_argument("--minutes", type=float, default=600.0, help="at most")
    parser.add_argument(
        "--demo", action="store_true", help="one turn of the demo instead of a film of nobody"
    )
    parser.add_argument("--table", type=Path, help="write every run as a line of a table here")
    asked = parser.parse_args()
    end_s = time.monotonic() + asked.minutes * 60.0
    ran: list[Ran] = []
    for number in range(asked.runs):
        if time.monotonic() > end_s:
            break
        with tempfile.TemporaryDirectory(prefix="armoon-combine-") as name:
            folder = Path(name)
            film_of_nobody(folder / "nobody.mp4")
            (folder / "rules.toml").write_text("rule = []\n")
            (folder / "pads.txt").write_text("")
            one = run(drawn(random.Random(asked.seed + number), folder, demo=asked.demo), folder)
        ran.append(one)
        if one.faults:
            sys.stdout.write(
                f"{asked.seed + number}: {'; '.join(one.faults)}\n    {' '.join(one.arguments)}\n    {one.said}\n"
            )
            sys.stdout.flush()
        if asked.table is not None:
            asked.table.write_text(
                "".join(f"{json.dumps(asdict(each), ensure_ascii=False)}\n" for each in ran)
            )
    codes = Counter(one.code for one in ran)
    failed = sum(bool(one.faults) for one in ran)
    told = ", ".join(f"{count} ended with {code}" for code, count in sorted(codes.items()))
    sys.stdout.write(f"{len(ran)} runs: {told}; {failed} not as they should be\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
