"""Group faults by their cause."""

import re
from typing import NamedTuple

import msgspec

from arena.base.protocol import FaultKind, SeatFault
from arena.base.record import Evidence, GameRecord, Observations
from arena.check.bot_stack import split_stack

MAX_CAUSE_CHARS = 160
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_FRAME = re.compile(r'File "(?:[^"]*/)?([^"/]+)", line (\d+)')
_RAISED = re.compile(r"[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning)\b")


class FaultInGame(msgspec.Struct, frozen=True):
    bot: str
    title: str = msgspec.field(name="game")
    key: str
    fault: SeatFault
    evidence: Evidence

    @property
    def move(self) -> int:
        """The move at which the fault occurred, counting from 1."""
        return self.fault.action + 1


class FaultGroup(NamedTuple):
    bot: str
    kind: FaultKind
    cause: str
    """One line that describes the fault, with the exception and the source line if known."""
    size: int
    first: FaultInGame
    last: FaultInGame


def faults_of(record: GameRecord, seen: Observations) -> list[FaultInGame]:
    """Return all faults in a recorded game. Withdrawals are not included."""
    return [
        FaultInGame(
            record.entrants[fault.seat],
            record.title,
            record.key,
            fault,
            seen.evidence_of(fault.seat),
        )
        for fault in record.faults
        if fault.kind != "withdrawn"
    ]


class FaultGroups:
    """Groups faults with the same bot and cause. Faults must be added in chronological order."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, FaultKind, str], FaultGroup] = {}
        self._bots: dict[str, int] = {}

    def add(self, fault: FaultInGame) -> None:
        self._bots.setdefault(fault.bot, len(self._bots))
        key = (fault.bot, fault.fault.kind, cause_key(fault.fault, fault.evidence))
        if before := self._groups.get(key):
            self._groups[key] = before._replace(size=before.size + 1, last=fault)
        else:
            cause = _cause(fault.fault, fault.evidence)
            self._groups[key] = FaultGroup(fault.bot, fault.fault.kind, cause, 1, fault, fault)

    def groups(self, bot: str | None = None) -> list[FaultGroup]:
        """Return faults grouped by cause, for one bot or for all bots.

        Each bot's most frequent faults come first.
        """
        wanted = [group for group in self._groups.values() if bot in (None, group.bot)]
        return sorted(wanted, key=lambda group: (self._bots[group.bot], -group.size))


def cause_key(fault: SeatFault, evidence: Evidence) -> str:
    """Return a key that is the same for all faults with the same cause.

    Error messages that differ only in numbers or quoted text are treated as equal.
    """
    text = _NUMBER.sub("#", _QUOTED.sub("'...'", fault.text))
    raised = raised_in(evidence.stderr)
    name = _RAISED.match(raised)
    return " ".join([text, name[0] if name else "", _place(evidence.stderr)])


def _cause(fault: SeatFault, evidence: Evidence) -> str:
    raised, place = raised_in(evidence.stderr), _place(evidence.stderr)
    parts = [fault.text, *([f"{raised} ({place})" if place else raised] if raised else [])]
    text = " ".join(": ".join(parts).split())
    return text if len(text) <= MAX_CAUSE_CHARS else f"{text[: MAX_CAUSE_CHARS - 3]}..."


def raised_in(stderr: str) -> str:
    """Return the exception at the end of a bot's log, such as `ValueError: no card`. Return an
    empty string if there is none.
    """
    lines = [line for line in stderr.splitlines() if line.strip()]
    frames = [number for number, line in enumerate(lines) if line.startswith(" ")]
    for line in lines[frames[-1] + 1 :] if frames else lines[-1:]:
        if _RAISED.match(line):
            return line.strip()
    return ""


def _place(stderr: str) -> str:
    frames = _FRAME.findall(split_stack(stderr)[0]) if raised_in(stderr) else []
    return f"{frames[-1][0]}, line {frames[-1][1]}" if frames else ""
