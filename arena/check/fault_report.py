"""Write plain-text reports that explain faults to the bot's author."""

import re
import textwrap
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import NamedTuple

from arena.base.errors import ProtocolError
from arena.base.protocol import (
    PROTOCOL,
    Bye,
    FaultKind,
    Hello,
    SeatFault,
    Turn,
    printable,
    read_from_referee,
    shorten,
)
from arena.base.record import Evidence, GameRecord, Observations
from arena.check.bot_stack import split_stack

WIDTH = 100
INDENT = 14
MAX_ASKED = 190
MAX_LOG_LINES = 20
REMEDIES: Mapping[FaultKind, str] = {
    "crash": "find the error in stderr; the bot must keep running until `bye`",
    "flood": "write only answers to stdout, and everything else to stderr",
    "illegal": "answer with one of the entries of `legal`, unchanged",
    "malformed": "answer each request once, with its `table` and `turn`; write everything else "
    "to stderr",
    "start": "start the bot by hand in its folder, type the line below `request`, and see what it "
    "answers; a Python bot must end with `run(MyBot)`",
    "timeout": "flush stdout after each line, in C with `fflush(stdout)`; don't wait for input or "
    "the network",
}
SLOW_START = "start faster: load large files when the first game starts, not on import"
# For a bot that failed to start and wrote an error to stderr.
BROKE_AT_START = "find the error in stderr; the bot must send `ready` before anything else"
NOT_STARTED = "check that the program in `command` exists in the bot's folder and is executable"
EXCEEDED = "stay within the limit above"
NO_MEMORY = "the bot ran out of memory: keep less data, or ask for a higher `sandbox.memory_mib`"
ENDED = "the bot exited by itself, for example by `sys.exit`; it must run until `bye`"
SILENT = "the bot wrote nothing to stderr: log what it does there, and replay this fault"
UNSEEN = "replay this fault: the request and the bot's stderr were not kept"
THINKS = "the bot was still computing: look for an endless loop, or compute less"
NO_MODULE = (
    "the arena's Python has no module {0!r}: the teacher can install it with `pip install {0}`; if "
    "the module is yours, submit its file with your bot"
)
LOGS = "write only answers to stdout; log to stderr, in JavaScript with `console.error`"
ANSWERED = ("illegal", "malformed", "flood")


_ACTION = re.compile(r'"action": *"([^"\\]*)"')
_NO_MEMORY = re.compile(r"^MemoryError\b", re.MULTILINE)
_MISSING = re.compile(r"^ModuleNotFoundError: No module named '(\w{1,50})[\w.]*'", re.MULTILINE)


class CardStyle(NamedTuple):
    full: bool = False
    """Print long lines and logs in full."""
    again: str = ""
    """The shell command that reproduces the fault."""
    width: int = WIDTH


def fault_card(
    record: GameRecord,
    fault: SeatFault,
    seen: Observations,
    style: CardStyle | None = None,
) -> str:
    """Return a plain-text report about one fault in a recorded game."""
    where = f"in {record.title}, move {fault.action + 1}, seat {fault.seat}"
    return card(record.entrants[fault.seat], where, fault, seen.evidence_of(fault.seat), style)


def card(
    bot: str, where: str, fault: SeatFault, evidence: Evidence, style: CardStyle | None = None
) -> str:
    """Return a plain-text report about a fault. Control characters are escaped."""
    style = style or CardStyle()
    width = style.width
    lines = textwrap.wrap(printable(f"{bot}: {fault.kind} {where}"), width)
    for heading, text in _fields(fault, evidence, style):
        lines += _field(heading, printable(text), width)
    if style.again:
        lines.append(f"  {'reproduce':<{INDENT - 2}}{printable(style.again)}")
    return "\n".join(lines)


def _fields(fault: SeatFault, evidence: Evidence, style: CardStyle) -> Iterator[tuple[str, str]]:
    full = style.full
    yield "what", fault.text
    request, has_answered = evidence.asked, fault.kind in ANSWERED
    if fault.kind == "start" and not request:  # there was no process that could be asked
        yield "to do", NOT_STARTED
        return
    if not full:
        request = shorten(request, MAX_ASKED)
    if evidence == Evidence(evidence.seat):  # as of an exported file
        yield "to do", UNSEEN
        return
    stderr, frames = split_stack(evidence.stderr)
    if frames and fault.kind == "timeout":
        yield (
            "running",
            "\n".join([f"{frame.function}, {frame.file} line {frame.line}" for frame in frames]),
        )
    if stderr:
        logged = stderr.splitlines()
        hidden = 0 if full else max(0, len(logged) - MAX_LOG_LINES)
        more = [f"... ({hidden} more lines)"] if hidden else []
        yield "stderr", "\n".join([*more, *logged[hidden:]])
    yield "to do", remedy(fault, evidence)
    if (full or fault.kind == "timeout") and (used := _used(evidence)):
        yield "used", used
    if full or has_answered or evidence.came:
        yield "received", evidence.came or "nothing"
    if full or has_answered or (fault.kind == "start" and not (stderr or frames)):
        yield "expected", _expected(evidence.asked)
    if fault.legal and (full or has_answered):
        yield "legal", ", ".join(fault.legal)
    if full or has_answered or not (stderr or frames):  # otherwise the log shows where it failed
        yield "request", request or "none: it was not the bot's turn"


def remedy(fault: SeatFault, evidence: Evidence) -> str:
    missing = _MISSING.search(evidence.stderr)
    match fault.kind:
        case "start" | "crash" if missing:
            return NO_MODULE.format(missing[1])
        case "start" | "crash" if _NO_MEMORY.search(evidence.stderr):
            return NO_MEMORY
        case "illegal" if meant := _meant(fault, evidence):
            return f"did you mean `{meant}`? {REMEDIES['illegal']}"
        case "malformed" | "start" if evidence.came.strip("'\" ")[:1] not in ("", "{"):
            return LOGS
        case "start" if fault.text.endswith("before it was ready"):
            return SLOW_START
        case "start" if evidence.stderr:
            return BROKE_AT_START
        case "crash" if fault.text.startswith("was killed because it"):
            return EXCEEDED
        case "crash" if fault.text == "exited with code 0":
            return ENDED
        case "crash" if not evidence.stderr:
            return SILENT
        case "timeout" if "processor time" in fault.text:
            return THINKS
    return REMEDIES.get(fault.kind, "")


def _meant(fault: SeatFault, evidence: Evidence) -> str:
    # The legal action that is closest to the bot's illegal action.
    sent = _ACTION.search(evidence.came)
    action = sent[1].lower() if sent else ""
    legal = {each.lower(): each for each in fault.legal}
    whole = [each for each in legal if action and each.endswith(f" {action}")]
    nearest = [*whole, *get_close_matches(action, legal, 1)]
    return legal[nearest[0]] if nearest else ""


def _expected(request: str) -> str:
    try:
        message = read_from_referee(request.encode()) if request else None
    except ProtocolError:
        message = None
    match message:
        case Turn(table=table, turn=turn):
            answer = f'{{"type":"act","table":{table},"turn":{turn},"action":ACTION}}'
            return f"{answer} with a legal action"
        case Hello():
            return f'{{"type":"ready","protocol":{PROTOCOL}}}'
        case Bye():
            return "the bot exits"
    return "nothing until the next request"


def _used(evidence: Evidence) -> str:
    parts = []
    if evidence.cpu_ms is not None:
        parts.append(f"{evidence.cpu_ms} ms of processor time")
    if evidence.wall_ms is not None:
        parts.append(f"{evidence.wall_ms} ms of wall-clock time")
    if evidence.memory_kib is not None:
        parts.append(f"{evidence.memory_kib / 1024:.1f} MiB of memory")
    return ", ".join(parts)


def _field(heading: str, text: str, width: int) -> list[str]:
    wrapped = []
    for line in text.expandtabs(4).split("\n"):
        first, *others = textwrap.wrap(
            line, width - INDENT, drop_whitespace=False, break_on_hyphens=False
        ) or [""]
        wrapped += [first, *(piece.lstrip() for piece in others)]
    return [
        f"  {heading if not number else '':<{INDENT - 2}}{piece}".rstrip()
        for number, piece in enumerate(wrapped)
    ]
