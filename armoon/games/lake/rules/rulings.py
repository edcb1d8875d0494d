"""The numbered rulings of the lake game: outcomes cite these numbers, tests are checked against them."""

from __future__ import annotations

#: Every ruling of the lake game and its subject in a few words. A test fails when one of them has no test.
RULINGS: dict[str, str] = {
    "L1": "32 stars, 32 pawns, shuffled",
    "L2": "colours are chosen counter-clockwise, play goes clockwise",
    "L3": "a carry: star, floors and direction; it lands as far as the top pawn is strong",
    "L4": "a carry never visits a star twice",
    "L5": "no colour twice in a stack",
    "L6": "a stack of four is a dream-tower and leaves the board",
    "L7": "who has no move ends the game",
    "L8": "points: floors times the strength on top",
    "L9": "what the neutral colour tops is worth nothing",
    "L10": "most points wins, equal points share",
    # Ours: upper floors can be carried to and fro for ever, so that two careful players might never end.
    "L11": "standstill: ten turns of each player without a star being emptied end the game",
}
