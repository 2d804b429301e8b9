"""A folder of submissions: one child for each student, whose newest version plays.

    submissions/
        ann.py          a bot in one file
        ben.zip         a zip of a bot
        cem/            a bot's folder: with bot.toml, with bot.py, or with one .py file
        dora/1/  2/     versions, as `arena submit` numbers them
        .unpacked/      where files and zips play, each alone in a folder
        .incoming-X/    what is not whole yet, or is left of an `arena submit` that was killed

Bots are called like their students, so that two of them may both have written a `my_bot`.
"""

import hashlib
import re
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.contest.archive import MOST_DEPTH, is_code, take
from arena.contest.entrants import BOT_FILE, checked_name, from_file, from_folder
from arena.errors import BotError, SubmissionError
from arena.protocol import printable
from arena.record import Entrant

UNPACKED = ".unpacked"
ASIDE = ".incoming-"
"""Begins the name of a folder in which a submission lies until it is whole."""
BOT_PROGRAM = "bot.py"
PACKED = (".py", ".zip")
_NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)
MOST_TRIES = 100
"""Numbers that are tried for a version while others are handed in."""


def find_submissions(folder: Path, leave_out: Callable[[str, BotError], object]) -> list[Entrant]:
    """Return the bots of all students, by name.

    Args:
        folder: that of the submissions.
        leave_out: called with the name of each student who has no bot there, and why.

    Raises:
        SubmissionError: the folder cannot be read.
    """
    by_name: dict[str, list[Path]] = {}
    for child in _visible(folder):
        if is_code(Path(child.name)):  # no student is the `__MACOSX` that comes with archives
            by_name.setdefault(_name_of(child), []).append(child)
    entrants = []
    for name, children in sorted(by_name.items()):
        try:
            if len(children) > 1:
                raise SubmissionError(f"{_listed(children)} are of one name: keep one of them")
            entrants.append(_bot_at(children[0], checked_name(name), folder))
        except BotError as error:
            leave_out(printable(name), error)
    return entrants


def _listed(paths: list[Path]) -> str:
    return " and ".join([printable(path.name) for path in paths])


def _name_of(child: Path) -> str:
    """Return a student's name as a bot's name can be: `Müller, Ann.zip` gives `Muller-Ann`."""
    name = child.stem if child.suffix.lower() in PACKED else child.name
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^\w.+-]+", "-", plain, flags=re.ASCII).strip("-") or name


def _visible(folder: Path) -> list[Path]:
    try:
        return sorted([one for one in folder.iterdir() if not one.name.startswith(".")])
    except OSError as error:
        raise SubmissionError(
            f"cannot read the submissions in {folder}: {error.strerror}; `arena init` makes such a "
            "folder"
        ) from None


def _bot_at(path: Path, name: str, submissions: Path) -> Entrant:
    if not path.is_dir():
        return bot_in(_unpacked(path, submissions), name, path)
    if numbers := versions(path):
        return bot_in(path / str(numbers[-1]), name)
    inside = [child for child in _visible(path) if is_code(Path(child.name))]
    # Some teaching platforms hand out a folder for each student with the file in it.
    if len(inside) == 1 and inside[0].suffix.lower() == ".zip":
        return bot_in(_unpacked(inside[0], submissions), name, inside[0])
    return bot_in(path, name)


def bot_in(folder: Path, name: str, source: Path | None = None) -> Entrant:
    """Return the bot in a student's folder, entered under this name.

    It is what `bot.toml` describes, else `bot.py`, else the only Python file; and it may lie in a
    folder in the folder, if there is nothing beside that. `source` is where it comes from, if not
    from there.

    Raises:
        BotError: there is no bot.
    """
    here = folder.resolve()
    for _ in range(MOST_DEPTH):
        children = [child for child in _visible(here) if is_code(Path(child.name))]
        if here / BOT_FILE in children:
            return from_folder(here, name)
        programs = [one for one in children if one.suffix.lower() == ".py" and one.is_file()]
        if here / BOT_PROGRAM in programs:
            return from_file(here / BOT_PROGRAM, name)
        if len(programs) == 1:
            return from_file(programs[0], name)
        if len(children) != 1 or not children[0].is_dir():
            break
        here = children[0]
    raise SubmissionError(
        f"there is no bot in {printable(str(source or folder))}: expected {BOT_FILE}, "
        f"{BOT_PROGRAM}, or one single .py file"
    )


# -- files and zips ----------------------------------------------------------------------------


def _unpacked(source: Path, submissions: Path) -> Path:
    """Return the folder that holds what a file or zip does, and nothing else.

    It is called after name and content, so what has been there once stays as it is for the runs
    that have played it.
    """
    if not source.is_file():
        raise SubmissionError(f"{printable(source.name)} is no plain file")
    try:
        with source.open("rb") as file:
            content = hashlib.file_digest(file, "blake2b").digest()
        (submissions / UNPACKED).mkdir(exist_ok=True)
    except OSError as error:
        raise SubmissionError(f"cannot unpack {source}: {error.strerror}") from None
    key = hashlib.blake2b(source.name.encode("utf-8", "surrogateescape") + b"\0" + content)
    place = submissions / UNPACKED / key.hexdigest()[:32]
    if not place.is_dir():
        with _aside(submissions / UNPACKED) as folder:
            take(source, folder)
            _put(folder, place)  # another process may have unpacked the same meanwhile
    return place


@contextmanager
def _aside(parent: Path) -> Iterator[Path]:
    """Yield a new folder for what is not whole yet; what is left of it at the end is deleted."""
    try:
        aside = tempfile.TemporaryDirectory(prefix=ASIDE, dir=parent)
        folder = Path(aside.name, "bot")
        folder.mkdir()  # what is in there is read by whoever may read the submissions
    except OSError as error:
        raise SubmissionError(f"cannot write {parent}: {error.strerror}") from None
    with aside:
        yield folder


def _put(folder: Path, place: Path) -> bool:
    """Give a whole folder its name; return whether it got it, or there is one of this name."""
    try:
        folder.rename(place)
    except OSError as error:
        if not place.is_dir():
            raise SubmissionError(f"cannot write {place}: {error.strerror}") from None
        return False
    return True


# -- versions ----------------------------------------------------------------------------------


def versions(folder: Path) -> list[int]:
    """Return the numbers of a student's versions, the newest last; none if it is no such folder."""
    if not folder.is_dir():
        return []
    children = _visible(folder)
    if any(child.name == BOT_FILE or child.suffix.lower() == ".py" for child in children):
        return []  # it is a bot, with folders of its own
    return sorted(
        [int(one.name) for one in children if _NUMBER.fullmatch(one.name) and one.is_dir()]
    )


class Incoming(NamedTuple):
    """A bot that is handed in: it is whole, and lies aside."""

    bot: Entrant
    folder: Path
    submissions: Path


@contextmanager
def incoming(source: Path, name: str, submissions: Path) -> Iterator[Incoming]:
    """Yield what a student hands in; what is not given a place with `keep` is deleted at the end.

    Raises:
        SubmissionError: it is refused, or there is no place for it.
        BotError: there is no bot in it.
    """
    checked_name(name)
    for child in _visible(submissions):
        if _name_of(child).casefold() == name.casefold() and not _takes_versions(child, name):
            raise SubmissionError(
                f"{printable(child.name)} is in {submissions} already, and no folder of versions "
                f"of {name}: choose another name with --name, or move it away"
            )
    with _aside(submissions) as folder:
        take(source, folder)
        yield Incoming(bot_in(folder, name, source), folder, submissions)


def _takes_versions(child: Path, name: str) -> bool:
    return child.name == name and child.is_dir() and bool(versions(child) or not _visible(child))


def keep(handed_in: Incoming) -> tuple[Path, bool]:
    """Put an incoming bot into its place as the next version; the former ones stay.

    Returns:
        Its folder, and whether it is new: what is the newest version already is not kept twice.

    Raises:
        SubmissionError: it cannot be written, or has changed since it was handed in.
    """
    bot, folder, submissions = handed_in
    if not _is_same(bot, folder):
        raise SubmissionError(
            f"{bot.name} is refused: it has changed files of its own while it was checked; it may "
            "write into /tmp, and into files that end in .log"
        )
    place = submissions / bot.name
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        raise SubmissionError(f"cannot write {place}: {error.strerror}") from None
    for _ in range(MOST_TRIES):
        newest = (versions(place) or [0])[-1]
        if newest and _is_same(bot, place / str(newest)):
            return place / str(newest), False
        if _put(folder, place / str(newest + 1)):
            return place / str(newest + 1), True
    raise SubmissionError(f"too much is handed in for {bot.name} at once: try again")


def _is_same(bot: Entrant, folder: Path) -> bool:
    try:
        return bot_in(folder, bot.name).fingerprint == bot.fingerprint
    except BotError:
        return False
