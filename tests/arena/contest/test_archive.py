"""Tests that submissions are copied completely into their own folder, or rejected."""

import io
import os
import stat
import struct
import unicodedata
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.base.errors import SubmissionError
from arena.contest import archive
from arena.contest.archive import copy_submission
from tests.needs import need

NOBODY = 65534


def packed(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of these files. Any name is allowed."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as made:
        for name, content in files.items():
            info = zipfile.ZipInfo("x")
            info.filename, info.compress_type = name, method
            made.writestr(info, content)
    return data.getvalue()


def special(kind: int) -> bytes:
    """Return a zip with an entry of a special kind, such as a link."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        info = zipfile.ZipInfo("bot.py")
        info.external_attr = (kind | 0o777) << 16
        made.writestr(info, "/etc/passwd")
    return data.getvalue()


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def taken(source: Path) -> dict[str, bytes]:
    """Copy a submission, and return the resulting files."""
    with TemporaryDirectory() as folder:
        try:
            copy_submission(source, Path(folder))
        except SubmissionError:
            assert tree(Path(folder)) == {} or archive.MAX_SIZE < archive.MIB
            raise
        return tree(Path(folder))


def taken_zip(data: bytes, tmp_path: Path) -> dict[str, bytes]:
    (tmp_path / "bot.zip").write_bytes(data)
    return taken(tmp_path / "bot.zip")


# -- taken -------------------------------------------------------------------------------------


def test_copies_files_and_zips_with_folders(tmp_path: Path) -> None:
    (tmp_path / "my bot.py").write_text("x = 1\n")
    assert taken(tmp_path / "my bot.py") == {"my bot.py": b"x = 1\n"}
    data = packed({"bot.toml": b"x", "tables/é.bin": bytes(5000), "empty/": b""})
    assert taken_zip(data, tmp_path) == {"bot.toml": b"x", "tables/é.bin": bytes(5000)}
    zeros = bytes(archive.MIB)
    assert taken_zip(packed({"zeros": zeros}), tmp_path) == {"zeros": zeros}, "no bomb"


def test_skips_files_other_than_code(tmp_path: Path) -> None:
    junk = ("__MACOSX/._bot.py", ".git/HEAD", ".venv/bin/python", "a/__pycache__/x.pyc", "my.log")
    files = dict.fromkeys(("bot.py", "a/b.py", *junk), b"")
    assert set(taken_zip(packed(files), tmp_path)) == {"bot.py", "a/b.py"}
    for name in files:
        path = tmp_path / "bot" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "bot" / ".venv" / "link").symlink_to("/")
    assert set(taken(tmp_path / "bot")) == {"bot.py", "a/b.py"}


def test_keeps_only_the_executable_bit(tmp_path: Path) -> None:
    source = tmp_path / "bot"
    source.mkdir()
    modes = {"start": 0o4777, "table": 0o666, "mine": 0o640, "group": 0o610}
    for name, mode in modes.items():
        (source / name).touch()
        (source / name).chmod(mode)
    with zipfile.ZipFile(tmp_path / "bot.zip", "w") as made:
        for name in modes:
            made.write(source / name, name)
    for handed_in in (source, tmp_path / "bot.zip"):
        with TemporaryDirectory() as folder:
            copy_submission(handed_in, Path(folder))
            kept = {path.name: path.stat().st_mode & 0o7777 for path in Path(folder).iterdir()}
        assert kept == {"start": 0o755, "table": 0o644, "mine": 0o644, "group": 0o755}


def test_accepts_submissions_at_the_limits(tmp_path: Path) -> None:
    assert archive.MAX_SIZE == 67_108_864, "as the documents say"
    files = dict.fromkeys([f"{number}.txt" for number in range(1000)], b"")
    assert len(taken_zip(packed(files), tmp_path)) == 1000
    for name in ("x/" * 15 + "bot.py", "x" * 200, "ä" * 100):
        assert taken_zip(packed({name: b""}), tmp_path) == {name: b""}


@pytest.mark.parametrize(
    "name",
    [
        "Screenshot at 3.45.12\u202fPM.png",
        "notes\u00a0v.txt",
        "Icon\r",
        "\U0001f468\u200d\U0001f469.txt",
        "\x1b[31mbot.py",
        "bot\x00.py",
        "1:2.txt",
        "x" * 201,
        ".env",
        "old.log",
    ],
)
def test_lists_skipped_files(name: str, tmp_path: Path) -> None:
    (tmp_path / "bot.zip").write_bytes(packed({"fine.py": b"", name: b"x"}))
    folder = tmp_path / "to"
    folder.mkdir()
    (skipped,) = copy_submission(tmp_path / "bot.zip", folder)
    assert "skipped" in skipped
    assert skipped.isprintable()
    assert tree(folder) == {"fine.py": b""}


def test_normalizes_names_from_other_systems(tmp_path: Path) -> None:
    assert set(taken_zip(packed({"lib\\a.py": b""}), tmp_path)) == {"lib/a.py"}
    decomposed = unicodedata.normalize("NFD", "größe.txt")
    assert set(taken_zip(packed({decomposed: b""}), tmp_path)) == {"größe.txt"}
    unflagged = bytearray(packed({"größe.txt": b""}))
    for place, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = unflagged.index(place) + flags
        unflagged[at : at + 2] = bytes(2)
    assert set(taken_zip(bytes(unflagged), tmp_path)) == {"größe.txt"}
    old_name = bytes(unflagged).replace("größe".encode(), "grüSe".encode("cp437") + b"__")
    assert set(taken_zip(old_name, tmp_path)) == {"grüSe__.txt"}


def test_converts_line_ends_of_scripts_only(tmp_path: Path) -> None:
    files = {"run.sh": b"#!/bin/sh\r\nexec x\r\n", "data": b"#\r\n", "a.py": b"x = 1\r\n"}
    expected = files | {"run.sh": b"#!/bin/sh\nexec x\n"}
    assert taken_zip(packed(files), tmp_path) == expected


# -- refused -----------------------------------------------------------------------------------


def one(name: str) -> bytes:
    return packed({"fine.py": b"", name: b"x"})


def names(*names: str) -> bytes:
    return packed(dict.fromkeys(names, b""))


def twice() -> bytes:
    data = bytearray(names("bot.py", "bot.pz"))
    return bytes(data.replace(b"bot.pz", b"bot.py"))


def encrypted() -> bytes:
    data = bytearray(names("bot.py"))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def beyond_the_end() -> bytes:
    """Return a zip with a member that begins beyond the end of the file."""
    data = bytearray(packed({"bot.py": b"1"}))
    entry, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    begin = struct.pack("<HHQ", 1, 8, 2**64 - 5)  # the field of a large zip that says where
    struct.pack_into("<H", data, entry + 30, len(begin))
    struct.pack_into("<L", data, entry + 42, 2**32 - 1)
    struct.pack_into("<L", data, end + 12, end - entry + len(begin))
    data[end:end] = begin
    return bytes(data)


REFUSED: list[tuple[bytes, str]] = [
    (one("../bot.py"), "not a path inside the folder"),
    (one("./bot.py"), "not a path inside the folder"),
    (one("a//bot.py"), "not a path inside the folder"),
    (one("/etc/bot.py"), "is an absolute path"),
    (one("C:bot.py"), "is an absolute path"),
    (one("C:\\bot.py"), "is an absolute path"),
    (one("..\\bot.py"), "not a path inside the folder"),
    (one("\\\\host\\bot.py"), "is an absolute path"),
    (one("a/" * 16 + "b"), "folders deep"),
    (names("a.py", "A.py"), "appears twice"),
    (names("a", "a/b.py"), "appears twice"),
    (names("caf\u00e9.py", "cafe\u0301.py"), "appears twice"),
    (names("stra\u00dfe.py", "STRASSE.py"), "appears twice"),
    (twice(), "appears twice"),
    (special(stat.S_IFLNK), "is a link or a device"),
    (special(stat.S_IFCHR), "is a link or a device"),
    (special(stat.S_IFIFO), "is a link or a device"),
    (encrypted(), "is encrypted"),
    (packed({"bot.py": b"x"}, zipfile.ZIP_BZIP2), "unusual compression method"),
    (packed({"zeros": bytes(2 * archive.MIB)}), "more than 100 times its size"),
    (names(*[f"{number}.txt" for number in range(1001)]), "more than 1,000 files"),
    (b"", "bot.zip cannot be unpacked"),
    (names("a")[:-9], "bot.zip cannot be unpacked"),
    (beyond_the_end(), "bot.zip cannot be unpacked"),
]
"""Zips, and parts of the error messages."""
BEYOND_SMALL_LIMITS = [
    (names("a", "b", "c"), "more than 2 files"),
    (packed({"a": bytes(501), "b": bytes(500)}), "is too large"),
    (bytes(1001), "1,001 bytes, expected at most 1,000"),
    (names("x" * 150), "its directory is too long"),
]


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_FILES", 2)
    monkeypatch.setattr(archive, "MAX_SIZE", 1000)
    monkeypatch.setattr(archive, "MAX_DIRECTORY", 180)


@pytest.mark.parametrize(("data", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_rejects_harmful_zips(data: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(SubmissionError) as caught:
        taken_zip(data, tmp_path)
    assert message in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize(("data", "message"), BEYOND_SMALL_LIMITS)
def test_rejects_zips_beyond_the_limits(data: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match=message):
        taken_zip(data, tmp_path)


def test_rejects_other_kinds_of_files(tmp_path: Path) -> None:
    for name in ("bot.tar", "bot", "bot.py.exe", "bot.zipped", "bot.p", "bot.pyc"):
        (tmp_path / name).write_bytes(b"")
        with pytest.raises(SubmissionError, match=r"expected a \.py file, a \.zip file or a fol"):
            taken(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        taken(tmp_path / "d.zip")


@pytest.mark.usefixtures("small_limits")
def test_rejects_large_folders_and_links(tmp_path: Path) -> None:
    for number, make in enumerate((lambda path: path.symlink_to("/etc"), os.mkfifo)):
        source = tmp_path / f"{number}" / "bot"
        source.mkdir(parents=True)
        make(source / "data")
        with pytest.raises(SubmissionError, match="'data' is a link or a device"):
            taken(source)
    for name in ("bot.py", "bot.zip", "folder"):
        (tmp_path / name).symlink_to("0")
        with pytest.raises(SubmissionError, match=f"{name} is a link"):
            taken(tmp_path / name)
    (tmp_path / "bot").mkdir()
    for name in "ab":
        (tmp_path / "bot" / name).write_bytes(bytes(501))
    with pytest.raises(SubmissionError, match="bot is too large: expected at most 1,000 bytes"):
        taken(tmp_path / "bot")


def test_rejects_hard_links_in_shared_folders(tmp_path: Path) -> None:
    bot = tmp_path / "shared"
    bot.mkdir()
    (tmp_path / "bot.py").write_text("")
    (bot / "bot.py").hardlink_to(tmp_path / "bot.py")
    assert taken(bot) == taken(bot / "bot.py")
    bot.chmod(0o777)
    for source in (bot, bot / "bot.py"):
        with pytest.raises(SubmissionError, match="is a hard link"):
            taken(source)


@need(root=True)
def test_rejects_files_and_links_of_another_account(tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.py").write_text("")
    os.chown(tmp_path / "bot", NOBODY, NOBODY)
    with pytest.raises(SubmissionError, match=r"'bot\.py' belongs to another account"):
        taken(tmp_path / "bot")
    (tmp_path / "link").symlink_to("bot")
    assert taken(tmp_path / "link" / "bot.py")
    os.lchown(tmp_path / "link", NOBODY, NOBODY)
    with pytest.raises(SubmissionError, match=r"the link link .* belongs to another account"):
        taken(tmp_path / "link" / "bot.py")


# -- whatever is in it -------------------------------------------------------------------------

PARTS = st.sampled_from(["..", ".", "", "a", "A", "b.py", ".x", "C:", "\\", "\x1b", "é", "x" * 300])
NAMES = st.lists(PARTS, max_size=5).map("/".join) | st.text(max_size=12)


@contextmanager
def watched(data: bytes) -> Iterator[Callable[[], None]]:
    """Yield a function that unpacks the zip next to other files, and check that these are
    unchanged.
    """
    with TemporaryDirectory() as parent:
        above = Path(parent)
        folder = above / "submissions" / "ann"
        folder.mkdir(parents=True)
        (above / "a").write_bytes(b"mine")
        (above / "submissions" / "b.py").write_bytes(b"another's")
        (above / "submissions" / "ann.zip").write_bytes(data)
        before = tree(above)
        yield lambda: copy_submission(above / "submissions" / "ann.zip", folder)
        now = {name: data for name, data in tree(above).items() if "submissions/ann/" not in name}
        assert now == before
        assert not any(path.is_symlink() for path in above.rglob("*"))


@pytest.mark.filterwarnings("ignore:Duplicate name")
@given(st.dictionaries(NAMES, st.binary(max_size=20), max_size=4))
def test_never_writes_outside_the_folder(files: dict[str, bytes]) -> None:
    with watched(packed(files)) as take_it, suppress(SubmissionError):
        take_it()


WHOLE = packed({"bot.py": b"print()\n" * 9, "a/b.bin": bytes(range(99))})


@pytest.mark.filterwarnings("ignore:Duplicate name")
@given(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), max_size=4))
@example([])
@example([(309, 1)])  # moves the start of a file before the archive
def test_damaged_zip_is_rejected_or_copied(changes: list[tuple[int, int]]) -> None:
    data = bytearray(WHOLE)
    for place, byte in changes:
        data[place] = byte
    with watched(bytes(data)) as take_it, suppress(SubmissionError):
        take_it()
