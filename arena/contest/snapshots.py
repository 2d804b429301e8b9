"""Copy bots into a run's folder. The run starts its bots from these copies.

    results/spring/arena.bots/ann-0f3c.../    a copy of the files that the fingerprint of ann covers
    results/.bots-x2k9/                       copies for a run that has not started yet

The copies protect a run from later changes to a bot's files. Submitted bots and bots from
installed packages don't change, so they are not copied.
"""

import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Self

import msgspec

from arena.base.atomic_file import os_error_as
from arena.base.errors import BotError, SettingsError, StoreError
from arena.base.lock import ScratchFolder
from arena.base.record import Entrant, unmarked
from arena.contest.entrants import is_registered
from arena.contest.fingerprint import copy_bot, fingerprint_now

COPIES = "arena.bots"
STAGING_PREFIX = ".bots-"
OWNER_ONLY = 0o700
CANNOT_WRITE = "cannot write {} (--results chooses another folder)"


class Snapshots:
    """Copies the files of bots into a run's folder. When the context manager exits, copies that the
    run doesn't need are deleted.
    """

    def __init__(self, run: Path) -> None:
        self._place = Path(os.path.realpath(run)) / COPIES
        self._results = self._place.parent.parent
        self._staging: ScratchFolder | None = None
        self._staged: dict[str, Path] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._staging:
            self._staging.delete()

    def take(self, entrant: Entrant, *, follow_links: bool = False) -> Entrant:
        """Copy a bot's files. The returned bot runs from the copy.

        Set `follow_links` only for trusted bots.

        Raises:
            BotError: A file can't be read or is a link.
            SettingsError: The results folder is inside the bot's folder.
            StoreError: The copy can't be written.
        """
        if is_registered(entrant):
            return entrant
        kept = self._folder_of(entrant)
        staged = self._staged.get(str(kept))
        if copy := _reusable_copy(entrant, kept) or (staged and _reusable_copy(entrant, staged)):
            return copy
        if not entrant.files and self._results.is_relative_to(entrant.folder):
            raise SettingsError(
                f"the results folder is inside the folder of {entrant.name}, which is copied for "
                "the run: choose another one with --results"
            )
        with os_error_as(StoreError, CANNOT_WRITE.format(self._results)):
            self._staging = self._staging or ScratchFolder(self._results, STAGING_PREFIX)
            folder = self._staging.path / f"{len(self._staged) + 1}-{entrant.name}"
            copy_bot(entrant, folder, follow_links)
        copied = _placed(entrant, folder)
        self._staged[str(self._folder_of(copied))] = folder
        return copied

    def settled(self, entrant: Entrant) -> Entrant:
        """Replace a bot's temporary paths with its final paths in the run's folder."""
        folder = self._folder_of(entrant)
        staged = self._staged.get(str(folder))
        if staged is None or entrant.folder != str(staged):
            return entrant
        command = [_in_place(part, staged, folder) or part for part in entrant.command]
        return msgspec.structs.replace(entrant, folder=str(folder), command=tuple(command))

    def keep(self, entrants: Iterable[Entrant]) -> None:
        """Move the copies of the given bots into the run's folder, and delete all other copies.

        No other process may play games of the run.
        """
        needed = {entrant.folder for entrant in entrants}
        with os_error_as(StoreError, CANNOT_WRITE.format(self._place)):
            for folder in needed & self._staged.keys():
                self._place.mkdir(OWNER_ONLY, exist_ok=True)
                shutil.rmtree(folder, ignore_errors=True)  # a copy that a bot has changed
                self._staged.pop(folder).rename(folder)
            for copy in self._place.iterdir() if self._place.is_dir() else ():
                if str(copy) not in needed:
                    shutil.rmtree(copy, ignore_errors=True)
        if self._staging:
            self._staging.delete()

    def _folder_of(self, entrant: Entrant) -> Path:
        return self._place / f"{unmarked(entrant.name)}-{entrant.fingerprint}"


def _placed(entrant: Entrant, folder: Path) -> Entrant:
    origin = Path(entrant.source or entrant.folder)
    command = []
    for part in entrant.command:
        copied = _in_place(part, Path(entrant.folder), folder)
        command.append(copied if copied and os.path.exists(copied) else part)
    placed = msgspec.structs.replace(
        entrant, folder=str(folder), command=tuple(command), source=str(origin)
    )
    return msgspec.structs.replace(placed, fingerprint=fingerprint_now(placed))


def _reusable_copy(entrant: Entrant, folder: Path) -> Entrant | None:
    if not folder.is_dir():
        return None
    try:
        copy = _placed(entrant, folder)
    except BotError:  # a bot without a sandbox may change copies
        return None
    return copy if copy.fingerprint == entrant.fingerprint else None


def _in_place(part: str, before: Path, now: Path) -> str | None:
    if part == sys.executable or not Path(part).is_relative_to(before):
        return None
    return str(now / Path(part).relative_to(before))
