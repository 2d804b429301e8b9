"""Attacks 126 and 127: a student swaps files for links, or hard links, while the arena reads them.

The test stops each reader before each of its system calls, by an audit hook of Python, and swaps
there. In a folder that students share they can do so whenever the arena runs.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest

from arena.base.errors import BotError
from arena.contest.bot_files import incoming_bot, named_bot
from arena.contest.fingerprint import copy_bot, fingerprint_now

SECRET = "# the secret of the contest"
PLAIN = "import helper\nclass MyBot:\n    def act(self, view, legal):\n        return legal[0]\n"
FILES = ("bot.py", "helper.py", "secret.txt")
EVES = {"eve", "2", "zz", "bot.toml", *FILES}
STEPS = ("open", "os.scandir", "os.listdir")
"""The events of Python before a system call that looks at a path."""


class Swapper:
    """Swaps at one event of those that come while it is armed."""

    def __init__(self) -> None:
        self.swap: Callable[[], None] | None = None
        self.left = 0
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.swap is None or event not in STEPS:
            return
        looked_at = arguments[0]
        if isinstance(looked_at, str) and os.path.basename(looked_at) not in EVES:
            return  # on the way to her files, where she can swap nothing
        self.left -= 1
        if self.left == 0:
            swap, self.swap = self.swap, None
            swap()

    @contextmanager
    def armed(self, swap: Callable[[], None], step: int) -> Iterator[None]:
        """Swap before the system call `step`, counted from 1, of this context."""
        self.swap, self.left = swap, step
        try:
            yield
        finally:
            self.swap = None


SWAPPER = Swapper()


NOBODY = 65534


def give(path: Path) -> None:
    """Give a file to the account of eve, if the tests may do that."""
    if os.geteuid() == 0:
        os.lchown(path, NOBODY, NOBODY)


class Class:
    """A shared folder of submissions, beside a secret, with what eve has in it."""

    def __init__(self, parent: Path) -> None:
        self.contest, self.scratch = parent / "contest", parent / "scratch"
        self.eve = self.contest / "submissions" / "eve"
        (self.eve / "2" / "zz").mkdir(parents=True)
        self.scratch.mkdir()
        (self.contest / "bot.py").write_text(SECRET)
        for name in ("helper.py", "secret.txt"):
            (self.contest / name).write_text(SECRET)
        for folder in (self.eve, self.eve / "2", self.eve / "2" / "zz"):
            for name in ("helper.py", "secret.txt"):
                (folder / name).write_text("# mine\n")
        (self.eve / "2" / "bot.py").write_text(PLAIN)
        (self.eve / "2" / "bot.toml").write_text('name = "eve"\ncommand = ["python", "bot.py"]\n')
        for path in (self.eve, *self.eve.rglob("*")):
            path.chmod(0o777)
            give(path)

    def swaps(self) -> Iterator[Callable[[], None]]:
        """Yield what eve can do to her files."""
        version = self.eve / "2"
        for path in (self.eve, version, version / "zz"):
            yield lambda path=path: self._replace(path, self.contest)  # type: ignore[misc]
        for path in [version / name for name in FILES]:
            target = self.contest / path.name
            yield lambda path=path, target=target: self._replace(path, target)  # type: ignore[misc]
            yield lambda path=path, target=target: self._link(path, target)  # type: ignore[misc]

    def _replace(self, path: Path, target: Path) -> None:
        path.rename(path.with_name(".gone"))
        path.symlink_to(target)
        give(path)

    def _link(self, path: Path, target: Path) -> None:
        path.rename(path.with_name(".gone"))
        path.hardlink_to(target)


def submitted(eve: Class) -> object:
    return incoming_bot(eve.eve / "2", "eve", (), eve.scratch)


def submitted_file(eve: Class) -> object:
    return incoming_bot(eve.eve / "2" / "bot.py", "eve", (), eve.scratch)


def named(eve: Class) -> object:
    """Name a folder, as `--bot` does, and copy it for a run."""
    return copied(eve, named_bot(eve.eve / "2", ()).entrant)


def named_file(eve: Class) -> object:
    return copied(eve, named_bot(eve.eve / "2" / "bot.py", ()).entrant)


def copied(eve: Class, bot: object) -> object:
    copy_bot(bot, eve.scratch / "copy", False)  # type: ignore[arg-type]
    return fingerprint_now(bot)  # type: ignore[arg-type]


INTAKES = (submitted, submitted_file, named, named_file)


@pytest.mark.parametrize("intake", INTAKES)
@pytest.mark.parametrize(
    "every", [pytest.param(1, marks=pytest.mark.long), 11], ids=["each step", "some steps"]
)
def test_swapping_files_never_copies_foreign_files(
    intake: Callable[[Class], object], every: int, tmp_path: Path
) -> None:
    tried, swaps = 0, len([*Class(tmp_path / "first").swaps()])
    for number in range(swaps):
        for step in count(number % every + 1, every):
            eve = Class(tmp_path / f"{number}-{step}")
            swap = [*eve.swaps()][number]
            with SWAPPER.armed(swap, step):
                with suppress(BotError, OSError):
                    answer = intake(eve)
                    assert SECRET not in repr(answer)
                is_over = SWAPPER.swap is not None
            if is_over:
                break
            tried += 1
            loot = [path for path in eve.scratch.rglob("*") if path.is_file() or path.is_symlink()]
            assert not [path for path in loot if SECRET in path.read_text()], (number, step)
    assert tried


def test_reads_unswapped_files(tmp_path: Path) -> None:
    for intake in INTAKES:
        assert intake(Class(tmp_path / intake.__name__))
    assert os.listdir(tmp_path)
