"""Tests of copies: a run plays with the files that its bots had when it started."""

import fcntl
import os
import stat
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import BotError, SettingsError
from arena.base.record import NEW_MARK, Entrant
from arena.contest.entrants import find_entrant, from_program
from arena.contest.fingerprint import fingerprint_now
from arena.contest.settings import Program
from arena.contest.snapshots import COPIES, STAGING_PREFIX, Snapshots
from tests.arena.runs import make_bot

replace = msgspec.structs.replace


class Run:
    """A run's folder with its copies of bots."""

    def __init__(self, parent: Path) -> None:
        self.folder = parent / "results" / "spring"

    def start(self, *entrants: Entrant) -> list[Entrant]:
        """Start or resume the run, and return its entrants."""
        with Snapshots(self.folder) as snapshots:
            taken = [snapshots.settled(snapshots.take(one)) for one in entrants]
            self.folder.mkdir(parents=True, exist_ok=True)
            snapshots.keep(taken)
        return taken

    @property
    def copies(self) -> list[str]:
        return sorted(one.name for one in (self.folder / COPIES).glob("*"))

    @property
    def results(self) -> list[str]:
        return sorted(one.name for one in self.folder.parent.iterdir())


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run that has not started."""
    return Run(tmp_path)


@pytest.fixture
def ann(tmp_path: Path) -> Path:
    """The folder of a bot that contains more than code."""
    folder = make_bot(tmp_path / "bots", "ann")
    for name in ("tables/opening.json", "debug.log", ".secret", "__pycache__/bot.pyc"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(name)
    (folder / "logs").mkdir()
    return folder


def files(folder: str) -> dict[str, bytes]:
    paths = [path for path in Path(folder).rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


# -- copies ------------------------------------------------------------------------------------


def test_copies_files_covered_by_the_fingerprint(run: Run, ann: Path) -> None:
    (ann / "tool").write_text("#!/bin/sh\n")
    (ann / "tool").chmod(0o750)
    found = find_entrant(str(ann))
    (kept,) = run.start(found)
    assert kept == replace(found, folder=kept.folder, source=str(ann))
    assert Path(kept.folder) == run.folder / COPIES / f"ann-{found.fingerprint}"
    assert sorted(files(kept.folder)) == ["bot.py", "bot.toml", "tables/opening.json", "tool"]
    assert all(content == (ann / name).read_bytes() for name, content in files(kept.folder).items())
    assert stat.S_IMODE(Path(kept.folder, "tool").stat().st_mode) == 0o750
    assert Path(kept.folder, "logs").is_dir(), "a bot may write its log there"
    assert run.results == ["spring"]


@pytest.mark.skipif(os.name != "posix", reason="need file modes")
def test_only_the_owner_can_read_copies(run: Run, ann: Path) -> None:
    (entrant,) = run.start(find_entrant(str(ann)))
    assert Path(entrant.folder).parent.stat().st_mode & 0o777 == 0o700


def test_starts_program_from_the_copy(run: Run, ann: Path) -> None:
    (ann / "prog").write_text("#!/bin/sh\n")
    (ann / "bot.toml").write_text('name = "ann"\ncommand = ["prog", "table"]\n')
    found = find_entrant(str(ann))
    (kept,) = run.start(found)
    assert kept.command == (f"{kept.folder}/prog", "table")
    assert kept.fingerprint == found.fingerprint


@pytest.mark.parametrize("program", [".venv/bin/prog", "../prog"])
def test_program_outside_the_copy_keeps_its_path(run: Run, ann: Path, program: str) -> None:
    (ann / program).parent.mkdir(parents=True, exist_ok=True)
    (ann / program).write_text("#!/bin/sh\n")
    found = from_program(Program("ann", (program, "bot.py"), str(ann)))
    (kept,) = run.start(found)
    assert kept.command == found.command
    assert kept.fingerprint == found.fingerprint, "the same bot in another folder"


def test_rejects_new_links_unless_trusted(run: Run, ann: Path, tmp_path: Path) -> None:
    """A student may replace a file with a link to another student's file."""
    found = find_entrant(str(ann))
    (tmp_path / "secret.py").write_text("secret")
    (ann / "tables" / "opening.json").unlink()
    (ann / "tables" / "opening.json").symlink_to(tmp_path / "secret.py")
    with pytest.raises(BotError, match="is a link"):
        run.start(found)
    with Snapshots(run.folder) as snapshots:
        taken = snapshots.take(found, follow_links=True)
        assert files(taken.folder)["tables/opening.json"] == b"secret"
        assert not Path(taken.folder, "tables", "opening.json").is_symlink()


def test_rejects_results_inside_the_folder_of_a_bot(ann: Path) -> None:
    with pytest.raises(SettingsError, match=r"\bann\b.*--results"):
        Run(ann).start(find_entrant(str(ann)))
    assert not (ann / "results").exists()


# -- changes -----------------------------------------------------------------------------------


def test_fingerprint_is_that_of_the_copy(run: Run, ann: Path) -> None:
    found = find_entrant(str(ann))
    (ann / "bot.py").write_text("new")
    now = find_entrant(str(ann))
    (kept,) = run.start(found)
    assert kept.fingerprint == now.fingerprint != found.fingerprint
    assert run.copies == [f"ann-{now.fingerprint}"]
    (ann / "bot.py").write_text("newer")
    (newer,) = run.start(find_entrant(str(ann)))
    assert run.copies == [f"ann-{newer.fingerprint}"] != [f"ann-{now.fingerprint}"]


def test_version_and_opponent_share_a_copy(run: Run, ann: Path) -> None:
    """With two copies, only one of them would be kept."""
    found = find_entrant(str(ann))
    with Snapshots(run.folder) as snapshots:
        first, second = snapshots.take(found), snapshots.take(found)
        version = replace(first, name=f"{first.name}{NEW_MARK}")
        settled = [snapshots.settled(version), snapshots.settled(second)]
        run.folder.mkdir(parents=True)
        snapshots.keep(settled)
    assert {one.folder for one in settled} == {str(run.folder / COPIES / run.copies[0])}
    assert [fingerprint_now(one) for one in settled] == [found.fingerprint] * 2


def test_resumed_run_reuses_its_copy(run: Run, ann: Path) -> None:
    found = find_entrant(str(ann))
    before = run.start(found)
    inode = Path(before[0].folder).stat().st_ino
    assert run.start(found) == before
    assert Path(before[0].folder).stat().st_ino == inode


@pytest.mark.parametrize("change", ["edits", "adds", "removes"])
def test_replaces_changed_copy(run: Run, ann: Path, change: str) -> None:
    found = find_entrant(str(ann))
    (kept,) = run.start(found)
    before = files(kept.folder)
    if change == "removes":
        Path(kept.folder, "bot.py").unlink()
    else:
        Path(kept.folder, "bot.py" if change == "edits" else "memory.json").write_text("I won")
    assert run.start(found) == [kept]
    assert files(kept.folder) == before


# -- nothing is left -----------------------------------------------------------------------------


def test_aborted_run_leaves_no_copies(run: Run, ann: Path) -> None:
    with Snapshots(run.folder) as snapshots:
        taken = snapshots.take(find_entrant(str(ann)))
        assert Path(taken.folder, "bot.py").is_file()
        (staging,) = run.results
        assert staging.startswith(STAGING_PREFIX)
    assert not run.folder.parent.exists()


def test_deletes_staging_folders_of_killed_processes_only(run: Run, ann: Path) -> None:
    left, needed = (run.folder.parent / f"{STAGING_PREFIX}{name}" for name in ("left", "needed"))
    for folder in (left, needed):
        folder.mkdir(parents=True)
        (folder / "bot.py").touch()
    lock = os.open(needed, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run.start(find_entrant(str(ann)))
    finally:
        os.close(lock)
    assert run.results == [needed.name, "spring"]
