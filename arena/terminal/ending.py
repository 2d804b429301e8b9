"""The end of a game in a terminal: the final table, places, and how points came about."""

from collections.abc import Sequence

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from arena.narration.points import explain_points, in_words
from arena.narration.ranking import explain_ranks
from arena.narration.words import Words, counted
from arena.protocol import printable
from arena.record import GameRecord
from engine import State


def endings(record: GameRecord, state: State, names: Sequence[str], words: Words) -> list[str]:
    """Return the points and places of a finished game in lines, best first, with what decided."""
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


def print_ending(
    record: GameRecord, state: State, names: Sequence[str], words: Words, console: Console
) -> None:
    """Print how points came about, and the places. `state` is the end of the game."""
    sides = explain_points(state, words)
    if sides:  # a game of a plugin explains none
        console.print(Rule("how the points came about", style="dim", align="left"))
    for side in sides:
        console.print(Text(in_words(side, words)))
    console.print(Rule("result", style="dim", align="left"))
    for line in endings(record, state, names, words):
        console.print(Text(line))
