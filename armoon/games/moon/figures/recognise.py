"""Names the figures formed by a newly placed ladder, from the settled ladders and their contacts.

Every definition reads the printed sentence as geometry. "The ladder" is the one just placed. A touch *bears* if the
wood below carries it (its normal rises by more than 27 degrees); else it leans. Level and upright are told by the
ladder's long axis.

* **Foot Hook**, "rests on one single rung only". It touches one ladder, and of the least forces that hold it up
  one and the same rung of its own bears at least 0.75 of its weight, and no more than 1.25: above, it is wedged.
  That rung alone would hold it but for a third of its weight; without it two fifths and more would be held by nothing.
  Other parts may lean. A Swing or a Candle is not a Foot Hook.
* **Crazy Diagonal**, "inserted through another's opening on the diagonal between two rungs; stable". Both its rails
  pass through one and the same opening between two neighbouring rungs of a ladder that it touches, at least
  5 mm of it is on either side, and it slants: its length is 5 degrees from level and from upright, or its width
  is 5 degrees from the opening's sides.
* **Swing**, "hooked over the end of another ladder's rail, free to swing". It touches one ladder; one rung of its
  own, and no other, bears, on the free end of a rail, beyond that ladder's outermost rung (3 mm of slack); its
  centre of mass hangs at least 8 mm below. The rail is under the rung (41 degrees from upright); all that bears is
  within 8 mm of the rung's line, what leans within 11; nothing holds it from above; and at least one way it can
  turn about the rung by 8 degrees and meet no wood.
* **Sin of Pride**, "three Crazy Diagonals in a row". It is a Crazy Diagonal, and the two ladders placed before it
  were; or three of them hang together, each through another or through the same ladder. Four are the **fourth
  diagonal**, which has a mention of its own instead.
* **Bolt**, "a third ladder locked into a Swing, which stops its swinging". It touches a ladder that was
  named a Swing and is still hooked to the same ladder, and another ladder too: what is held by the Swing alone
  would swing with it. Where nothing earlier is known, a Swing is what would be one but for the third ladder.
* **Candle**, "upright at the top of the structure". Within 22 degrees of upright, and it rises above all other
  ladders by at least 0.4 of its length.
* **Mischievous Tightrope Walker**, "balanced, to the harm of the next climbers". Within 20 degrees of level; its
  centre of mass is above all that bears (2 mm of slack), and no more than 2.2 mm, half a rail's width and a little,
  inside the edge of the ground that it stands on; where that is wider than 10 mm, so that a sloping ladder slides
  rather than topples, it is within 1 degree of level; nothing holds it from above, and beside no more than one touch;
  and toppled over that edge by 15 degrees it meets nothing that would catch it.
* **Shameful Support**, "lying along another ladder on its whole length". Its axis is within 12 degrees of the
  other's, its plane within 8; it lies on the other, at most 12 mm aside; and from its first touch to its last is
  at least 0.75 of the shorter of the two.
"""

from __future__ import annotations

from collections.abc import Sequence

from armoon.games.moon.figures.figure import Figure, FigureKind
from armoon.games.moon.figures.hanging import bolt, foot_hook, swing
from armoon.games.moon.figures.scene import Scene
from armoon.games.moon.figures.standing import candle, diagonals, support, walker
from armoon.values.facts import Facts
from armoon.values.pieces import BASE, TABLE, LadderSet, PieceId


def recognise(
    ladders: LadderSet, facts: Facts, placed: PieceId, earlier: Sequence[tuple[Figure, ...]] = ()
) -> tuple[Figure, ...]:
    """Return the figures that ``placed`` makes in the settled structure, in the order of ``FigureKind``.

    ``earlier`` holds what was named for each ladder placed before, oldest first, an empty tuple for a ladder that made
    none: a row of diagonals and a Swing now bolted are known from it. Without it they are read from the
    structure alone. A ladder that touches the base or the table has fallen and makes none. KeyError if it isn't there.
    """
    scene = Scene(ladders, facts, placed)
    if {BASE, TABLE} & set(facts.touching(placed)) or not scene.touches:
        return ()
    made = [
        *diagonals(scene, earlier),
        *bolt(scene, earlier),
        *(swing(scene) or candle(scene) or foot_hook(scene)),
        *walker(scene),
        *support(scene),
    ]
    order = list(FigureKind)
    return tuple(sorted(made, key=lambda figure: order.index(figure.kind)))
