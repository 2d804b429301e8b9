"""Find the bots of runs and fault files, with their current code."""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from arena.base.errors import BotError
from arena.base.record import Entrant, unmarked
from arena.contest.bot_files import named_bot, stored_bot
from arena.contest.entrants import find_registered, is_registered, is_submission, unpack
from arena.contest.reader import Reader
from arena.contest.settings import INTERPRETERS


def find_again(
    entrant: Entrant,
    interpreters: Sequence[str] = INTERPRETERS,
    unpacked: ExitStack | None = None,
) -> Entrant:
    """Return an entrant with its current code. Compare fingerprints to see whether it has changed.

    If its code is gone, the copy in its run is used. Submissions are handled the same way,
    unless `unpacked` is given. The stored command is never executed, since records and fault
    files may come from strangers.

    Raises:
        BotError: the bot no longer exists, or it was a program of `contest.toml`.
    """
    if is_registered(entrant) and (registered := find_registered(unmarked(entrant.name))):
        return msgspec.structs.replace(registered, name=entrant.name)
    if unpacked and is_submission(Path(entrant.origin)):
        found = unpack(Path(entrant.origin), tuple(interpreters), unpacked)
        return msgspec.structs.replace(found, name=entrant.name)
    try:
        return _found_in(entrant.origin, entrant, tuple(interpreters))
    except BotError:
        if not entrant.source or not os.path.isdir(entrant.folder):
            raise
    found = _found_in(entrant.folder, entrant, tuple(interpreters))
    return msgspec.structs.replace(found, source=entrant.source)


def _found_in(folder: str, entrant: Entrant, interpreters: tuple[str, ...]) -> Entrant:
    path = Path(folder, entrant.command[-1]) if entrant.files else Path(folder)
    is_stored = path.is_dir() and path.name == entrant.fingerprint
    with Reader() as reader:
        if path.name.endswith(entrant.fingerprint):
            found = reader.run(path.name, stored_bot, path, unmarked(entrant.name), interpreters)
        else:
            found = reader.run(path.name, named_bot, path, unmarked(entrant.name), interpreters)
    again = msgspec.structs.replace(found.entrant, name=entrant.name)
    # A bot of an inbox never changes. Its fingerprint is older than its build.
    return msgspec.structs.replace(again, fingerprint=path.name) if is_stored else again
