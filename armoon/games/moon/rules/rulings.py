"""The numbered rulings of the moon game: verdicts cite these numbers, tests are checked against them."""

from __future__ import annotations

#: Every ruling of the moon game and its subject in a few words. A test fails when one of them has no test.
RULINGS: dict[str, str] = {
    "M1": "30 ladders, 7 tears, one die, one base",
    "M2": "two starting ladders stand in slots",
    "M3": "editions",
    "M4": "young climbers: a third starting ladder",
    "T1": "phases of a turn",
    "T2": "only what is true after release and rest counts for the die",
    "T3": "once let go of, a ladder can't be taken again; in the air it waits",
    "T4": "the die, judged at rest",
    "T5": "play goes clockwise",
    "F1": "die not honoured",
    "F2": "a ladder touches the table or the base, or falls",
    "F3": "one hand",
    "F4": "one incident costs one tear",
    "F5": "until the next roll, a fall is the mistake of the player who just played",
    "F6": "after the roll, a fall is the mistake of the player on turn",
    "E1": "the last ladder or the last tear ends the game",
    "E2": "fewest tears wins",
    "E3": "two players: the edition's number of tears eliminates",
    "E4": "tie with ladders left: the final",
    "E5": "tie without ladders: shared victory",
    "C1": "co-operative game: five tears for the team",
    "C2": "spending a tear to score",
    "C3": "the best single scoring counts",
    "C4": "the last ladder or the last tear ends it",
    "C5": "solo is the co-operative game of one",
    "C6": "the achievement chart",
    "C7": "worked example of a co-operative game",
    "X1": "time limit",
    "X2": "nothing is judged while a lost hand's ladder is frozen",
    "X3": "every verdict gives its evidence",
    "X4": "a host may overrule",
    "X5": "handicaps: declared mistakes cost no tear",
}
