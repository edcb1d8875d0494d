"""A process that plays a game, grabs a piece, prints the state, and waits until it is killed."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(game: str) -> None:
    from games.drivers import DRIVERS

    from armoon.games import GAMES
    from support.table_kit import IdealTable

    GAMES.setdefault("toy", "games.toy_game")
    driver = DRIVERS[game]
    table = IdealTable(game, "--players", driver.players)
    for _ in range(2):
        driver.play_turn(table)
    table.rest(3.0)  # until won pieces have moved to their player and are counted on the board
    driver.prepare_turn(table)
    table.hand.reach(driver.grab_point(table))
    table.hand.grab()
    assert table.game.match.holding
    players = [player.name for player in table.scene.hud.players]
    report = {"path": str(table.path), "on_turn": table.on_turn, "players": players}
    print(json.dumps(report), flush=True)
    while True:
        table.hand.rest(1.0)


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[1])
    main(sys.argv[1])
