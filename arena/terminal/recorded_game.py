"""Step through a recorded game."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from arena.base.protocol import printable
from arena.base.record import GameRecord
from arena.match.referee import start_game
from arena.narration.moves import ToldMove, tell_moves
from arena.narration.points import explain_ranks, in_words
from arena.narration.telling import counted, telling_of
from arena.narration.words import Words
from engine import State

KEYS = {
    "Enter, n or →": "next move",
    "b or ←": "back",
    "s, e": "start, end",
    "↓ ↑": "next round, round before",
    "f, F": "next fault, fault before",
    "a number": "that move (then Enter)",
    "q": "quit",
}
STEPS = {"": 1, "n": 1, "right": 1, "b": -1, "left": -1}
JUMPS = {"f": (1, "fault"), "F": (-1, "fault"), "down": (1, "round"), "up": (-1, "round")}


class Replay:
    """A recorded game with a current move. Move 0 is the position before the first action."""

    def __init__(self, record: GameRecord) -> None:
        """Replay a record. Raise `EngineError` if it contains an illegal action."""
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
        rounds = [getattr(state.view(None), "round", 1) for state in self._states]
        starts = [move for move in range(1, len(rounds)) if rounds[move] != rounds[move - 1]]
        self.places = {"fault": sorted(action + 1 for action in self._faults), "round": starts}
        """Move numbers of all faults and of the first move in each round."""

    @property
    def moves(self) -> int:
        return len(self.record.actions)

    @property
    def state(self) -> State:
        """The game state after the current move. Callers must not modify it."""
        return self._states[self.move]

    @property
    def names(self) -> Sequence[str]:
        return self.record.entrants

    def go(self, move: int) -> None:
        """Go to a move. If the number is out of range, go to the first or last move."""
        self.move = max(0, min(move, self.moves))

    def press(self, key: str) -> str | None:
        """Handle a key press. Return why the key has no effect, or None if the key is unknown."""
        if key in STEPS:
            self.go(self.move + STEPS[key])
        elif key in ("s", "e"):
            self.go(0 if key == "s" else self.moves)
        elif key.isdecimal():
            self.go(int(key[:9]))
        elif key in JUMPS:
            step, what = JUMPS[key]
            places = self.places[what]
            at = bisect_right(places, self.move) if step > 0 else bisect_left(places, self.move) - 1
            if not 0 <= at < len(places):
                return f"no {what} {'after' if step > 0 else 'before'} this move"
            self.move = places[at]
        else:
            return None
        return ""

    def told(self, seat: int | None = None) -> list[str]:
        """Return lines that describe the current move and its effects.

        If `seat` is given, only events that this seat can observe are described.
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
            lines.append(f"fault ({fault.kind}), a stand-in plays from here on: {fault.text}")
        if (note := self._notes.get(number)) and seat in (None, move.seat):
            lines.append(f"note: {note}")
        lines += [f"  {text}" for text in move.then]
        if self.move == self.moves:
            lines += endings(self.record, self.state, self.names, self._words)
            lines += [
                in_words(side, self._words)
                for side in telling_of(self._words.game).points(self.state)
            ]
        return [printable(line) for line in lines]


def endings(record: GameRecord, state: State, names: Sequence[str], words: Words) -> list[str]:
    """Return one line per player with their points and place, best place first."""
    lines = []
    faulty = {fault.seat for fault in record.faults}
    why = explain_ranks(state, record.ranks, faulty, words)
    for seat in sorted(range(len(names)), key=record.ranks.__getitem__):
        points = counted(record.points[seat], "point")
        line = f"{record.ranks[seat]}. {names[seat]}, seat {seat}: {points}"
        for fault in record.faults_of(seat):
            line += f"; last because of a fault ({fault.kind}): {printable(fault.text)}"
        if why[seat] and seat not in faulty:
            line += f"; {why[seat]}"
        lines.append(line)
    return lines
