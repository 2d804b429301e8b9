"""Tests of the limits of a submission: the last value that is taken and the first that is not."""

import zipfile
from pathlib import Path

import pytest

from arena.contest import archive
from arena.contest.archive import copy_submission
from arena.errors import SubmissionError


def taken(folder: Path, names: list[str]) -> int:
    """Submit a zip of empty files with these names, and return the number of files taken."""
    source, target = folder / "bot.zip", folder / "taken"
    with zipfile.ZipFile(source, "w") as made:
        for name in names:
            made.writestr(name, b"")
    target.mkdir()
    copy_submission(source, target)
    return sum(path.is_file() for path in target.rglob("*"))


def test_the_sizes_are_those_of_the_documents() -> None:
    assert archive.SUBMISSION_LIMITS.size == 67_108_864
    assert archive.MIN_RATIO_BYTES == archive.SUBMISSION_LIMITS.read_size == 1_048_576


def test_a_thousand_files_are_taken(tmp_path: Path) -> None:
    assert taken(tmp_path, [f"{number}.txt" for number in range(1000)]) == 1000


def test_more_than_a_thousand_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match="more than 1,000 files"):
        taken(tmp_path, [f"{number}.txt" for number in range(1001)])


@pytest.mark.parametrize("name", ["x/" * 15 + "bot.py", "x" * 200, "ä" * 100])
def test_the_deepest_and_longest_names_are_taken(name: str, tmp_path: Path) -> None:
    assert taken(tmp_path, [name]) == 1


@pytest.mark.parametrize("name", ["x/" * 16 + "bot.py", "x" * 201, "ä" * 100 + "b"])
def test_deeper_and_longer_names_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match=r"folders deep|more than 200 bytes"):
        taken(tmp_path, [name])


@pytest.mark.parametrize("name", ["bot.tar", "bot.zipped", "bot.zz", "bot.p", "bot.pyc"])
def test_only_exact_suffixes_are_submissions(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(SubmissionError, match=f"{name} is not a submission"):
        copy_submission(tmp_path / name, tmp_path / "taken")


@pytest.mark.parametrize(("mode", "expected"), [(0o644, 0o644), (0o640, 0o644), (0o610, 0o755)])
def test_an_executable_file_stays_one(mode: int, expected: int, tmp_path: Path) -> None:
    source = tmp_path / "bot"
    source.mkdir()
    (source / "start").write_bytes(b"")
    (source / "start").chmod(mode)
    (tmp_path / "taken").mkdir()
    copy_submission(source, tmp_path / "taken")
    assert (tmp_path / "taken" / "start").stat().st_mode & 0o777 == expected
