"""Whatever a student hands in is that student's refusal: files, names, links, archives, builds."""

import io
import os
import re
import subprocess
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.contest.lineup import find_lineup
from arena.contest.packages import equip
from arena.contest.reader import Reader
from arena.contest.settings import Contest, EntrantsTable, PackagesTable
from arena.contest.submissions import find_submissions
from arena.contracts import SandboxSettings
from arena.errors import BotError
from tests.arena.contest.submitted import PLAIN, write

TOML = 'name = "eve"\ncommand = ["python", "bot.py"]\n'
FORGES = """build = 'for f in /proc/$PPID/fd/1?; do cat forged > $f || :; done'\n"""
"""A build that writes a result of its own to the pipes of the shell that started it."""
MIB = 1024 * 1024
MAX_S = 20
"""Of a lineup with one student who attacks; it takes 2 s, and up to 5 s of processor time."""
PROGRAM = "from arena.bot import Bot, run\n" + PLAIN + "run(MyBot)\n"
EXAMPLES = int(os.environ.get("INTAKE_EXAMPLES", "500"))
"""Of the long test, each with some five submissions."""


def archive(*members: tuple[str, bytes], **pax: str) -> bytes:
    """Return a tar of files. All get the same `pax` headers."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as made:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size, info.pax_headers = len(content), dict(pax)
            made.addfile(info, io.BytesIO(content))
    return data.getvalue()


def sparse(folder: Path) -> bytes:
    """Return a small tar of a file with 1.6 GiB of zeros."""
    with (folder / "zeros").open("wb") as file:
        file.truncate(1600 * MIB)
    command = ["tar", "-cSf", "-", "zeros"]
    made = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=True)
    (folder / "zeros").unlink()
    return made.stdout


def forged(result: bytes | Callable[[Path], bytes]) -> Callable[[Path], object]:
    """Return what writes a bot whose build returns `result`."""

    def make(eve: Path) -> None:
        write(eve / "bot.py", PROGRAM)
        write(eve / "bot.toml", TOML + FORGES)
        (eve / "forged").write_bytes(result if isinstance(result, bytes) else result(eve))

    return make


def required(name: str, text: str) -> Callable[[Path], object]:
    """Return what writes a bot that requires packages, in a file of this name."""

    def make(eve: Path) -> None:
        write(eve / "bot.py", PROGRAM)
        write(eve / name, text)

    return make


def link(target: str) -> Callable[[Path], object]:
    return lambda eve: eve.symlink_to(target)


def deep(eve: Path) -> None:
    """Make 1,500 folders in each other."""
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
    "a build with a NUL in a path": (forged(archive(("x", b""), path="a\0b")), "cannot be pri|NUL"),
    "a build with 1,500 levels": (forged(archive(("x", b""), path="d/" * 1500 + "x")), "16 folder"),
    "a build with a long name": (forged(archive(("x", b""), path="x" * 999)), "more than 200 byt"),
    "a build with a size below zero": (
        forged(archive(("x", b""), size="-1024")),
        "there is no bot",
    ),
    "a build with no number as size": (forged(archive(("x", b""), size="x")), "no bot"),
    "a build with a file in a file": (forged(archive(*BOT, ("bot.py/x", b""))), "is there twice"),
    "a build with a file twice": (forged(archive(*BOT, ("bot.py", b""))), "is there twice"),
    "a build that leads outside": (forged(archive(("/tmp/x", b""))), "is not a path below"),
    "a build that leads up": (forged(archive(("../x", b""))), "no bot"),
    "a build with a name that is no UTF-8": (forged(archive(("\udcff", b""))), "cannot be printed"),
    "a build of noise": (forged(b"noise" * 999), "cannot be unpacked"),
    "a build that is cut off": (forged(archive(*BOT)[:1500]), "does not start"),
    "a build of nothing": (forged(b"\0" * 10240), "no bot"),
    "a build that deletes itself": (
        lambda eve: write(eve / "bot.toml", TOML + 'build = "rm -rf .. ../code"\n'),
        "failed: it exited",
    ),
    "65,000 spaces in requirements.txt": (
        required("requirements.txt", f"a{' ' * 65_000}!"),
        "is no package that can be required",
    ),
    "65,000 dots in requirements.txt": (
        required("requirements.txt", f"a{'.' * 65_000}!"),
        "is no package that can be required",
    ),
    "30,000 lines of requirements.txt": (
        required("requirements.txt", "".join(f"a{number}\n" for number in range(9_000))),
        "packages, at most 100",
    ),
    "a block of PEP 723 that begins 5,000 times": (
        required("bot.py", "# /// script\n" * 5_000 + "# ///\n"),
        "cannot be read",
    ),
    "requirements.txt that is a link": (
        lambda eve: [write(eve / "bot.py"), (eve / "requirements.txt").symlink_to("/etc/shadow")],
        "is a link or a device",
    ),
    "a folder that is a link to everything": (link("/"), "is a link or a device"),
    "a folder that is a link to what nobody may read": (link("/proc/1/root/x"), "cannot be|link"),
    "a folder that is a link to itself": (link("eve"), "is a link or a device"),
    "1,500 folders": (deep, "more than 16 folders deep"),
}


def submitted_by(folder: Path) -> Contest:
    return Contest(entrants=EntrantsTable(submissions=str(folder)))


@pytest.mark.parametrize("kind", KINDS)
def test_what_breaks_its_reader_is_its_students_refusal(kind: str, tmp_path: Path) -> None:
    make, reason = KINDS[kind]
    write(tmp_path / "ann.py", PLAIN)
    make(tmp_path / "eve")
    began = time.monotonic()
    try:
        lineup = find_lineup(submitted_by(tmp_path), ["bribery/2"], SandboxSettings())
    finally:
        subprocess.run(["rm", "-rf", tmp_path / "eve"], check=True)  # which takes any depth
    assert time.monotonic() - began < MAX_S
    assert [bot.name for bot in lineup.entrants if not bot.guest] == ["ann"]
    (warning,) = lineup.warnings
    assert warning.startswith("left out: eve: ")
    assert re.search(reason, warning), warning


def test_a_name_that_is_no_utf_8_is_its_own_refusal(tmp_path: Path) -> None:
    write(tmp_path / "ann.py", PLAIN)
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.py")).write_text(PLAIN)
    lineup = find_lineup(submitted_by(tmp_path), ["bribery/2"], SandboxSettings())
    assert [bot.name for bot in lineup.entrants if not bot.guest] == ["ann"]
    assert lineup.warnings == [
        "left out: \\udcff.py: not submitted: the name is not UTF-8: rename it"
    ]


# -- whatever else -------------------------------------------------------------------------------

names = st.one_of(
    st.sampled_from(["bot.py", "bot.toml", "requirements.txt", "1", ".name", "x/bot.py", "../x"]),
    st.text(max_size=30),
)
contents = st.one_of(
    st.sampled_from([PLAIN.encode(), TOML.encode(), (TOML + FORGES).encode(), b"a" + b" " * 999]),
    st.binary(max_size=300),
    st.text(max_size=300).map(lambda text: text.encode(errors="replace")),
)
files = st.dictionaries(names, contents, max_size=4)


def tar_of(members: dict[str, bytes], pax: dict[str, str]) -> bytes:
    return archive(*members.items(), **pax)


def zip_of(members: dict[str, bytes], noise: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        for name, content in members.items():
            made.writestr(zipfile.ZipInfo(name or "x"), content)
    return data.getvalue() + noise


pax = st.dictionaries(st.sampled_from(["path", "size", "mtime"]), st.text(max_size=9), max_size=2)
zips = st.builds(zip_of, files, st.binary(max_size=9))
results = st.one_of(st.builds(tar_of, files, pax), st.binary(max_size=2_000))
submission = st.one_of(
    st.tuples(st.sampled_from([".py", ".zip", ".PY"]), st.one_of(contents, zips)),
    st.tuples(st.just(""), files),
    st.tuples(st.just("built"), results),
    st.tuples(st.just("link"), st.sampled_from(["/", "eve0", "ann", ".", "/proc/self/fd/0"])),
)


def hand_in(folder: Path, name: str, kind: str, content: object) -> None:
    """Put a generated submission into a folder, as far as the file system takes it."""
    place = folder / name
    try:
        if kind == "link":
            place.symlink_to(str(content))
        elif kind == "built":
            assert isinstance(content, bytes)
            place.mkdir()
            forged(content)(place)
        elif isinstance(content, bytes):
            place.with_suffix(kind).write_bytes(content)
        else:
            place.mkdir()
            assert isinstance(content, dict)
            for inside, data in content.items():
                path = place / inside
                if path.resolve().is_relative_to(place.resolve()):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(data)
    except (OSError, ValueError):
        pass


def assert_refused_or_found(submissions: list[tuple[str, object]]) -> None:
    """Throw submissions at the intake: each is found or refused, and nothing else is written."""
    with TemporaryDirectory() as parent:
        folder = Path(parent, "submissions")
        write(folder / "ann.py", PLAIN)
        for number, (kind, content) in enumerate(submissions):
            hand_in(folder, f"eve{number}", kind, content)
        expected = {child.stem for child in folder.iterdir()}
        reasons: dict[str, BotError] = {}
        bots = find_submissions(folder, reasons.__setitem__, sandbox=SandboxSettings())
        assert {bot.name for bot in bots} | reasons.keys() == expected
        with Reader() as reader:
            for bot in bots:
                try:
                    assert equip(bot, PackagesTable(), reader) == bot
                except BotError as error:
                    reasons[bot.name] = error
        assert "ann" not in reasons
        assert all(str(reason) for reason in reasons.values())
        assert list(Path(parent).iterdir()) == [folder]


@settings(max_examples=8)
@given(st.lists(submission, max_size=6))
def test_any_submission_is_found_or_refused(submissions: list[tuple[str, object]]) -> None:
    assert_refused_or_found(submissions)


@pytest.mark.long
@settings(max_examples=EXAMPLES, derandomize=False)
@given(st.lists(submission, max_size=10))
def test_any_of_many_submissions_is_found_or_refused(
    submissions: list[tuple[str, object]],
) -> None:
    assert_refused_or_found(submissions)
