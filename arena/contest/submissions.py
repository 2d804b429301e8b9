"""Submissions: a folder with a bot, in one or more versions, for each student.

    submissions/
        ann.py          a bot in one file
        ben.zip         a zip of a bot
        cem/            a bot's folder: with bot.toml, with bot.py, or with one .py file
        dora/1/  2/     versions, as `arena submit` numbers them
        .unpacked/      a folder for each file and zip, in which it plays
        .incoming-X/    an incomplete submission, perhaps left by a killed `arena submit`

The newest version plays. Bots have the names of their students, so that two students may both
submit a `my_bot`.
"""

import hashlib
import re
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.contest.archive import MAX_DEPTH, copy_submission, is_code
from arena.contest.entrants import BOT_FILE, checked_name, from_file, from_folder
from arena.errors import BotError, SubmissionError
from arena.protocol import printable
from arena.record import Entrant

UNPACKED = ".unpacked"
INCOMING_PREFIX = ".incoming-"
"""The prefix of a folder that holds a submission until it is complete."""
BOT_PROGRAM = "bot.py"
PACKED = (".py", ".zip")
_NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)
MAX_VERSION_TRIES = 100
"""Attempts to get the next version number while other processes take numbers too."""


def find_submissions(folder: Path, leave_out: Callable[[str, BotError], object]) -> list[Entrant]:
    """Return the bots of all students, by name.

    Args:
        folder: the folder of the submissions.
        leave_out: called with the name of each student without a usable bot, and the reason.

    Raises:
        SubmissionError: the folder cannot be read.
    """
    by_name: dict[str, list[Path]] = {}
    for child in _visible(folder):
        if is_code(Path(child.name)):  # `__MACOSX`, which comes with archives, is not a student
            by_name.setdefault(_name_of(child), []).append(child)
    entrants = []
    for name, children in sorted(by_name.items()):
        try:
            if len(children) > 1:
                raise SubmissionError(f"{_listed(children)} have the same name: keep one of them")
            entrants.append(_bot_at(children[0], checked_name(name), folder))
        except BotError as error:
            leave_out(printable(name), error)
    return entrants


def _listed(paths: list[Path]) -> str:
    return " and ".join([printable(path.name) for path in paths])


def _name_of(child: Path) -> str:
    """Return the name of a student's bot: `Müller, Ann.zip` gives `Muller-Ann`."""
    name = child.stem if child.suffix.lower() in PACKED else child.name
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^\w.+-]+", "-", plain, flags=re.ASCII).strip("-") or name


def _visible(folder: Path) -> list[Path]:
    try:
        return sorted([one for one in folder.iterdir() if not one.name.startswith(".")])
    except OSError as error:
        raise SubmissionError(
            f"cannot read the submissions in {folder}: {error.strerror}; `arena init` makes "
            "this folder"
        ) from None


def _bot_at(path: Path, name: str, submissions: Path) -> Entrant:
    if not path.is_dir():
        return bot_in(_unpacked(path, submissions), name, path)
    if numbers := versions(path):
        return bot_in(path / str(numbers[-1]), name)
    inside = [child for child in _visible(path) if is_code(Path(child.name))]
    # Some teaching platforms export a folder for each student with the submitted file in it.
    if len(inside) == 1 and inside[0].suffix.lower() == ".zip":
        return bot_in(_unpacked(inside[0], submissions), name, inside[0])
    return bot_in(path, name)


def bot_in(folder: Path, name: str, source: Path | None = None) -> Entrant:
    """Return the bot in a student's folder, with the name `name`.

    The bot is the one in `bot.toml`, or else `bot.py`, or else the only Python file. It may be in a
    subfolder if that is alone in the folder. Errors name `source` if the bot was copied from there.

    Raises:
        BotError: there is no bot.
    """
    here = folder.resolve()
    for _ in range(MAX_DEPTH):
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
        f"{BOT_PROGRAM}, or a single .py file"
    )


# -- files and zips ----------------------------------------------------------------------------


def _unpacked(source: Path, submissions: Path) -> Path:
    """Return the folder with the contents of a file or zip, and nothing else.

    Its name depends on the name and content of `source`, so runs that have played it find it
    unchanged later.
    """
    if not source.is_file():
        raise SubmissionError(f"{printable(source.name)} is not a plain file")
    try:
        with source.open("rb") as file:
            content = hashlib.file_digest(file, "blake2b").digest()
        (submissions / UNPACKED).mkdir(exist_ok=True)
    except OSError as error:
        raise SubmissionError(f"cannot unpack {source}: {error.strerror}") from None
    key = hashlib.blake2b(source.name.encode("utf-8", "surrogateescape") + b"\0" + content)
    place = submissions / UNPACKED / key.hexdigest()[:32]
    if not place.is_dir():
        with _incoming_folder(submissions / UNPACKED) as folder:
            copy_submission(source, folder)
            _move(folder, place)  # another process may have unpacked the same file
    return place


@contextmanager
def _incoming_folder(parent: Path) -> Iterator[Path]:
    """Yield a new folder for an incomplete submission. It is deleted at the end if not moved."""
    try:
        outer = tempfile.TemporaryDirectory(prefix=INCOMING_PREFIX, dir=parent)
        folder = Path(outer.name, "bot")
        folder.mkdir()  # with the usual mode, since the outer one is private
    except OSError as error:
        raise SubmissionError(f"cannot write {parent}: {error.strerror}") from None
    with outer:
        yield folder


def _move(folder: Path, place: Path) -> bool:
    """Move a folder to `place`. Return False if there is a folder already."""
    try:
        folder.rename(place)
    except OSError as error:
        if not place.is_dir():
            raise SubmissionError(f"cannot write {place}: {error.strerror}") from None
        return False
    return True


# -- versions ----------------------------------------------------------------------------------


def versions(folder: Path) -> list[int]:
    """Return the version numbers in a student's folder, with the newest last."""
    if not folder.is_dir():
        return []
    children = _visible(folder)
    if any(child.name == BOT_FILE or child.suffix.lower() == ".py" for child in children):
        return []  # a bot with folders of its own
    return sorted(
        [int(one.name) for one in children if _NUMBER.fullmatch(one.name) and one.is_dir()]
    )


class Incoming(NamedTuple):
    """A complete submission that has no version number yet."""

    bot: Entrant
    folder: Path
    submissions: Path


@contextmanager
def incoming(source: Path, name: str, submissions: Path) -> Iterator[Incoming]:
    """Yield a student's submission. It is deleted at the end unless `keep` has moved it.

    Raises:
        SubmissionError: the submission is refused or cannot be copied.
        BotError: there is no bot in it.
    """
    checked_name(name)
    for child in _visible(submissions):
        if _name_of(child).casefold() == name.casefold() and not _takes_versions(child, name):
            raise SubmissionError(
                f"{printable(child.name)} is in {submissions} already, and is not a folder of "
                f"versions of {name}: choose another name with --name, or move it away"
            )
    with _incoming_folder(submissions) as folder:
        copy_submission(source, folder)
        yield Incoming(bot_in(folder, name, source), folder, submissions)


def _takes_versions(child: Path, name: str) -> bool:
    return child.name == name and child.is_dir() and bool(versions(child) or not _visible(child))


def keep(submitted: Incoming) -> tuple[Path, bool]:
    """Keep a submission as the next version. Former versions stay.

    Returns:
        The folder of the version, and whether it is new. A submission that equals the newest
        version is not kept twice.

    Raises:
        SubmissionError: the folder cannot be written, or the bot has changed its own files.
    """
    bot, folder, submissions = submitted
    if not _is_same(bot, folder):
        raise SubmissionError(
            f"{bot.name} is refused: it has changed files of its own during the check; write to "
            "/tmp or to files that end in .log instead"
        )
    place = submissions / bot.name
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        raise SubmissionError(f"cannot write {place}: {error.strerror}") from None
    for _ in range(MAX_VERSION_TRIES):
        newest = (versions(place) or [0])[-1]
        if newest and _is_same(bot, place / str(newest)):
            return place / str(newest), False
        if _move(folder, place / str(newest + 1)):
            return place / str(newest + 1), True
    raise SubmissionError(f"too many submissions for {bot.name} at the same time: try again")


def _is_same(bot: Entrant, folder: Path) -> bool:
    try:
        return bot_in(folder, bot.name).fingerprint == bot.fingerprint
    except BotError:
        return False
