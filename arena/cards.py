"""Faults as cards for a bot's author to read: what was asked, what came, what was expected."""

import textwrap
from collections.abc import Iterator

from arena.protocol import SeatFault, printable
from arena.record import Evidence, GameRecord, Seen

WIDTH = 100
"""Columns."""
INDENT = 14
MOST_ASKED = 600
"""Characters of the line asked that are shown, unless all are wanted."""
MOST_LOGGED = 20
"""Lines of the end of a bot's stderr that are shown, unless all are wanted."""


def fault_card(record: GameRecord, fault: SeatFault, seen: Seen, full: bool = False) -> str:
    """Return a fault in lines of at most 100 columns, without a line end behind them.

    Nothing in it steers a terminal, whatever the bot has sent.
    """
    own = [one for one in seen.evidence if one.seat == fault.seat]
    evidence = own[0] if own else Evidence(fault.seat)
    bot = record.entrants[fault.seat]
    title = f"{bot}: {fault.kind} in {record.title}, move {fault.action + 1}, seat {fault.seat}"
    lines = textwrap.wrap(printable(title), WIDTH)
    for heading, text in _fields(fault, evidence, full):
        lines += _field(heading, printable(text))
    return "\n".join(lines)


def _fields(fault: SeatFault, evidence: Evidence, full: bool) -> Iterator[tuple[str, str]]:
    yield "what", fault.text
    asked = evidence.asked
    if not full and len(asked) > MOST_ASKED:
        asked = f"{asked[:MOST_ASKED]}... ({len(asked)} characters, --full shows all)"
    yield "asked", asked or "nothing: it was not its turn"
    yield "came", evidence.came or "nothing"
    if fault.legal:
        yield "legal", ", ".join(fault.legal)
    if used := _used(evidence):
        yield "used", used
    if evidence.stderr:
        logged = evidence.stderr.splitlines()
        hidden = 0 if full else max(0, len(logged) - MOST_LOGGED)
        more = [f"... ({hidden} lines more, --full shows all)"] if hidden else []
        yield "stderr", "\n".join([*more, *logged[hidden:]])


def _used(evidence: Evidence) -> str:
    parts = []
    if evidence.wall_ms is not None:
        parts.append(f"{evidence.wall_ms} ms")
    if evidence.cpu_ms is not None:
        parts.append(f"{evidence.cpu_ms} ms of processor time")
    if evidence.memory_kib is not None:
        parts.append(f"{evidence.memory_kib / 1024:.1f} MiB of memory")
    return ", ".join(parts)


def _field(heading: str, text: str) -> list[str]:
    wrapped = [
        piece
        for line in text.expandtabs(4).split("\n")
        for piece in textwrap.wrap(
            line, WIDTH - INDENT, drop_whitespace=False, break_on_hyphens=False
        )
        or [""]
    ]
    return [
        f"  {heading if not number else '':<{INDENT - 2}}{piece}".rstrip()
        for number, piece in enumerate(wrapped)
    ]
