"""Print a recorded game move by move."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from arena.base.protocol import printable
from arena.base.record import GameRecord
from arena.match.referee import start_game
from arena.narration.moves import DescribedMove, describe_moves
from arena.narration.points import explain_ranks, in_words
from arena.narration.telling import counted, telling_of
from arena.narration.words import Words
from arena.terminal.drawing import draw
from engine import State


def print_game(
    record: GameRecord,
    seat: int | None,
    console: Console,
    printed: Mapping[int | None, Sequence[str]] | None = None,
    *,
    draws_moves: bool = False,
) -> None:
    """Print all moves of a game as seen from one seat, or with all hands visible if `seat` is None.

    `printed` maps move indices (from 0) to lines of the bot's stderr, which are printed above the
    move. Lines without a move (None) are printed after the last move.

    Raises:
        EngineError: The game record contains an illegal action.
    """
    lines = printed or {}
    names = record.entrants
    state = start_game(record.variant, record.deal)
    words = Words(state.variant.game, names)
    for number, move in enumerate(describe_moves(state, record.actions, words)):
        for text in [*lines.get(number - 1, ()), *_captions(record, number, move, seat)]:
            console.print(Text(text))
        if number == len(record.actions):
            ends = endings(record, state, names, words)
            ends += [in_words(side, words) for side in telling_of(words.game).points(state)]
            for text in [*map(printable, ends), *lines.get(None, ())]:
                console.print(Text(text))
        if draws_moves or number in (0, len(record.actions)):
            console.print(draw(state, names, seat))


def _captions(
    record: GameRecord, number: int, move: DescribedMove, seat: int | None
) -> Iterator[str]:
    if move.seat is None:
        yield f"{record.title}: {len(record.actions)} moves"
    else:
        text = printable(move.to(seat)) or "a secret decision"
        player = f"seat {move.seat} ({printable(record.entrants[move.seat])})"
        yield f"move {number} of {len(record.actions)}, {player}: {text}"
    for fault in record.faults:
        if fault.action == number - 1:
            text = (
                f"fault ({fault.kind}): {fault.text}; a stand-in takes the bot's turns from now on"
            )
            yield printable(text)
    for note in record.notes:
        if note.action == number - 1 and note.text and seat in (None, move.seat):
            yield printable(f"note: {note.text}")
    for text in move.then:
        yield printable(f"  {text}")


def endings(record: GameRecord, state: State, names: Sequence[str], words: Words) -> list[str]:
    """Return a line with the points and rank of each player, best rank first."""
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
