"""Logs of bots travel from a Dask worker to the machine of the run."""

from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="need the extra dask: pip install -e '.[dask]'")

from arena.extras.dask.worker_plugins import take_logs
from arena.tournament.bot_logs import LogWriter, folder_of, read_logs
from tests.arena.tournament.test_bot_logs import line

pytestmark = pytest.mark.usefixtures("toys")


def test_logs_of_another_machine_are_taken_there_and_appended_here(tmp_path: Path) -> None:
    names = ["mine", "ann (guest)", "李雷", ".hidden"]
    there, here = tmp_path / "there", tmp_path / "here"
    writer = LogWriter(there, 0)
    collector = LogWriter(here, 4)
    for turn in ("1\r\n2", "\u2028 3"):
        for name in names:
            writer.write(line(turn, name))
        for name, stored in take_logs(there).items():
            collector.append(name, stored)
        assert not there.exists()
    assert take_logs(there) == {}
    assert all(
        [one.text for one in read_logs(here, name)] == ["1\r\n2", "\u2028 3"] for name in names
    )


def test_a_line_that_is_half_written_does_not_travel(tmp_path: Path) -> None:
    writer = LogWriter(tmp_path / "logs", 0)
    writer.write(line("whole"))
    file = folder_of(tmp_path / "logs", "mine") / "0.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole + b'{"v":1,"te')
    assert take_logs(tmp_path / "logs") == {"mine": whole.decode()}
