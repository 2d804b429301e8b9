"""Tests that no submission harms anyone but its author: files, names, links, archives, builds."""

import io
import os
import random
import re
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arena.base.contracts import SandboxSettings
from arena.base.errors import BotError
from arena.contest.admission import Judge, SubmissionRules
from arena.contest.bot_files import built_bot
from arena.contest.inbox import Inbox, Sent
from arena.contest.reader import read_untrusted, unpacking_folder
from arena.contest.roster import Student
from tests.arena.contest.submitted import PLAIN, write

TOML = 'name = "eve"\ncommand = ["python", "bot.py"]\n'
FORGES = """build = 'for f in /proc/$PPID/fd/1?; do cat forged > $f || :; done'\n"""
"""A build that writes a result of its own to the pipes of the shell that started it."""
MIB = 1024 * 1024
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
PROGRAM = "from arena.bot import Bot, run\n" + PLAIN + "run(MyBot)\n"
AT_ONCE = 100
"""Number of random submissions that one process reads."""


def archive(*members: tuple[str, bytes], **pax: str) -> bytes:
    """Return a tar archive of files with the same `pax` headers."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as made:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size, info.pax_headers = len(content), dict(pax)
            made.addfile(info, io.BytesIO(content))
    return data.getvalue()


def sparse(folder: Path) -> bytes:
    """Return a small tar archive of a file with 1.6 GiB of zeros."""
    with (folder / "zeros").open("wb") as file:
        file.truncate(1600 * MIB)
    command = ["tar", "-cSf", "-", "zeros"]
    made = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=True)
    (folder / "zeros").unlink()
    return made.stdout


def forged(result: bytes | Callable[[Path], bytes]) -> Callable[[Path], object]:
    """Return a function that writes a bot whose build returns `result`."""

    def make(eve: Path) -> None:
        write(eve / "bot.py", PROGRAM)
        write(eve / "bot.toml", TOML + FORGES)
        (eve / "forged").write_bytes(result if isinstance(result, bytes) else result(eve))

    return make


def link(target: str) -> Callable[[Path], object]:
    return lambda eve: eve.symlink_to(target)


def deep(eve: Path) -> None:
    """Create 1,500 nested folders."""
    eve.mkdir()
    here = os.open(eve, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


BOT = ("bot.toml", TOML.encode()), ("bot.py", PROGRAM.encode())
KINDS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a build of 1.6 GiB in a sparse file": (forged(sparse), "is too large"),
    "a build of 100,000 files": (
        forged(archive(*[(f"f{number}", b"") for number in range(100_000)])),
        "more than 1,000 files|processor time",
    ),
    "a build with a NUL in a path": (forged(archive(("x", b""), path="a\0b")), "no bot|NUL"),
    "a build with a size below zero": (
        forged(archive(("x", b""), size="-1024")),
        "there is no bot",
    ),
    "a build with no number as size": (forged(archive(("x", b""), size="x")), "no bot"),
    "a build that leads up": (forged(archive(("../x", b""))), "no bot"),
    "a build with a name that is no UTF-8": (forged(archive(("\udcff", b""))), "no bot"),
    "a build of noise": (forged(b"noise" * 999), "cannot be unpacked"),
    "a build that is cut off": (forged(archive(*BOT)[:1500]), "does not exist"),
    "a build of nothing": (forged(b"\0" * 10240), "no bot"),
    "a build that deletes itself": (
        lambda eve: write(eve / "bot.toml", TOML + 'build = "rm -rf .. ../code"\n'),
        "failed: it exited",
    ),
    "a folder that is a link to everything": (link("/"), "is a link"),
    "a folder that is a link to what nobody may read": (link("/proc/1/root/x"), "cannot be|link"),
    "a folder that is a link to another student": (link("ann.py"), "is a link"),
    "1,500 folders": (deep, "more than 16 folders deep"),
}


@pytest.mark.slow
def test_rejects_submissions_that_break_the_reader(folder: Path, tmp_path: Path) -> None:
    write(tmp_path / "ann.py", PLAIN)
    rules = SubmissionRules(Inbox(folder))
    with rules.inbox:
        judge = Judge(rules, SandboxSettings, None)
        try:
            for number, (kind, (make, reason)) in enumerate(KINDS.items()):
                place = tmp_path / f"eve-{number}"
                make(place)
                refused = judge.hand_in(place, Sent(Student("eve", "Eve"), NOON))
                assert refused.state == "refused", kind
                assert re.search(reason, refused.reason), kind
        finally:
            # `rm` takes any depth.
            subprocess.run(["rm", "-rf", *tmp_path.glob("eve-*")], check=True)
    assert not rules.inbox.lineup()


# -- whatever else -------------------------------------------------------------------------------

NAMES = ("bot.py", "bot.toml", "1", "2/bot.py", ".name", "x/bot.py", "../x")
TEXTS = (
    *(PLAIN.encode(), PROGRAM.encode(), TOML.encode(), (TOML + 'build = "true"\n').encode()),
    *(b"import x.y\nfrom . import z\n" + PLAIN.encode(), b"a" + b" " * 999 + b"!", b""),
)
Files = dict[str, bytes]


class Maker:
    """Creates random submissions by changing bytes, names and sizes of typical ones."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def content(self) -> bytes:
        return self.changed(bytearray(self.rng.choice(TEXTS)))

    def changed(self, data: bytearray) -> bytes:
        """Return data with some bytes changed, doubled or removed. Half of the data stays
        unchanged.
        """
        for _ in range(self.rng.choice((0, 0, 0, 1, 2, 9))):
            at, end = sorted(self.rng.choices(range(len(data) + 1), k=2))
            match self.rng.randrange(5):
                case 0:
                    data[at:end] = self.rng.randbytes(min(end - at, 40))
                case 1:
                    del data[at:end]
                case 2:
                    data[at:at] = data[at:end] * self.rng.randrange(3)
                case 3:
                    data[at:at] = self.rng.choice((b"\0", b"\n", b"[" * 99, b"9" * 99, b"\xff"))
                case 4 if data:
                    data[at - 1] ^= 1 << self.rng.randrange(8)
        return bytes(data)

    def name(self) -> str:
        name = self.rng.choice(NAMES)
        if self.rng.random() < 0.7:
            return name
        letters = [chr(self.rng.choice((*range(128), 228, 769, 8238, 0x1F600))) for _ in range(9)]
        return "".join(self.rng.sample([*name, *letters], self.rng.randrange(1, 9)))

    def files(self) -> Files:
        made = {self.name(): self.content() for _ in range(self.rng.randrange(4))}
        return made if self.rng.random() < 0.3 else {"bot.py": PROGRAM.encode(), **made}

    def zip(self) -> bytes:
        """Return a zip that may be damaged."""
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", self.rng.choice((0, 8))) as made:
            for name, content in self.files().items():
                made.writestr(zipfile.ZipInfo(name or "x"), content)
        return self.changed(bytearray(data.getvalue()))

    def build(self) -> bytes:
        """Return a build result that may be damaged."""
        headers = {"path": self.name(), "size": str(self.rng.randrange(-9, 9999)), "mtime": "x"}
        pax = {key: headers[key] for key in self.rng.sample([*headers], self.rng.randrange(3))}
        return self.changed(bytearray(archive(*self.files().items(), **pax)))

    def submit(self, place: Path) -> None:
        """Write a submission to `place`, as far as the file system allows it."""
        with suppress(OSError, ValueError):
            match self.rng.randrange(8):
                case 0:
                    place.symlink_to(self.rng.choice(("/", "eve0", "ann", ".", "/proc/self/fd/0")))
                case 1 | 2:
                    place.with_suffix(self.rng.choice((".py", ".PY"))).write_bytes(self.content())
                case 3 | 4:
                    place.with_suffix(".zip").write_bytes(self.zip())
                case _:
                    place.mkdir()
                    for name, content in self.files().items():
                        path = place / name
                        if path.resolve().is_relative_to(place):
                            path.parent.mkdir(parents=True, exist_ok=True)
                            path.write_bytes(content)


def try_submissions(seed: int) -> None:
    """Submit random bots, most of which must be accepted or rejected.

    A quarter of them are build results, which are unpacked as after a build.
    """
    maker = Maker(seed)
    with TemporaryDirectory() as parent:
        folder, inbox = Path(parent, "submissions").resolve(), Inbox(Path(parent))
        write(folder / "ann.py", PLAIN)
        for number in range(AT_ONCE * 3 // 4):
            maker.submit(folder / f"eve{number}")
        for source in folder.iterdir():
            received = inbox.receive(source, Sent(Student(source.stem, source.stem), NOON))
            assert (received.state == "waiting") == bool(received.fingerprint)
            assert received.reason.isprintable()
            if received.fingerprint:
                inbox.bot_of(received)
            assert received.fingerprint or source.stem != "ann"
        with unpacking_folder() as scratch:
            for number in range(AT_ONCE // 4):
                archive_file, made = scratch / "tar", scratch / f"bot{number}"
                archive_file.write_bytes(maker.build())
                with suppress(BotError):
                    read_untrusted("eve", built_bot, archive_file, made, "eve", ())
        left = {path.name for path in Path(parent).iterdir()}
        assert left == {"submissions", "bots", "inbox.db"}


@pytest.mark.parametrize(
    "seed", [0, 1, *[pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 200)]]
)
def test_accepts_or_rejects_random_submissions(seed: int) -> None:
    try_submissions(seed)
