"""Replay of a recorded game, move by move."""

from collections.abc import Sequence

from arena.match.referee import start_game
from arena.narration.moves import ToldMove, tell_moves
from arena.narration.points import explain_points, explain_ranks, in_words
from arena.narration.words import Words
from arena.protocol import printable
from arena.record import GameRecord
from engine import State


class Replay:
    """A recorded game at one of its moves; move 0 is before the first action."""

    def __init__(self, record: GameRecord) -> None:
        """Replay a record; raises `EngineError` if the engine does not accept it."""
        self.record = record
        self.move = 0
        state = start_game(record.variant, record.deal)
        self._words = Words(state.variant.game, record.entrants)
        self._moves: list[ToldMove] = []
        self._states: list[State] = []
        for move in tell_moves(state, record.actions, self._words):
            self._moves.append(move)
            self._states.append(state.clone())
        self._faults = {fault.action: fault for fault in record.faults}
        self._notes = {note.action: note.text for note in record.notes}

    @property
    def moves(self) -> int:
        """The number of actions."""
        return len(self.record.actions)

    @property
    def state(self) -> State:
        """The position after the move; only to be looked at."""
        return self._states[self.move]

    @property
    def names(self) -> Sequence[str]:
        """The bots by seat."""
        return self.record.entrants

    def go(self, move: int) -> None:
        """Go to a move, or to the nearest that there is."""
        self.move = max(0, min(move, self.moves))

    def go_to_fault(self) -> bool:
        """Go to the next move at which a bot had a fault; return whether there is one."""
        later = [action + 1 for action in sorted(self._faults) if action + 1 > self.move]
        if later:
            self.move = later[0]
        return bool(later)

    def told(self, seat: int | None = None) -> list[str]:
        """Return what was done at this move, and what it led to, in lines that can be printed.

        They are told to a `seat`, or with all hands open (None).
        """
        move = self._moves[self.move]
        if move.seat is None:
            lines = [f"{self.record.title}: {self.moves} moves"]
        else:
            who = f"seat {move.seat} ({self.names[move.seat]})"
            text = move.to(seat) or "a secret decision"
            lines = [f"move {self.move} of {self.moves}, {who}: {text}"]
        number = self.move - 1
        if fault := self._faults.get(number):
            lines.append(f"fault ({fault.kind}), a stand-in plays from here: {fault.text}")
        if (note := self._notes.get(number)) and seat in (None, move.seat):
            lines.append(f"note: {note}")
        lines += [f"  {text}" for text in move.then]
        if self.move == self.moves:
            lines += self._ending()
        return [printable(line) for line in lines]

    def _ending(self) -> list[str]:
        ends = [
            f"{name} {points} (place {rank})"
            for name, points, rank in zip(
                self.names, self.record.points, self.record.ranks, strict=True
            )
        ]
        faulty = {fault.seat for fault in self.record.faults}
        why = explain_ranks(self.state, self.record.ranks, faulty, self._words)
        return [
            f"over: {', '.join(ends)}",
            *[f"{name}: {text}" for name, text in zip(self.names, why, strict=True) if text],
            *[in_words(side, self._words) for side in explain_points(self.state, self._words)],
        ]
