"""Cards that describe a fault to the author of a bot."""

import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from arena.check.bot_stack import split_stack
from arena.errors import ProtocolError
from arena.protocol import (
    PROTOCOL,
    Bye,
    FaultKind,
    Hello,
    SeatFault,
    Turn,
    printable,
    read_from_referee,
)
from arena.record import Evidence, GameRecord, Observations

WIDTH = 100
"""Columns."""
INDENT = 14
MAX_ASKED_CHARS = 600
"""Characters of the line asked that are shown, unless in full."""
MAX_LOG_LINES = 20
"""Lines of the end of a bot's stderr that are shown, unless in full."""
FULL_HINT = "--full shows all"
REMEDIES: Mapping[FaultKind, str] = {
    "crash": "look in stderr for where it broke; whatever happens, answer, and live until `bye`",
    "flood": "write messages only to stdout, and the log to stderr",
    "illegal": "answer with an entry of `legal` just as it stands there",
    "malformed": "answer each request once, with its `table` and `turn`; write nothing else to "
    "stdout, and the log to stderr",
    "start": "start it by hand in its folder, type in the line asked, and see what comes; a bot in "
    "Python calls `run(MyBot)` at its end",
    "stays": "leave when `bye` comes or the input ends, with all threads and processes",
    "timeout": "flush stdout after each line; think no longer than `clock_ms` says",
}
"""Advice to a bot's author, by the kind of the fault."""
BROKE_AT_START = "look in stderr for where it broke; it has to say `ready` before anything else"
"""What to do about a bot that does not start and says why."""
NOT_STARTED = "see in its folder whether the program that `command` names is there and may be run"
"""What to do where there is no program."""


_CONTINUED = " \\"
_WORD = re.compile(r"(?:'[^']*'|\"[^\"]*\"|\\.|\S)+")
"""A word of a shell command, with the blanks in its quotes."""


def fault_card(
    record: GameRecord,
    fault: SeatFault,
    seen: Observations,
    full: bool = False,
    hint: str = FULL_HINT,
) -> str:
    """Return a fault of a recorded game as a card; see `card` and `CardStyle`."""
    own = [evidence for evidence in seen.evidence if evidence.seat == fault.seat]
    where = f"in {record.title}, move {fault.action + 1}, seat {fault.seat}"
    evidence = own[0] if own else Evidence(fault.seat)
    return card(record.entrants[fault.seat], where, fault, evidence, CardStyle(full, hint=hint))


class CardStyle(NamedTuple):
    """How a fault is shown."""

    full: bool = False
    """Whether long lines and logs are shown in full."""
    again: str = ""
    """The command that brings the bot to the same moment again."""
    width: int = WIDTH
    """Columns."""
    hint: str = FULL_HINT
    """How to see what is left out; empty where there is no way, as on a web page."""


def card(
    bot: str, where: str, fault: SeatFault, evidence: Evidence, style: CardStyle | None = None
) -> str:
    """Return a fault as lines, without a line end behind them.

    Control characters are escaped, whatever the bot has sent.
    """
    style = style or CardStyle()
    width = style.width
    lines = textwrap.wrap(printable(f"{bot}: {fault.kind} {where}"), width)
    for heading, text in _fields(fault, evidence, style):
        lines += _field(heading, printable(text), width)
    if style.again:
        first, *more = wrap_command(style.again, width - INDENT)
        lines.append(f"  {'again':<{INDENT - 2}}{first}")
        lines += [" " * INDENT + line for line in more]
    return "\n".join(lines)


def wrap_command(command: str, width: int) -> list[str]:
    """Return a shell command as lines of `width` columns that a shell reads as one when pasted.

    A quoted word stays in one piece, so it may be wider. Control characters are escaped.
    """
    lines = [""]
    for word in _WORD.findall(printable(command)):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width - len(_CONTINUED):
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".lstrip()
    return [*[line + _CONTINUED for line in lines[:-1]], lines[-1]]


def _fields(fault: SeatFault, evidence: Evidence, style: CardStyle) -> Iterator[tuple[str, str]]:
    full, hint = style.full, f", {style.hint}" if style.hint else ""
    yield "what", fault.text
    asked = evidence.asked
    if fault.kind == "start" and not asked:  # there was no process that could be asked
        yield "to do", NOT_STARTED
        return
    if not full and len(asked) > MAX_ASKED_CHARS:
        asked = f"{asked[:MAX_ASKED_CHARS]}\n... ({len(asked)} characters{hint})"
    yield "asked", asked or "nothing: it was not its turn"
    yield "came", evidence.came or "nothing"
    yield "expected", _expected(evidence.asked)
    if fault.legal:
        yield "legal", ", ".join(fault.legal)
    if used := _used(evidence):
        yield "used", used
    stderr, frames = split_stack(evidence.stderr)
    if frames and fault.kind == "timeout":
        yield (
            "it was in",
            "\n".join([f"{frame.function}, {frame.file} line {frame.line}" for frame in frames]),
        )
    if stderr:
        logged = stderr.splitlines()
        hidden = 0 if full else max(0, len(logged) - MAX_LOG_LINES)
        more = [f"... ({hidden} lines more{hint})"] if hidden else []
        yield "stderr", "\n".join([*more, *logged[hidden:]])
    broke_at_start = fault.kind == "start" and evidence.stderr
    if remedy := BROKE_AT_START if broke_at_start else REMEDIES.get(fault.kind):
        yield "to do", remedy


def _expected(asked: str) -> str:
    """Return what a line of the referee is to be answered with."""
    try:
        message = read_from_referee(asked.encode()) if asked else None
    except ProtocolError:
        message = None
    match message:
        case Turn(table=table, turn=turn):
            answer = f'{{"type":"act","table":{table},"turn":{turn},"action":ACTION}}'
            return f"{answer} with a legal action"
        case Hello():
            return f'{{"type":"ready","protocol":{PROTOCOL}}}'
        case Bye():
            return "the end of the bot"
    return "nothing, until it is asked"


def _used(evidence: Evidence) -> str:
    parts = []
    if evidence.wall_ms is not None:
        parts.append(f"{evidence.wall_ms} ms")
    if evidence.cpu_ms is not None:
        parts.append(f"{evidence.cpu_ms} ms of processor time")
    if evidence.memory_kib is not None:
        parts.append(f"{evidence.memory_kib / 1024:.1f} MiB of memory")
    return ", ".join(parts)


def _field(heading: str, text: str, width: int) -> list[str]:
    wrapped = [
        piece
        for line in text.expandtabs(4).split("\n")
        for piece in textwrap.wrap(
            line, width - INDENT, drop_whitespace=False, break_on_hyphens=False
        )
        or [""]
    ]
    return [
        f"  {heading if not number else '':<{INDENT - 2}}{piece}".rstrip()
        for number, piece in enumerate(wrapped)
    ]
