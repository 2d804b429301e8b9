"""What is handed in lands in its own folder, whole and plain, or not at all."""

import io
import os
import stat
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.contest import archive
from arena.contest.archive import (
    SUBMISSION_LIMITS,
    SubmissionLimits,
    copy_submission,
    open_plain,
    plain_files,
)
from arena.errors import SubmissionError


def packed(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of these files; a name may be anything."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as made:
        for name, content in files.items():
            info = zipfile.ZipInfo("x")
            info.filename, info.compress_type = name, method
            made.writestr(info, content)
    return data.getvalue()


def special(kind: int) -> bytes:
    """Return a zip with an entry of this kind, as a link is."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        info = zipfile.ZipInfo("bot.py")
        info.external_attr = (kind | 0o777) << 16
        made.writestr(info, "/etc/passwd")
    return data.getvalue()


def tree(folder: Path) -> dict[str, bytes]:
    """Return what lies in a folder by its path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def taken(source: Path, limits: SubmissionLimits = SUBMISSION_LIMITS) -> dict[str, bytes]:
    """Take what is handed in, and return what lies there then."""
    folder = source.parent / "taken"
    folder.mkdir()
    copy_submission(source, folder, limits)
    return tree(folder)


def taken_zip(
    data: bytes, tmp_path: Path, limits: SubmissionLimits = SUBMISSION_LIMITS
) -> dict[str, bytes]:
    (tmp_path / "bot.zip").write_bytes(data)
    return taken(tmp_path / "bot.zip", limits)


# -- taken -------------------------------------------------------------------------------------


def test_a_python_file_is_taken(tmp_path: Path) -> None:
    (tmp_path / "my bot.py").write_text("x = 1\n")
    assert taken(tmp_path / "my bot.py") == {"my bot.py": b"x = 1\n"}


def test_a_zip_is_taken_with_its_folders(tmp_path: Path) -> None:
    files = {"bot.toml": b"x", "tables/é.bin": bytes(5000), "empty/": b""}
    data = packed(files)
    assert taken_zip(data, tmp_path) == {"bot.toml": b"x", "tables/é.bin": bytes(5000)}


def test_what_is_no_code_is_left_behind(tmp_path: Path) -> None:
    junk = ("__MACOSX/._bot.py", ".git/HEAD", ".venv/bin/python", "a/__pycache__/x.pyc", "my.log")
    files = dict.fromkeys(("bot.py", "a/b.py", *junk), b"")
    assert set(taken_zip(packed(files), tmp_path)) == {"bot.py", "a/b.py"}
    for name in files:
        path = tmp_path / "bot" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "bot" / ".venv" / "link").symlink_to("/")
    (tmp_path / "taken").rename(tmp_path / "former")
    assert set(taken(tmp_path / "bot")) == {"bot.py", "a/b.py"}


def test_a_program_stays_one_and_nothing_else_of_a_mode_is_kept(tmp_path: Path) -> None:
    source = tmp_path / "bot"
    source.mkdir()
    for name, mode in (("start", 0o4777), ("table", 0o666)):
        (source / name).touch()
        (source / name).chmod(mode)
    taken(source)
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "taken").iterdir()}
    assert modes == {"start": 0o755, "table": 0o644}
    with zipfile.ZipFile(tmp_path / "bot.zip", "w") as made:
        made.write(source / "start", "start")
    (tmp_path / "taken").rename(tmp_path / "former")
    taken(tmp_path / "bot.zip")
    assert stat.S_IMODE((tmp_path / "taken" / "start").stat().st_mode) == 0o755


# -- refused -----------------------------------------------------------------------------------

BAD_NAMES = {
    "../bot.py": "no ..",
    "a/../../bot.py": "no ..",
    "./bot.py": "no ..",
    "a//bot.py": "no empty part",
    "/etc/bot.py": "no / in front",
    "C:bot.py": "no :",
    "C:\\bot.py": "no \\",
    "..\\bot.py": "no \\",
    "bot.py:stream": "no :",
    "\x1b[31mbot.py": "cannot be printed",
    "bot\x00.py": "cannot be printed",
    "bot\n.py": "cannot be printed",
    "tob\u202eyp.": "cannot be printed",
    "../": "no ..",
    "a/" * 16 + "b": "folders deep",
    "x" * 201: "more than 200 bytes",
    "é" * 101: "more than 200 bytes",
}


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_leads_elsewhere_or_lies_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SubmissionError) as caught:
        taken_zip(packed({"fine.py": b"", name: b"x"}), tmp_path)
    assert BAD_NAMES[name] in str(caught.value)
    assert str(caught.value).isprintable()
    assert tree(tmp_path / "taken") == {}


@pytest.mark.parametrize(
    "names",
    [
        ("a.py", "A.py"),
        ("lib/a.py", "LIB/b.py"),
        ("a", "a/b.py"),
        ("a/b.py", "a"),
        ("caf\u00e9.py", "cafe\u0301.py"),
        ("stra\u00dfe.py", "STRASSE.py"),
    ],
)
def test_names_that_are_one_on_some_computer_are_refused(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    with pytest.raises(SubmissionError, match="is there twice"):
        taken_zip(packed(dict.fromkeys(names, b"")), tmp_path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        made.writestr("bot.py", "1")
        made.writestr("bot.py", "2")
    with pytest.raises(SubmissionError, match="is there twice"):
        taken_zip(data.getvalue(), tmp_path)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK])
def test_a_link_or_a_device_in_a_zip_is_refused(tmp_path: Path, kind: int) -> None:
    with pytest.raises(SubmissionError, match="is a link or a device"):
        taken_zip(special(kind), tmp_path)


def test_a_link_or_a_pipe_in_a_folder_is_refused(tmp_path: Path) -> None:
    for number, make in enumerate((lambda p: p.symlink_to("/etc"), os.mkfifo)):
        source = tmp_path / f"{number}" / "bot"
        source.mkdir(parents=True)
        make(source / "data")
        with pytest.raises(SubmissionError, match="'data' in it is a link or a device"):
            taken(source)


@pytest.mark.parametrize("name", ["bot.py", "bot.zip", "folder"])
def test_a_submission_that_is_a_link_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / name).symlink_to("real")
    with pytest.raises(SubmissionError, match=f"{name} is a link"):
        taken(tmp_path / name)


@pytest.mark.parametrize(
    "make", [lambda path: path.symlink_to("b"), os.mkfifo], ids=["link", "pipe"]
)
def test_only_a_plain_file_is_opened_and_nothing_is_waited_for(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    (tmp_path / "b").write_bytes(b"x")
    make(tmp_path / "a")
    with pytest.raises(SubmissionError, match="a is a link or a device"):
        open_plain(tmp_path / "a")
    with open_plain(tmp_path / "b") as file:
        assert file.read() == b"x"
    with pytest.raises(FileNotFoundError):
        open_plain(tmp_path / "c")


def test_the_plain_files_of_a_folder_are_those_that_are_code(tmp_path: Path) -> None:
    for name in ("bot.py", "a/b.bin", ".git/HEAD", "x.log"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(bytes(501))
    expected = {tmp_path / "bot.py", tmp_path / "a" / "b.bin"}
    assert set(plain_files(tmp_path, SUBMISSION_LIMITS)) == expected
    assert set(plain_files(tmp_path, SubmissionLimits(size=1002))) == expected
    assert set(plain_files(tmp_path, None)) == expected
    with pytest.raises(SubmissionError, match="is too large: at most 1,001 bytes"):
        plain_files(tmp_path, SubmissionLimits(size=1001))


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    data = bytearray(packed({"bot.py": b"x"}))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(SubmissionError, match="is encrypted"):
        taken_zip(bytes(data), tmp_path)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_rare_way_to_pack_is_refused(tmp_path: Path, method: int) -> None:
    with pytest.raises(SubmissionError, match="rare compression method"):
        taken_zip(packed({"bot.py": b"x"}, method), tmp_path)


def test_a_bomb_is_refused_before_anything_of_it_is_unpacked(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match="more than 100 times as many"):
        taken_zip(packed({"zeros": bytes(2 * archive.MIB)}), tmp_path)
    assert tree(tmp_path / "taken") == {}


def test_a_small_table_of_zeros_is_no_bomb(tmp_path: Path) -> None:
    assert taken_zip(packed({"zeros": bytes(archive.MIB)}), tmp_path)


def test_too_much_is_refused(tmp_path: Path) -> None:
    small = SubmissionLimits(size=1000)
    source = tmp_path / "bot"
    source.mkdir()
    for name in "ab":
        (source / name).write_bytes(bytes(501))
    with pytest.raises(SubmissionError, match="bot is too large: at most 1,000 bytes"):
        taken(source, small)
    archived = _zip(tmp_path / "a.zip", packed({"a": bytes(501), "b": bytes(500)}))
    with pytest.raises(SubmissionError, match="is too large"):
        copy_submission(archived, tmp_path / "t", small)
    with pytest.raises(SubmissionError, match=r"has .* bytes, at most 1,000"):
        copy_submission(_zip(tmp_path / "b.zip", bytes(1001)), tmp_path / "t", small)


def _zip(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_too_many_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match="more than 2 files"):
        taken_zip(packed(dict.fromkeys("abc", b"")), tmp_path, SubmissionLimits(files=2))


def test_a_directory_that_would_fill_the_memory_is_not_read(tmp_path: Path) -> None:
    limits = SubmissionLimits(read_size=10_000)
    names = [f"{number:0100}" for number in range(100)]
    with pytest.raises(SubmissionError, match="its directory is too long"):
        taken_zip(packed(dict.fromkeys(names, b"")), tmp_path, limits)


@pytest.mark.parametrize("name", ["bot.tar", "bot.js", "bot", "bot.py.exe"])
def test_what_is_neither_file_nor_folder_nor_zip_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(SubmissionError, match=r"expected a \.py file, a \.zip file or a folder"):
        taken(tmp_path / name)


def test_a_file_that_is_not_there_or_no_zip_is_refused(tmp_path: Path) -> None:
    for name, data in (
        ("a.zip", b""),
        ("b.zip", b"PK nothing"),
        ("c.zip", packed({"a": b""})[:-9]),
    ):
        with pytest.raises(SubmissionError, match=f"{name} cannot be unpacked"):
            copy_submission(_zip(tmp_path / name, data), tmp_path / "t")
    with pytest.raises(SubmissionError, match=r"cannot read d\.zip: No such file"):
        copy_submission(tmp_path / "d.zip", tmp_path / "t")


def test_a_zip_whose_file_begins_beyond_the_end_of_all_files_is_refused(tmp_path: Path) -> None:
    data = bytearray(packed({"bot.py": b"1"}))
    entry, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    begin = struct.pack("<HHQ", 1, 8, 2**64 - 5)  # the field of a large zip that says where
    struct.pack_into("<H", data, entry + 30, len(begin))
    struct.pack_into("<L", data, entry + 42, 2**32 - 1)
    struct.pack_into("<L", data, end + 12, end - entry + len(begin))
    data[end:end] = begin
    with pytest.raises(SubmissionError, match=r"a\.zip cannot be unpacked"):
        copy_submission(_zip(tmp_path / "a.zip", bytes(data)), tmp_path / "t")


# -- whatever is in it -------------------------------------------------------------------------

PARTS = st.sampled_from(["..", ".", "", "a", "A", "b.py", ".x", "C:", "\\", "\x1b", "é", "x" * 300])
NAMES = st.lists(PARTS, max_size=5).map("/".join) | st.text(max_size=12)


@contextmanager
def watched(data: bytes) -> Iterator[Callable[[], None]]:
    """Yield what takes a zip that lies beside other files; hold that these stay as they are."""
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
@settings(max_examples=60)
def test_nothing_is_ever_written_outside(files: dict[str, bytes]) -> None:
    with watched(packed(files)) as take_it, suppress(SubmissionError):
        take_it()


WHOLE = packed({"bot.py": b"print()\n" * 9, "a/b.bin": bytes(range(99))})


@pytest.mark.filterwarnings("ignore:Duplicate name")
@given(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), max_size=4))
@example([])
@settings(max_examples=80)
def test_a_damaged_zip_is_refused_with_a_sentence_or_taken(changes: list[tuple[int, int]]) -> None:
    data = bytearray(WHOLE)
    for place, byte in changes:
        data[place] = byte
    with watched(bytes(data)) as take_it, suppress(SubmissionError):
        take_it()
