"""The contract of a game stays small: ``scripts/contract`` prints it."""

from __future__ import annotations

from contract_members import members

#: Maximum number of members that a game has to fill or may override.
MOST = 43


def test_the_contract_does_not_grow() -> None:
    assert sum(map(len, members().values())) <= MOST


def test_what_every_game_needs_is_counted() -> None:
    counted = members()
    assert {"fewest", "most", "has"} <= set(counted["GameOptions"])
    assert {"new", "resumed", "logged", "rules"} <= set(counted["GameKind"])
    assert {"scene", "sentences", "news"} <= set(counted["Game"])
    assert {"at_rest", "step", "put_back"} <= set(counted["Played"])
    assert {"players", "turn", "over"} <= set(counted["Position"])
    assert {"begin", "summary"} <= set(counted["Saves"]), "what a group holds is counted, not the group"
    assert "advance" not in counted["Match"], "the engine gives it"
