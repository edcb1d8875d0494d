"""All of README's pictures, taken of the program itself: ``scripts/pictures [FOLDER] [--game F] [--only NAME]...``.

The film and the picture of a hand are of a game that the demo plays first (``story``), as is the party's overlay, which
lies over that picture as it does in OBS. Without a camera bots play. The title is a photograph of the real window.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import av
import cv2
import numpy as np
import typer

from armoon.app.films.filming import Logged
from armoon.clock import TICKS_PER_SECOND
from armoon.engine.logbook import LogReader
from armoon.party.link import Place, Server, new_key
from armoon.party.server.lines import Keys
from armoon.sinks.feed import FeedSink
from armoon.sinks.hub import Sinks
from armoon.sinks.moment import Picture
from armoon.synthetic_camera.anatomy import HandState
from benchmarks.evening import virtual_screen
from benchmarks.show_parts.film import Stage, carried_s, film
from benchmarks.show_parts.story import SIZE, story

#: How long the window may take to show anything, how long that takes to be there as a whole, and how long the overlay
#: takes to show what it was told, seconds.
WINDOW_S, TITLE_S, OVERLAY_S = 120.0, 6.0, 3.0
#: Bots that play without a camera, after how many turns the picture is taken, and the game's seed, by game.
BOTS = {"moon": ("nova,sylva", 5, 2), "lake": ("strong,weak", 12, 1)}


class Album:
    """Takes the pictures, each into its file."""

    def __init__(self, folder: Path, game: Path) -> None:
        """``game`` keeps the games that are played for the pictures."""
        self._folder, self._game = folder, game
        self._story: tuple[Path, list[HandState]] | None = None

    @property
    def _played(self) -> tuple[Path, list[HandState]]:
        self._story = self._story or story(self._game)
        return self._story

    def film(self) -> None:
        """Roll, pinch, rest, fall, the moon that cries, and a winner."""
        film(*self._played, self._folder / "film.webp")

    def picture(self) -> None:
        """Show a hand that places a ladder."""
        self._save("picture", self._hand(glass=True))

    def party(self) -> None:
        """Show the party's overlay over the picture of the hand, without the game's own panels."""
        log, _ = self._played
        overlay = _overlay(log, carried_s(log))
        cover = overlay[..., 3:].astype(float) / 255.0
        over = overlay[..., :3] * cover + self._hand(glass=False) * (1.0 - cover)
        self._save("party", np.round(over).astype(np.uint8))

    def alone(self) -> None:
        """Show the moon game without a camera."""
        self._save("alone", self._by_bots("moon"))

    def lake(self) -> None:
        """Show the lake."""
        self._save("lake", self._by_bots("lake"))

    def title(self) -> None:
        """Photograph the real window on a virtual screen, as it begins."""
        screen, display = virtual_screen()
        with tempfile.TemporaryDirectory() as home:
            kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
            command = [
                sys.executable,
                "-m",
                "armoon",
                "play",
                "--camera",
                "none",
                "--way",
                "mouse",
            ]
            program = subprocess.Popen(
                command, cwd=home, env={**kept, "DISPLAY": display, "HOME": home}, stdout=subprocess.DEVNULL
            )
            try:
                until_s = time.monotonic() + WINDOW_S
                while not _screen(display).any() and time.monotonic() < until_s:
                    time.sleep(1.0)
                time.sleep(TITLE_S)
                self._save("title", _screen(display))
            finally:
                for process in (program, screen):
                    process.terminate()
                    process.wait()

    def _hand(self, *, glass: bool) -> Picture:
        log, hands = self._played
        return _moment(log, hands, carried_s(log), glass=glass)

    def _by_bots(self, game: str) -> Picture:
        bots, turns, seed = BOTS[game]
        log = self._game / f"{game}-bots.jsonl"
        if not log.is_file():
            command = [
                sys.executable,
                "-m",
                "armoon",
                "play",
                "--headless",
                "--camera",
                "none",
                "--game",
                game,
            ]
            command += [
                "--bots",
                bots,
                "--turns",
                str(turns),
                "--size",
                f"{SIZE[0]}x{SIZE[1]}",
                "--seed",
                str(seed),
            ]
            subprocess.run([*command, "--log", str(log)], check=True, stdout=subprocess.DEVNULL)
        records = list(LogReader(log).records)
        good = [record["tick"] for record in records if record["kind"] == "verdict" and record["ok"]]
        return _moment(
            log, (), max(good, default=records[-1]["tick"] - TICKS_PER_SECOND) / TICKS_PER_SECOND + 0.4
        )

    def _save(self, name: str, picture: Picture) -> None:
        cv2.imwrite(str(self._folder / f"{name}.png"), picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])


PICTURES: dict[str, Callable[[Album], None]] = {
    one.__name__: one
    for one in (Album.title, Album.alone, Album.lake, Album.picture, Album.party, Album.film)
}


def take(
    folder: Annotated[Path, typer.Argument(help="Where the pictures go.")] = Path("docs"),
    game: Annotated[
        Path | None, typer.Option(help="Keeps the games played for them, or has them already.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(help=f"Of {', '.join(PICTURES)}; may be said again.")
    ] = None,
) -> None:
    """Take them, one after the other."""
    with tempfile.TemporaryDirectory() as made:
        where = game or Path(made)
        where.mkdir(parents=True, exist_ok=True)
        album = Album(folder, where)
        for name in only or PICTURES:
            PICTURES[name](album)
            print(f"{name} is taken.", flush=True)


def _screen(display: str) -> Picture:
    """Return what a display shows (h, w, 3), BGR; black before there is a window."""
    options = {"video_size": f"{SIZE[0]}x{SIZE[1]}", "draw_mouse": "0"}
    with av.open(display, format="x11grab", options=options) as grab:
        shown: Any = next(grab.decode(video=0))
    return np.asarray(shown.to_ndarray(format="bgr24"), np.uint8)


def _moment(log: Path, hands: Sequence[HandState], at_s: float, *, glass: bool = True) -> Picture:
    """Return the game's picture (h, w, 3), BGR, at this time."""
    with ExitStack() as stack:
        stage = Stage(log, hands, "high", stack, glass=glass)
        return next(stage.pictures([at_s], [at_s - 0.2 * k for k in range(1, 11)]))


def _overlay(log: Path, at_s: float) -> Picture:
    """Return the overlay (h, w, 4), BGRA, as a browser shows it at this time of a game."""
    from playwright.sync_api import sync_playwright

    server = Server(Place(0), Keys(new_key(), new_key(), new_key()), print)
    sinks = Sinks(lock_step=True)
    sinks.add(FeedSink(server.write))
    logged = Logged(log, sinks)
    try:
        next(shot for shot in logged.shots() if shot.time_s >= at_s)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium") or shutil.which("chromium-browser"),
                args=["--no-sandbox"],
            )
            page = browser.new_page(viewport={"width": 1920, "height": 1080})
            page.goto(server.address("overlay"))
            page.wait_for_timeout(1000.0 * OVERLAY_S)
            png = page.screenshot(omit_background=True)
            browser.close()
    finally:
        logged.close()
        sinks.close()
        server.close()
    whole = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    return np.asarray(cv2.resize(whole, SIZE, interpolation=cv2.INTER_AREA), np.uint8)


if __name__ == "__main__":
    typer.run(take)
