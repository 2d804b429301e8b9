"""Format the stderr output of bots for the terminal."""

from collections.abc import Callable, Iterable

from arena.base.protocol import printable
from arena.check.bot_stack import SdkCalls
from arena.match.bot_log import LogLine


def log_line(text: str, seat: int | None, move: int | None) -> str:
    """Format a line of a bot's stderr. The index `move` counts from 0."""
    place = "" if seat is None else f"seat {seat}"
    if move is not None:
        place = f"move {move + 1}, {place}"
    return f"  {place:<16} | {printable(text)}"


def say_printed(bot: str, lines: Iterable[LogLine], say: Callable[[str], object]) -> None:
    """Print what a bot wrote to stderr in each game, without the stack frames of the SDK."""
    sdk, last = SdkCalls(), ""
    for line in lines:
        if line.bot != bot or sdk.has(line.text):
            continue
        game = line.game
        title = f"{game.variant} board {game.board} rotation {game.rotation}" if game else ""
        if title != last or not game:
            say(f"  {bot} prints in {title}:" if game else f"  {bot} prints:")
        last = title
        say(log_line(line.text, line.seat, line.move))
