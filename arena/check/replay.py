"""Replay of a recorded game, move by move."""

from collections.abc import Sequence

from arena.match.referee import start_game
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
        self._states = [state.clone()]
        for action in record.actions:
            state.apply(action)
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

    def told(self) -> list[str]:
        """Return what was done at this move, in lines; all of it can be printed."""
        if not self.move:
            return [f"{self.record.title}: {self.moves} moves"]
        number = self.move - 1
        seat = self._states[number].seat_to_act
        who = f"seat {seat} ({self.names[seat]})" if seat is not None else "nobody"
        lines = [f"move {self.move} of {self.moves}, {who}: {self.record.actions[number]}"]
        if fault := self._faults.get(number):
            lines.append(f"fault ({fault.kind}), a stand-in plays from here: {fault.text}")
        if note := self._notes.get(number):
            lines.append(f"note: {note}")
        if self.move == self.moves:
            lines.append(self._ending())
        return [printable(line) for line in lines]

    def _ending(self) -> str:
        ends = [
            f"{name} {points} (place {rank})"
            for name, points, rank in zip(
                self.names, self.record.points, self.record.ranks, strict=True
            )
        ]
        return f"over: {', '.join(ends)}"
