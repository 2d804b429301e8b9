"""Save everything that is needed to reproduce a bot's fault.

A fault file omits the messages that the bot received, because they can be recomputed from the
deal, the actions and the seeds.
"""

import hashlib
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from arena.base.atomic_file import atomic_file, os_error_as
from arena.base.errors import FaultFileError
from arena.base.protocol import Limits, SeatFault
from arena.base.record import Entrant, Evidence, GameRecord

FORMAT: Literal[3] = 3


class FaultGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    variant: str
    rules_version: int
    deal: msgspec.Raw
    seat: Annotated[int, msgspec.Meta(ge=0)]
    seed: int
    actions: tuple[str, ...]
    worlds: int = 0  # seed of the bot's worlds (random game states); 0: unknown


class FaultFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal[3]
    arena: str
    bot: Entrant
    limits: Limits
    fault: SeatFault
    evidence: Evidence
    game: FaultGame | None
    """The game up to the point of the fault, or None if the bot failed to start."""

    @property
    def where(self) -> str:
        """Where the fault occurred: the game, the move and the seat."""
        if self.game is None:
            return "before its first game"
        return f"in {self.game.title}, move {self.fault.action + 1}, seat {self.fault.seat}"


def game_until_fault(record: GameRecord, seat: int, worlds: int) -> FaultGame:
    """Return a recorded game up to a player's first fault, or the whole game if there is none."""
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


def save_fault(file: FaultFile, folder: Path) -> Path:
    """Write a fault file to a folder, and return the path of the file.

    The same fault always gets the same file name, such as `fault-NAME-0123456789ab.json`.

    Raises:
        FaultFileError: The fault file can't be written.
    """
    # The evidence is not part of the digest, because it differs each time.
    fault = msgspec.json.encode(msgspec.structs.replace(file, evidence=Evidence(0)))
    digest = hashlib.blake2b(fault, digest_size=6).hexdigest()
    path = folder / f"fault-{file.bot.name.replace(' ', '-')}-{digest}.json"
    with os_error_as(FaultFileError, f"cannot write a fault file into {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        with atomic_file(path) as output:
            output.write(msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n")
    return path
