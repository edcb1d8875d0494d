"""The referee: maps the facts of each tick to moves of the game, and verdicts to orders for the world.

Deterministic: its answers follow from its initial state and the facts and commands of each tick.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from armoon.clock import TICKS_PER_SECOND
from armoon.games.moon.referee import events, sight
from armoon.games.moon.referee.docket import Docket, NextRoll, Places, TurnClock, another
from armoon.games.moon.referee.sight import TableStatus, table_status
from armoon.games.moon.rules import moves
from armoon.games.moon.rules.editions import LINE_M
from armoon.games.moon.rules.scoring import score
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import IllegalMove, Phase, Refusal
from armoon.values.acts import Act
from armoon.values.choices import OneHand
from armoon.values.facts import Facts, PieceStatus
from armoon.values.intents import Command
from armoon.values.orders import LockGrips, Offer, Place, Remove
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose

#: Rest is not believed sooner after the structure was disturbed: a ladder let go of without speed looks at
#: rest for an instant. Falling from rest it passes the 4 mm/s of rest within one tick, so this is ample.
SETTLE_TICKS = TICKS_PER_SECOND // 4


class Referee:
    """Judges one game, tick by tick."""

    def __init__(
        self, state: State, *, line_m: float = LINE_M, places: Mapping[int, Places] | None = None
    ) -> None:
        self.line_m = line_m
        self.places: dict[int, Places] = dict(places or {})
        """By turn: where the structure stood when that turn began, so that it can be put back (X4)."""
        self._docket = Docket(state)
        self._clock = TurnClock(state.options)
        self._slots: dict[PieceId, Pose] = {}
        self._awaited: set[PieceId] = set()
        """Ordered off the table or back into a slot, but not yet seen to be."""
        self._disturbed_tick = 0
        self._roll = NextRoll()
        self._share_waits = False
        """Sharing the victory was asked for, and happens once everything is at rest (E4)."""
        self._second_hand_seen = False
        self._parked = False
        """The drawn ladder hangs in the air (T3)."""
        self._facts: Facts | None = None

    # ------------------------------------------------------------------ what the app calls

    @property
    def state(self) -> State:
        """The game as it stands."""
        return self._docket.state

    def start(self, slots: tuple[Pose, ...], structure: Places = ()) -> events.Judgement:
        """Set the table: starting ladders fixed in their slots (M2), a resumed game's structure in place.

        A resumed game must stand between turns (``rules.game.turn_start``); a fall while the rebuilt structure
        comes to rest costs nothing.
        """
        self._slots = dict(zip(self.state.starting, slots, strict=True))
        self._docket.order(LockGrips(True))
        self._docket.set_up(self._slots, structure)
        if not self.state.over:
            if structure:
                self._docket.do(moves.Rebuild())
            self._docket.tell(events.TurnBegan(self.state.player, self.state.turn))
        return self._docket.close()

    def observe(
        self, facts: Facts, commands: Iterable[Command], tick: int, *, second_hand: bool = False
    ) -> events.Judgement:
        """Judge one tick. ``second_hand``: the hand watch sees a second hand at the held ladder (F3)."""
        self._facts = facts
        self._watch_orders(facts, tick)
        if not facts.held_frozen and not self.state.over:  # X2: nothing is judged while frozen
            # Falls come before the roll: one seen in the tick of the roll belongs to who just played (F5).
            self._follow_ladder(facts, tick)
            self._watch_falls(facts, tick)
            self._watch_rest(facts, tick)
            self._watch_second_hand(second_hand)
            self._watch_clock(tick)
        for command in commands:
            self._hear(command, facts, tick)
        if self._roll.waits or self._share_waits:
            self._act_at_rest(facts, tick)
        self._clear_table(facts)
        return self._docket.close()

    def can_put_back(self) -> bool:
        """There is a turn to put back, and it is known where everything stood (X4)."""
        before = None if self.state.options.trial is not None else self.state.before
        return before is not None and before.turn in self.places

    def status(self) -> TableStatus:
        """How the table stands, as of the last facts."""
        return table_status(
            self.state,
            self._facts,
            score=self._score_now(),
            asks_face=self._roll.asks_face(self.state, paused=self._clock.paused),
            roll_waits=self._roll.waits,
            share_waits=self._share_waits,
            paused=self._clock.paused,
        )

    def _score_now(self) -> int | None:
        """Return the score that scoring now would give, or None while none would be accepted (C2)."""
        state, facts = self.state, self._facts
        if facts is None or not state.cooperative or state.phase is not Phase.ROLL or state.incident:
            return None
        if not self._at_rest(facts, facts.tick):
            return None
        return sum(worth for _, worth in score(sight.extents(state, facts), self.line_m))

    # ------------------------------------------------------------------ what the facts say

    def _watch_orders(self, facts: Facts, tick: int) -> None:
        """Clear orders that are done; from then on the structure may stir."""
        loose = {p.piece for p in facts.pieces if p.status is not PieceStatus.FIXED}
        if self._awaited - loose:
            self._awaited &= loose
            self._disturbed_tick = tick

    def _follow_ladder(self, facts: Facts, tick: int) -> None:
        """Taken, put back into the lid, let go of: the drawn ladder's status says it."""
        ladder = sight.seen(facts, self.state.ladder)
        if ladder is None:
            return
        name, seat = ladder.piece, self.state.player
        if facts.held == name and facts.held_waits is not self._parked:
            self._docket.tell(events.Parked(seat, name, facts.held_waits))
        self._parked = facts.held_waits
        if self.state.phase is Phase.DRAW and ladder.status in (PieceStatus.HELD, PieceStatus.FREE):
            self._docket.do(moves.Take(), events.Taken(seat, name))
        if self.state.phase is Phase.HOLD and ladder.status is PieceStatus.OFFERED:
            self._docket.do(moves.PutBack(), events.BackInLid(seat, name))
        if self.state.phase is Phase.HOLD and ladder.status is PieceStatus.FREE:
            self._docket.do(moves.LetGo(), events.Released(seat, name))
            self._docket.order(LockGrips(True))  # T3: once let go of, it can't be taken again
            self._disturbed_tick = tick

    def _watch_falls(self, facts: Facts, tick: int) -> None:
        """F2: at once, with no wait for rest."""
        seen = sight.fallen(self.state, facts, self._slots)
        fallen = tuple(fallen for fallen in seen if fallen.piece not in self._awaited)
        if not fallen:
            return
        verdict = self._docket.do(moves.Fall(fallen))
        self._docket.order(LockGrips(True))
        self._stand_back(() if verdict is None else verdict.stood_back, tick)

    def _stand_back(self, pieces: Iterable[PieceId], tick: int) -> None:
        """Put starting ladders back into their slots (M3)."""
        for piece in pieces:
            self._docket.tell(events.StoodBack(piece))
            self._docket.order(Place(piece, self._slots[piece], fixed=True))
            self._awaited.add(piece)
        self._disturbed_tick = tick

    def _watch_rest(self, facts: Facts, tick: int) -> None:
        """At rest the placed ladder is judged (T4), and an incident is over (F4).

        A starting ladder that has come loose without falling is stood back first, at no cost.
        """
        if self.state.over or not self._at_rest(facts, tick):
            return
        loose = sight.loose(self.state, facts)
        if loose:
            self._stand_back(loose, tick)
            return
        ladder = sight.seen(facts, self.state.ladder)
        if self.state.phase is Phase.SETTLE and ladder is not None:
            self._docket.do(sight.placement(self.state, facts, ladder.piece))
        elif self.state.phase is Phase.ROLL and self.state.incident:
            self._docket.do(moves.Rest())

    def _watch_second_hand(self, second_hand: bool) -> None:
        """F3: told once for each time that the second hand comes near."""
        came = second_hand and not self._second_hand_seen
        self._second_hand_seen = second_hand
        wanted = self.state.options.one_hand is not OneHand.OFF and not self.state.two_hands
        if came and wanted and self.state.phase is Phase.HOLD:
            self._docket.do(moves.TwoHands())

    def _watch_clock(self, tick: int) -> None:
        """X1: the turn's time, if it has a limit."""
        if self._clock.tick(self.state):
            turn = self.state.turn
            self._docket.do(moves.Timeout())
            if self.state.turn != turn:
                self._docket.order(LockGrips(True))
                self._disturbed_tick = tick

    def _at_rest(self, facts: Facts, tick: int) -> bool:
        """Everything quiet, nothing in a hand, nothing on its way off the table."""
        settled = tick - self._disturbed_tick >= SETTLE_TICKS
        return facts.at_rest and facts.held is None and not self._awaited and settled

    # ------------------------------------------------------------------ requests to the referee

    def _hear(self, command: Command, facts: Facts, tick: int) -> None:
        """Grant a wish or say why not; quitting is the app's business."""
        try:
            if command.kind is Act.ROLL:
                self._hear_roll(facts, tick, command.value)
            elif command.kind is Act.PLACE_AGAIN:
                self._place_again(facts, tick)
            elif command.kind is Act.GIVE_UP:
                _refuse(Refusal.HAND_LOST if facts.held_frozen else None)
                self._docket.do(moves.GiveUp())
                self._docket.order(LockGrips(True))
                self._disturbed_tick = tick
            elif command.kind is Act.PUT_BACK:
                self._put_back(facts)
            elif command.kind is Act.SCORE:
                self._score(facts, tick)
            elif command.kind is Act.SHARE:
                self._hear_share(facts, tick)
            elif command.kind is Act.ANOTHER:
                ladder = another(self.state, command.value or 1)
                self._docket.do(moves.Draw(ladder), events.Drawn(self.state.player, ladder))
                self._docket.order(Offer(ladder))
            elif command.kind is Act.UNDO:
                self._overrule(moves.Overrule(Act.UNDO, turns=max(1, command.value)), facts, tick)
            elif command.kind in moves.OVERRULINGS:
                self._overrule(moves.Overrule(command.kind, command.value), facts, tick)
            elif command.kind in (Act.PAUSE, Act.RESUME):
                self._clock.paused = command.kind is Act.PAUSE
                self._docket.tell(events.Paused(self._clock.paused))
        except IllegalMove as refused:
            self._docket.tell(events.Refused(command.kind, refused.refusal))

    def _hear_roll(self, facts: Facts, tick: int, face: int = 0) -> None:
        """F5: a roll before rest is refused and waits."""
        self._roll.hear(self.state, face)
        _refuse(self._roll.refusal(self.state, paused=self._clock.paused))
        self._roll.waits = True
        self._tell_waiting(Act.ROLL, facts, tick)

    def _hear_share(self, facts: Facts, tick: int) -> None:
        """E4: like a roll, sharing waits for rest."""
        _refuse(None if self.state.may_share else Refusal.WRONG_PHASE)
        self._share_waits = True
        self._tell_waiting(Act.SHARE, facts, tick)

    def _tell_waiting(self, act: Act, facts: Facts, tick: int) -> None:
        if self.state.incident or not self._at_rest(facts, tick):
            self._docket.tell(events.Refused(act, Refusal.STRUCTURE_MOVING, waits=True))

    def _place_again(self, facts: Facts, tick: int) -> None:
        """In practice: the turn is put back, and the same die and ladder come again."""
        face = self._roll.last
        _refuse(None if self.state.options.practice else Refusal.OPTION_OFF)
        _refuse(Refusal.NO_TURN_TO_PUT_BACK if face is None else None)
        self._overrule(moves.Overrule(Act.UNDO, 0, 1), facts, tick)
        assert face is not None
        self._roll.show(face)
        self._roll.waits = True

    def _put_back(self, facts: Facts) -> None:
        """Nothing has happened yet: the ladder is offered again, and the closed hand holds nothing."""
        if self.state.phase is not Phase.HOLD or self.state.ladder is None:
            raise IllegalMove(Act.PUT_BACK, Refusal.WRONG_PHASE)
        _refuse(Refusal.HAND_LOST if facts.held_frozen else None)
        self._docket.order(Offer(self.state.ladder))

    def _score(self, facts: Facts, tick: int) -> None:
        move = moves.Score(self.line_m, sight.extents(self.state, facts))
        if self.state.phase is Phase.ROLL and not self._at_rest(facts, tick):
            raise IllegalMove(move, Refusal.STRUCTURE_MOVING)
        self._docket.do(move)

    def _overrule(self, move: moves.Overrule, facts: Facts, tick: int) -> None:
        if move.kind is not Act.UNDO:
            self._docket.do(move)
            return
        target: State | None = self.state
        for _ in range(move.turns):
            target = target.before if target is not None else None
        if target is None or target.turn not in self.places:
            raise IllegalMove(move, Refusal.NO_TURN_TO_PUT_BACK)
        self._docket.do(move)
        self._rebuild(facts, self.places[target.turn], tick)

    def _act_at_rest(self, facts: Facts, tick: int) -> None:
        """Share the victory, or finish the roll: the die lies, and the next ladder stands in the lid."""
        if self._clock.paused or not self._at_rest(facts, tick):
            return
        shares = self._share_waits and self.state.may_share
        self._share_waits = self._roll.waits = False
        if shares:
            self._docket.do(moves.Share())
            return
        if self.state.phase is not Phase.ROLL:  # the game has ended while the roll waited
            return
        standing = (*sight.leaning(facts, self._slots), *self.state.placed)
        self.places[self.state.turn] = tuple((piece, facts[piece].pose) for piece in standing)
        face = self._roll.take(self.state)
        seat = self.state.player
        self._docket.do(moves.Roll(face), events.Rolled(seat, face))
        ladder = self.state.supply[0]
        self._docket.do(moves.Draw(ladder), events.Drawn(seat, ladder))
        self._docket.order(Offer(ladder), LockGrips(False))
        self._clock.restart()

    # ------------------------------------------------------------------ what the world must be told

    def _clear_table(self, facts: Facts) -> None:
        """Whatever lies on the table and is no longer in the game is taken away."""
        wanted = {*self.state.structure, self.state.ladder}
        for piece in sorted({p.piece for p in facts.pieces} - wanted - self._awaited):
            self._docket.order(Remove(piece))
            self._awaited.add(piece)

    def _rebuild(self, facts: Facts, places: Places, tick: int) -> None:
        """Put the structure of an earlier turn back, whatever stands there now."""
        self._share_waits = self._roll.waits = False
        self._docket.order(LockGrips(True))
        self._clear_table(facts)
        self._docket.set_up(self._slots, places)
        self._awaited -= {piece for piece, _ in places}
        self._disturbed_tick = tick


def _refuse(why: Refusal | None) -> None:
    """Raise IllegalMove with the reason, if there is one."""
    if why is not None:
        raise IllegalMove("a wish", why)
