"""The choices open at the table now, for players who choose and confirm instead of gripping."""

from __future__ import annotations

from dataclasses import dataclass

#: The choice that the house's hand carries a ladder to the place of a hint.
HINT = "hint"
#: The choice that another hint shows a higher place, or the safest again.
OTHER_HINT = "hint other"


@dataclass(frozen=True)
class Offered:
    """One thing that can be chosen."""

    name: str
    """Unique among those that are offered."""
    text: str
    """In the players' language."""
    group: str = ""
    """Those of one group are gone through together before one of them is."""
    weighed: bool = False
    """A choice to think about, which scanning highlights longer in the first round."""
    final: bool = False
    """It can't be undone."""
    stops: bool = False
    """It ends a motion under way, so scanning never falls asleep while it is offered."""
