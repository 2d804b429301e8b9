"""What is handed in becomes the next version of its student, or nothing is left of it."""

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.base.errors import BotError, SubmissionError
from arena.base.record import Entrant
from arena.contest import admission
from arena.contest.admission import Check, SubmissionRules
from arena.contest.bot_files import versions
from arena.contest.roster import Student
from arena.contest.secret_file import private_folder
from arena.contest.submission_log import ARRIVED
from arena.contest.submissions import incoming
from tests.arena.contest.submitted import (
    PLAIN,
    TOML,
    found,
    visible,
    write,
    write_zip,
)

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def hand_in(source: Path, name: str, folder: Path, check: Check | None = None) -> tuple[Path, bool]:
    receipt = admission.hand_in(source, Student(name, name), SubmissionRules(folder), NOON, check)
    return receipt.version, receipt.is_new


def test_what_is_handed_in_is_the_next_version_and_the_former_ones_stay(
    folder: Path, tmp_path: Path
) -> None:
    one = write(tmp_path / "my_bot.py")
    two = write(tmp_path / "bot" / "bot.toml", TOML).parent
    write(two / "play.py")
    three = write_zip(tmp_path / "x.zip", deep__bot=PLAIN)
    for number, source in enumerate((one, two, three), 1):
        assert hand_in(source, "ann", folder) == (folder / "ann" / str(number), True)
        assert found(folder)["ann"].name == "ann"
    assert list(visible(folder)) == [
        "ann/1/my_bot.py",
        "ann/2/bot.toml",
        "ann/2/play.py",
        "ann/3/deep/bot.py",
    ]
    assert not [*folder.glob(".*")]
    assert not [*(private_folder(folder) / ARRIVED).iterdir()]


def test_the_same_again_is_no_new_version(folder: Path, tmp_path: Path) -> None:
    one, two = write(tmp_path / "a.py"), write(tmp_path / "b.py", f"{PLAIN}\n")
    for source, number, is_new in ((one, 1, True), (one, 1, False), (two, 2, True), (one, 3, True)):
        assert hand_in(source, "ann", folder) == (folder / "ann" / str(number), is_new)


def test_what_is_not_kept_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    with incoming(write(tmp_path / "a.py"), "ann", folder) as handed_in:
        assert Path(handed_in.bot.folder, "a.py").is_file()
        assert found(folder) == {}
    assert list(folder.iterdir()) == []
    with pytest.raises(SubmissionError):
        hand_in(write(tmp_path / "a.txt"), "ann", folder)
    with pytest.raises(BotError):
        hand_in(write(tmp_path / "bad" / "bot.toml", "x").parent, "ann", folder)
    empty = write_zip(tmp_path / "empty.zip")
    with pytest.raises(SubmissionError, match=rf"{empty}.*bot\.toml"):
        hand_in(empty, "ann", folder)
    assert list(visible(folder)) == []


@pytest.mark.slow
def test_two_that_are_handed_in_at_once_both_get_a_place(folder: Path, tmp_path: Path) -> None:
    sources = [write(tmp_path / f"{number}.py", PLAIN + "\n" * number) for number in range(12)]
    with ThreadPoolExecutor(4) as pool:
        kept = list(pool.map(lambda source: hand_in(source, "ann", folder), sources))
    assert sorted(int(place.name) for place, _ in kept) == list(range(1, 13))
    assert versions(folder / "ann") == list(range(1, 13))
    for source, (place, _) in zip(sources, kept, strict=True):
        assert [path.name for path in place.iterdir()] == [source.name]


def test_a_version_put_there_meanwhile_is_not_overwritten(folder: Path, tmp_path: Path) -> None:
    write(folder / "ann" / "1" / "first.py", "# the first one\n")

    def check(bot: Entrant) -> None:
        write(folder / "ann" / "2" / "faster.py", "# of somebody else\n")

    assert hand_in(write(tmp_path / "mine.py"), "ann", folder, check) == (folder / "ann/3", True)
    assert list(visible(folder)) == ["ann/1/first.py", "ann/2/faster.py", "ann/3/mine.py"]


def test_a_bot_that_changes_its_own_files_is_refused(folder: Path, tmp_path: Path) -> None:
    source = write(tmp_path / "bot" / "bot.toml", TOML).parent
    write(source / "play.py")

    def check(bot: Entrant) -> None:
        write(Path(bot.folder, "games.log"), "I won")
        write(Path(bot.folder, "memory.json"), "[1]")

    with pytest.raises(SubmissionError, match="has changed files of its own during the check"):
        hand_in(source, "ann", folder, check)
    assert list(visible(folder)) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_refused(folder: Path, tmp_path: Path) -> None:
    write(folder / "ann.py")
    folder.chmod(0o555)
    with pytest.raises(SubmissionError):
        hand_in(write(tmp_path / "a.py"), "ben", folder)
    assert found(folder).keys() == {"ann"}, "copies are made elsewhere"


@pytest.mark.parametrize(
    "there", [["Ann/1/bot.py"], ["ann.py", "ann.zip"], ["ann.py", "ann/1/a.py"]]
)
def test_what_is_of_two_students_or_there_twice_is_not_touched(
    folder: Path, tmp_path: Path, there: list[str]
) -> None:
    for name in there:
        write(folder / name)
    with pytest.raises(SubmissionError, match=r"is in .* already, and is no bot of ann alone"):
        hand_in(write(tmp_path / "a.py"), "ann", folder)
    assert sorted(visible(folder)) == sorted(there)


@pytest.mark.parametrize("there", ["ann.py", "ann.zip", "ann/1.py"])
def test_a_bot_that_lies_there_becomes_the_first_version(
    folder: Path, tmp_path: Path, there: str
) -> None:
    write(folder / there)
    with pytest.raises(SubmissionError):
        hand_in(write(tmp_path / "a.txt"), "ann", folder)
    assert list(visible(folder)) == [there]
    new = write(tmp_path / "a.py", f"{PLAIN}\n")
    assert hand_in(new, "ann", folder) == (folder / "ann" / "2", True)
    first = f"ann/1/{there.removeprefix('ann/')}"
    assert list(visible(folder)) == [first, "ann/2/a.py"]


def test_a_student_needs_an_id_that_a_bot_can_have(folder: Path, tmp_path: Path) -> None:
    for name in ("", "..", "a/b", "a b", "\x1b", "x" * 41):
        with pytest.raises(BotError, match="as an id, expected 1 to 40 letters"):
            hand_in(write(tmp_path / "a.py"), name, folder)
        assert list(visible(folder)) == []
