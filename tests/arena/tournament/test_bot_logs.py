"""The stored logs of bots: bounded, readable after a crash, in folders with any name."""

from pathlib import Path

import pytest

from arena.base.errors import StoreError
from arena.match.bot_log import LogLine
from arena.tournament.bot_logs import (
    MAX_FILE_BYTES,
    VERSION,
    LogWriter,
    StoredLine,
    folder_of,
    read_logs,
)
from tests.arena.playing import make_game

pytestmark = pytest.mark.usefixtures("toys")


def line(text: str, bot: str = "mine") -> LogLine:
    return LogLine(bot, make_game("high-card/2", 1, ("mine", "other")), 1, 4, text)


def texts(folder: Path, bot: str = "mine") -> list[str]:
    return [one.text for one in read_logs(folder, bot)]


def test_reads_stored_lines_of_a_bot(tmp_path: Path) -> None:
    writer = LogWriter(tmp_path, 0)
    writer.write(line("two\x1b[31m lines\nand é"))
    writer.write(LogLine("mine", None, None, None, "before a game"))
    assert list(read_logs(tmp_path, "mine")) == [
        StoredLine(VERSION, "two\x1b[31m lines\nand é", "high-card/2 1", 1, 4),
        StoredLine(VERSION, "before a game"),
    ]
    assert texts(tmp_path, "other") == []
    writer = LogWriter(tmp_path, 0)  # the run is resumed
    writer.write(line("more"))
    assert texts(tmp_path)[2:] == ["more"]


def test_each_worker_has_its_own_file(tmp_path: Path) -> None:
    one = LogWriter(tmp_path, 0)
    other = LogWriter(tmp_path, 1)
    for writer, text in ((other, "b"), (one, "a"), (other, "c")):
        writer.write(line(text))
    assert texts(tmp_path) == ["a", "b", "c"]


def test_keeps_the_last_lines(tmp_path: Path) -> None:
    long = "x" * 2000
    number = 5 * MAX_FILE_BYTES // len(long)
    writer = LogWriter(tmp_path, 3)
    for index in range(number):
        writer.write(line(f"{index} {long}"))
    sizes = [file.stat().st_size for file in folder_of(tmp_path, "mine").iterdir()]
    assert len(sizes) == 2
    assert max(sizes) < MAX_FILE_BYTES + 3000
    kept = [int(text.split()[0]) for text in texts(tmp_path)]
    assert kept == [*range(number - len(kept), number)]
    assert len(kept) * len(long) > MAX_FILE_BYTES - 3000


@pytest.mark.parametrize("name", ["ann (guest)", "a/b", "..", ".hidden", "李雷", "a.b+c-d"])
def test_each_name_has_its_own_folder(tmp_path: Path, name: str) -> None:
    logs = tmp_path / "logs"
    writer = LogWriter(logs, 0)
    writer.write(line("hello", name))
    assert texts(logs, name) == ["hello"]
    assert [one.name for one in tmp_path.iterdir()] == ["logs"]
    assert logs.stat().st_mode & 0o077 == 0
    assert len(list(logs.iterdir())) == 1


def test_skips_incomplete_lines(tmp_path: Path) -> None:
    writer = LogWriter(tmp_path, 0)
    writer.write(line("whole"))
    file = folder_of(tmp_path, "mine") / "0.jsonl"
    file.write_bytes(file.read_bytes() + b'{"v":1,"te')
    assert texts(tmp_path) == ["whole"]


@pytest.mark.parametrize(
    ("stored", "named"),
    [
        (b'{"v":2,"text":"new"}\n', "has version 2 of logs, this arena reads 1"),
        (b"not a line\n", "line 1 is not a line of a log"),
    ],
)
def test_rejects_foreign_files(tmp_path: Path, stored: bytes, named: str) -> None:
    folder_of(tmp_path, "mine").mkdir()
    (folder_of(tmp_path, "mine") / "0.jsonl").write_bytes(stored)
    with pytest.raises(StoreError, match=named):
        texts(tmp_path)


def test_full_disk_does_not_stop_the_run(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    writer = LogWriter(tmp_path / "file", 0)
    writer.write(line("lost"))
