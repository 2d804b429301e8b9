"""Summary of the faults of a run by cause, for the terminal."""

import textwrap
from collections.abc import Iterator, Sequence

from arena.check.fault_groups import FaultGroup
from arena.check.fault_report import wrap_command

INDENT = "    "


def summary_lines(groups: Sequence[FaultGroup], command: str, width: int) -> Iterator[str]:
    """Yield the lines of a summary: a total, then the causes of each bot.

    `command` is what replays a game when its title stands behind it. No line is wider than `width`
    columns, except for a word that does not fit.
    """
    faults = sum(group.size for group in groups)
    bots = len({group.bot for group in groups})
    yield (
        f"{_number(faults, 'fault')} of {_number(bots, 'bot')}, "
        f"with {_number(len(groups), 'cause')}:"
    )
    for group in groups:
        text = f"{group.bot}: {group.size} x {group.kind}: {group.cause}"
        yield from textwrap.wrap(
            text, width, initial_indent="  ", subsequent_indent=INDENT, break_on_hyphens=False
        )
        for name, one in (("first", group.first), ("last", group.last)):
            if name == "first" or group.size > 1:
                yield f"{INDENT}{name:<6}{one.title}, move {one.move}"
        first, *more = wrap_command(f"{command} {group.first.title}", width - 10)
        yield f"{INDENT}{'again':<6}{first}"
        yield from (" " * 10 + line for line in more)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
