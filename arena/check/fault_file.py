"""Fault files, which contain everything needed to reproduce a fault.

Fault files don't contain the messages that the bot received, because they are recomputed from
the deal, the actions and the seeds.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec

from arena import __version__
from arena.base.atomic_file import atomic_file
from arena.base.contracts import Bounds
from arena.base.errors import FaultFileError
from arena.base.protocol import Limits, SeatFault
from arena.base.record import Entrant, Evidence, GameRecord

FORMAT: Literal[2] = 2


class FaultGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game with the fault, or an earlier game of the same bot process."""

    title: str
    """Title of the game, such as `pot-de-vin/3 board 12 rotation 0`."""
    variant: str
    rules_version: int
    deal: msgspec.Raw
    seat: Annotated[int, msgspec.Meta(ge=0)]
    seed: int
    actions: tuple[str, ...]
    worlds: int = 0
    """Seed of the worlds that were sent to the bot, or 0 if it is unknown."""


class FaultFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fault, the evidence for it, and the games that the bot process had played."""

    format: Literal[2]
    arena: str
    bot: Entrant
    limits: Limits
    bounds: Bounds
    fault: SeatFault
    evidence: Evidence
    games: tuple[FaultGame, ...] = ()
    """The games played by the bot process, in order. Empty if the process failed to start."""
    tables: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    faulty: Annotated[int, msgspec.Meta(ge=0)] = 0

    def __post_init__(self) -> None:
        if self.games and self.faulty >= len(self.games):
            raise ValueError(f"`faulty` is {self.faulty}, of {len(self.games)} games from 0")

    @property
    def where(self) -> str:
        """A description of when the fault occurred."""
        if not self.games:
            return "after `bye`" if self.fault.kind == "stays" else "before its first game"
        title = self.games[self.faulty].title
        if self.fault.kind == "stays":
            return f"after {title}"
        return f"in {title}, move {self.fault.action + 1}, seat {self.fault.seat}"


class FaultSource(NamedTuple):
    entrant: Entrant
    limits: Limits
    bounds: Bounds
    tables: int = 1
    worlds: Mapping[str, int] = {}
    """Maps the key of each game to the seed of its worlds, if the seed is known."""


def describe_fault(
    source: FaultSource,
    fault: SeatFault,
    evidence: Evidence,
    records: Sequence[GameRecord] = (),
    faulty: int = 0,
) -> FaultFile:
    """Create a fault file. `records` contains the games of the bot process, in order."""
    return FaultFile(
        format=FORMAT,
        arena=__version__,
        bot=source.entrant,
        limits=source.limits,
        bounds=source.bounds,
        fault=fault,
        evidence=evidence,
        games=tuple([_game_of(record, source) for record in records]),
        tables=source.tables,
        faulty=faulty,
    )


def _game_of(record: GameRecord, source: FaultSource) -> FaultGame:
    seat = record.entrants.index(source.entrant.name)
    return game_until_fault(record, seat, source.worlds.get(record.key, 0))


def game_until_fault(record: GameRecord, seat: int, worlds: int) -> FaultGame:
    """Return a recorded game until the fault at `seat`, or the whole game if there was no fault."""
    own = record.faults_of(seat)
    return FaultGame(
        record.title,
        record.variant,
        record.rules_version,
        record.deal,
        seat,
        record.seeds[seat],
        record.actions[: own[0].action] if own else record.actions,
        worlds,
    )


def fault_file_name(file: FaultFile) -> str:
    """Return the name of a fault file, such as `fault-NAME-0123456789ab.json`.

    The file name contains a digest of the fault without the evidence, so the same fault always has
    the same name.
    """
    fault = msgspec.json.encode(msgspec.structs.replace(file, evidence=Evidence(0)))
    digest = hashlib.blake2b(fault, digest_size=6).hexdigest()
    return f"fault-{file.bot.name.replace(' ', '-')}-{digest}.json"


def fault_json(file: FaultFile) -> bytes:
    return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


def save_fault(file: FaultFile, folder: Path) -> Path:
    """Write a fault file to a folder atomically, and return its path.

    Raises:
        FaultFileError: the file can't be written.
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
