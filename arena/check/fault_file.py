"""Fault files, which hold all that is needed to bring a bot to the moment of a fault again.

The messages to the bot are not in them. They follow from the deal, the actions and the seed, in the
detail that the bot wants of its views now.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec

from arena import __version__
from arena.base.atomic_file import atomic_file
from arena.base.contracts import Bounds
from arena.base.errors import FaultFileError
from arena.base.protocol import Limits, SeatFault
from arena.base.record import Entrant, Evidence, GameRecord

FORMAT: Literal[1] = 1


class FaultGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game up to the fault, or to its end if the bot did nothing wrong in it."""

    title: str
    """The game as people name it: `pot-de-vin/3 board 12 rotation 0`."""
    variant: str
    rules_version: int
    deal: msgspec.Raw
    seat: Annotated[int, msgspec.Meta(ge=0)]
    """The seat of the bot."""
    seed: int
    """For the bot's own dice."""
    actions: tuple[str, ...]
    """Those of all seats, in order."""


class FaultFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fault, what was seen of it, and how it came about."""

    format: Literal[1]
    """Of this file."""
    arena: str
    """The version of the arena that wrote it."""
    bot: Entrant
    limits: Limits
    bounds: Bounds
    """Of the bot's sandbox, if it had one."""
    fault: SeatFault
    evidence: Evidence
    games: tuple[FaultGame, ...] = ()
    """Those of the bot's process, in order; none when it broke before it was ready."""
    tables: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    """The number of games that were under way at a time."""
    faulty: Annotated[int, msgspec.Meta(ge=0)] = 0
    """The game in which the bot is charged, numbered from 0."""

    def __post_init__(self) -> None:
        if self.games and self.faulty >= len(self.games):
            raise ValueError(f"`faulty` is {self.faulty}, of {len(self.games)} games from 0")

    @property
    def where(self) -> str:
        """The moment, as people call it."""
        if not self.games:
            return "after `bye`" if self.fault.kind == "stays" else "before its first game"
        title = self.games[self.faulty].title
        if self.fault.kind == "stays":
            return f"after {title}"
        return f"in {title}, move {self.fault.action + 1}, seat {self.fault.seat}"


class FaultSource(NamedTuple):
    """A bot whose faults are described, and how it was played."""

    entrant: Entrant
    limits: Limits
    bounds: Bounds
    tables: int = 1
    """Games under way at a time."""


def describe_fault(
    source: FaultSource,
    fault: SeatFault,
    evidence: Evidence,
    records: Sequence[GameRecord] = (),
    faulty: int = 0,
) -> FaultFile:
    """Return the file of a fault; `records` are the games of the process in order."""
    name = source.entrant.name
    return FaultFile(
        format=FORMAT,
        arena=__version__,
        bot=source.entrant,
        limits=source.limits,
        bounds=source.bounds,
        fault=fault,
        evidence=evidence,
        games=tuple([_game_of(record, record.entrants.index(name)) for record in records]),
        tables=source.tables,
        faulty=faulty,
    )


def _game_of(record: GameRecord, seat: int) -> FaultGame:
    own = record.faults_of(seat)
    return FaultGame(
        record.title,
        record.variant,
        record.rules_version,
        record.deal,
        seat,
        record.seeds[seat],
        record.actions[: own[0].action] if own else record.actions,
    )


def fault_file_name(file: FaultFile) -> str:
    """Return the name of a fault file: `fault-NAME-0123456789ab.json` or so.

    It has a digest of all but the evidence, so the same fault of the same code has one file.
    """
    fault = msgspec.json.encode(msgspec.structs.replace(file, evidence=Evidence(0)))
    digest = hashlib.blake2b(fault, digest_size=6).hexdigest()
    return f"fault-{file.bot.name.replace(' ', '-')}-{digest}.json"


def fault_json(file: FaultFile) -> bytes:
    """Return what a fault file holds."""
    return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


def save_fault(file: FaultFile, folder: Path) -> Path:
    """Write a fault file into a folder, and return its path. It is replaced as a whole.

    Raises:
        FaultFileError: it cannot be written.
    """
    path = folder / fault_file_name(file)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with atomic_file(path) as output:
            output.write(fault_json(file))
    except OSError as error:
        text = f"cannot write a fault file into {folder}: {error.strerror}"
        raise FaultFileError(text) from None
    return path
