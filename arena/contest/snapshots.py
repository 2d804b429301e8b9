"""Copies of bots in a run's folder, from which the run starts them.

    results/spring/arena.bots/ann-0f3c.../    a copy of the files that the fingerprint of ann covers
    results/.bots-x2k9/                       copies for a run that has not begun yet

So changing a bot's files during a run does not affect its games. Registered bots are installed
programs, and those of the contest's inbox never change: neither are copied.
"""

import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Self

import msgspec

from arena.base.errors import BotError, SettingsError, StoreError
from arena.base.lock import ScratchFolder
from arena.base.record import Entrant, unmarked
from arena.contest.entrants import is_registered
from arena.contest.fingerprint import copy_bot, fingerprint_now

COPIES = "arena.bots"
"""The folder of the copies in the folder of a run."""
STAGING_PREFIX = ".bots-"
"""The prefix of a folder, beside the runs, for copies that no run has yet."""
OWNER_ONLY = 0o700
"""The mode of the folder of copies, since a student may not read the code of another."""


class Snapshots:
    """The copies of one run. Use it as a context: at its end no copy is left outside the run."""

    def __init__(self, run: Path) -> None:
        """Make no copies yet. `run` is the folder of the run, which need not exist."""
        self._place = Path(os.path.realpath(run)) / COPIES
        self._results = self._place.parent.parent
        self._staging: ScratchFolder | None = None
        self._staged: dict[str, Path] = {}
        """By the folder that a copy gets in the run, where it is until then."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._staging:
            self._staging.delete()

    def take(self, entrant: Entrant, *, follow_links: bool = False) -> Entrant:
        """Return an entrant that is started from a copy of its files. The copy has its fingerprint.

        If there is a copy with the same fingerprint, it is taken. It may be one of the run, or of
        the same bot in another role, such as a version that is also an opponent. A registered bot
        is returned as it is. Links to files are refused, or followed for a bot that the teacher
        trusts.

        Args:
            entrant: the bot.
            follow_links: whether the teacher trusts the bot.

        Raises:
            BotError: a file of the bot cannot be read, or is a link.
            SettingsError: the results are among the files of the bot.
            StoreError: the copy cannot be written.
        """
        if is_registered(entrant):
            return entrant
        if found := self.find(entrant) or self._find_staged(entrant):
            return found
        if not entrant.files and self._results.is_relative_to(entrant.folder):
            raise SettingsError(
                f"the results would be in the folder of {entrant.name}, all of which is copied for "
                "the run: choose another place with --results"
            )
        try:
            self._staging = self._staging or ScratchFolder(self._results, STAGING_PREFIX)
            folder = self._staging.path / f"{len(self._staged) + 1}-{entrant.name}"
            copy_bot(entrant, folder, follow_links)
        except OSError as error:
            raise _cannot_write(self._results, error) from None
        copied = _placed(entrant, folder)
        self._staged[str(self._folder_of(copied))] = folder
        return copied

    def find(self, entrant: Entrant) -> Entrant | None:
        """Return the entrant with the run's copy of it, or None if there is none with its code."""
        return _found(entrant, self._folder_of(entrant))

    def _find_staged(self, entrant: Entrant) -> Entrant | None:
        """Return the entrant with a copy that was taken before, or None."""
        staged = self._staged.get(str(self._folder_of(entrant)))
        return _found(entrant, staged) if staged else None

    def settled(self, entrant: Entrant) -> Entrant:
        """Return an entrant of `take` as it is after `keep`: with its copy in the run's folder."""
        folder = self._folder_of(entrant)
        staged = self._staged.get(str(folder))
        if staged is None or entrant.folder != str(staged):
            return entrant
        command = [_in_place(part, staged, folder) or part for part in entrant.command]
        return msgspec.structs.replace(entrant, folder=str(folder), command=tuple(command))

    def keep(self, entrants: Iterable[Entrant]) -> None:
        """Move the copies of these settled entrants into the run's folder. Delete other copies.

        Call this while no other process can play the run.

        Raises:
            StoreError: the folder of the run cannot be written.
        """
        needed = {entrant.folder for entrant in entrants}
        try:
            for folder in needed & self._staged.keys():
                self._place.mkdir(OWNER_ONLY, exist_ok=True)
                shutil.rmtree(folder, ignore_errors=True)  # a copy that a bot has changed
                self._staged.pop(folder).rename(folder)
            for copy in self._place.iterdir() if self._place.is_dir() else ():
                if str(copy) not in needed:
                    shutil.rmtree(copy, ignore_errors=True)
        except OSError as error:
            raise _cannot_write(self._place, error) from None
        if self._staging:
            self._staging.delete()

    def _folder_of(self, entrant: Entrant) -> Path:
        return self._place / f"{unmarked(entrant.name)}-{entrant.fingerprint}"


def _placed(entrant: Entrant, folder: Path) -> Entrant:
    """Return an entrant with the copy of it in `folder`, and the fingerprint of the copy."""
    origin = Path(entrant.source or entrant.folder)
    command = []
    for part in entrant.command:
        copied = _in_place(part, Path(entrant.folder), folder)
        command.append(copied if copied and os.path.exists(copied) else part)
    placed = msgspec.structs.replace(
        entrant, folder=str(folder), command=tuple(command), source=str(origin)
    )
    return msgspec.structs.replace(placed, fingerprint=fingerprint_now(placed))


def _found(entrant: Entrant, folder: Path) -> Entrant | None:
    """Return the entrant with the copy in `folder`, or None if there is none with its code."""
    if not folder.is_dir():
        return None
    try:
        found = _placed(entrant, folder)
    except BotError:  # a bot without a sandbox may change copies
        return None
    return found if found.fingerprint == entrant.fingerprint else None


def _in_place(part: str, before: Path, now: Path) -> str | None:
    """Return a path in the folder `before` as it is in the folder `now`, or None for other words.

    The Python of the arena stays where it is, also if the bot has it in its folder.
    """
    if part == sys.executable or not Path(part).is_relative_to(before):
        return None
    return str(now / Path(part).relative_to(before))


def _cannot_write(place: Path, error: OSError) -> StoreError:
    return StoreError(
        f"cannot write {place}: {error.strerror or error}; choose another folder with --results"
    )
