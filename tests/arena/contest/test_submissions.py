"""Each student's newest bot plays under the student's name, alone in its folder."""

import io
import os
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from warnings import catch_warnings

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.contest import submissions
from arena.contest.entrants import find_again
from arena.contest.submissions import (
    Incoming,
    find_submissions,
    incoming,
    keep,
    unpacking,
    versions,
)
from arena.errors import BotError, SubmissionError
from arena.record import Entrant

PLAIN = "class MyBot:\n    def act(self, view, legal):\n        return legal[0]\n"
TOML = 'name = "my_bot"\ncommand = ["python", "play.py"]\n'


def write(path: Path, text: str = PLAIN) -> Path:
    """Write a file, and the folders that it lies in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def write_zip(path: Path, **files: str) -> Path:
    """Write a zip of files; `__` in a name stands for `/`, and each ends in .py."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        for name, text in files.items():
            made.writestr(f"{name.replace('__', '/')}.py", text)
    path.write_bytes(data.getvalue())
    return path


class LeftOut(dict[str, str]):
    """Who is left out, and why."""

    def __call__(self, who: str, reason: BotError) -> None:
        self[who] = str(reason)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for submissions."""
    folder = tmp_path / "submissions"
    folder.mkdir()
    return folder


def found(folder: Path) -> dict[str, Entrant]:
    """Return the bots of all students by name. No student is left out."""
    left_out = LeftOut()
    bots = find_submissions(folder, left_out)
    assert not left_out
    return {bot.name: bot for bot in bots}


def hand_in(source: Path, name: str, folder: Path) -> tuple[Path, bool]:
    with incoming(source, name, folder) as handed_in:
        return keep(handed_in)


def visible(folder: Path) -> Iterator[str]:
    """Yield the files of a folder but for what is unpacked."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith(submissions.UNPACKED):
            yield name


# -- what plays --------------------------------------------------------------------------------


def test_each_child_is_a_bot_called_like_its_student(folder: Path) -> None:
    write(folder / "ann.py")
    write_zip(folder / "ben.zip", my_bot=PLAIN)
    write(folder / "cem" / "bot.toml", TOML)
    write(folder / "cem" / "play.py")
    write(folder / "dora" / "bot.py")
    write(folder / "dora" / "tactics.py")
    write(folder / "eve" / "some_name.py")
    write(folder / "fay" / "1" / "old.py")
    write(folder / "fay" / "2" / "new.py")
    write(folder / "fay" / "10" / "newest.py")
    write(folder / ".hidden" / "notes.txt")
    bots = found(folder)
    assert list(bots) == ["ann", "ben", "cem", "dora", "eve", "fay"]
    programs = {name: bot.command[-1] for name, bot in bots.items()}
    assert programs == {
        "ann": "ann.py",
        "ben": "my_bot.py",
        "cem": "play.py",
        "dora": "bot.py",
        "eve": "some_name.py",
        "fay": "newest.py",
    }
    assert bots["fay"].folder == str(folder / "fay" / "10")


def test_what_lies_beside_versions_does_no_harm_and_a_bot_may_have_numbered_folders(
    folder: Path,
) -> None:
    write(folder / "ann" / "1" / "bot.py")
    write(folder / "ann" / "remarks.txt")
    write(folder / "ben" / "bot.py")
    write(folder / "ben" / "2" / "tables.py")
    places = {name: Path(bot.folder).name for name, bot in found(folder).items()}
    assert places == {"ann": "1", "ben": "ben"}


def test_a_bot_may_lie_deeper_as_archives_have_it(folder: Path) -> None:
    write_zip(folder / "ann.zip", my_bot__bot=PLAIN, my_bot__test_bot="")
    write(folder / "ben" / "my_bot" / "bot.py")
    write_zip(write(folder / "cem" / "x.py").with_name("bot.zip"), bot=PLAIN)
    (folder / "cem" / "x.py").unlink()
    bots = found(folder)
    assert [Path(bot.folder).name for bot in bots.values()][:2] == ["my_bot", "my_bot"]
    assert {bot.command[-1] for bot in bots.values()} == {"bot.py"}


def test_students_with_the_same_bot_do_not_meet_as_one(folder: Path) -> None:
    for name in ("ann", "ben"):
        write(folder / name / "bot.toml", TOML)
        write(folder / name / "play.py")
    write_zip(folder / "cem.zip", my_bot=PLAIN)
    write_zip(folder / "dora.zip", my_bot=PLAIN)
    assert list(found(folder)) == ["ann", "ben", "cem", "dora"]


def test_a_name_is_made_one_that_a_bot_can_have(folder: Path) -> None:
    write(folder / "Müller, Ann.py")
    write(folder / "Đặng Zoë" / "bot.py")
    write_zip(folder / "v1.2.zip", bot=PLAIN)
    assert list(found(folder)) == ["Muller-Ann", "ang-Zoe", "v1.2"]


def test_a_file_sees_no_other_students_file(folder: Path) -> None:
    write(folder / "ann.py", "import ben\n" + PLAIN)
    write(folder / "ben.py")
    ann = found(folder)["ann"]
    assert ann.files == ("ann.py",)
    assert [path.name for path in Path(ann.folder).iterdir()] == ["ann.py"]


def test_what_is_unpacked_once_stays_and_is_the_same_bot(folder: Path) -> None:
    write_zip(folder / "ann.zip", bot=PLAIN)
    first = found(folder)["ann"]
    inode = Path(first.folder).stat().st_ino
    assert found(folder)["ann"] == first
    assert Path(first.folder).stat().st_ino == inode
    write_zip(folder / "ann.zip", bot=f"{PLAIN}\n")
    now = found(folder)["ann"]
    assert now.fingerprint != first.fingerprint
    assert find_again(first) == first, "the run that it has played can be played again"


def test_what_is_unpacked_is_deleted_by_the_last_run_that_copies_from_it(folder: Path) -> None:
    write(folder / "ann.py")
    with unpacking(folder):
        with unpacking(folder):
            found(folder)
        assert Path(found(folder)["ann"].folder).is_dir()
    assert [path.name for path in folder.iterdir()] == ["ann.py"]
    with unpacking(folder / "none"), unpacking(None):
        pass


@pytest.mark.parametrize("kind", ["ann.py", "ann/bot.py", "ann/2/x.py"])
def test_a_bot_of_a_student_is_found_again_under_its_name(folder: Path, kind: str) -> None:
    write(folder / kind)
    ann = found(folder)["ann"]
    assert find_again(ann) == ann


def test_a_folder_with_a_description_is_found_again_under_the_students_name(folder: Path) -> None:
    write(folder / "ann" / "bot.toml", TOML)
    ann = found(folder)["ann"]
    assert find_again(ann) == ann
    write(folder / "ann" / "play.py")
    assert find_again(ann).fingerprint != ann.fingerprint


# -- left out ----------------------------------------------------------------------------------


def test_who_has_no_bot_is_left_out_with_the_reason_and_the_others_play(folder: Path) -> None:
    write(folder / "ann.py")
    write(folder / "ben.txt", "I am ill")
    write(folder / "cem" / "a.py")
    write(folder / "cem" / "b.py")
    write(folder / "dora.py")
    write_zip(folder / "dora.zip", bot=PLAIN)
    (folder / "eve").mkdir()
    (folder / "__MACOSX").mkdir()  # of an archive, and no student
    (folder / "fay.zip").write_bytes(b"no zip")
    write(folder / "gus" / "bot.toml", "name = ")
    write(folder / f"{'x' * 41}.py")
    write(folder / "\u738b.py")
    write(folder / "\x1b[31mred.js")
    write_zip(folder / "hal.zip", __x=PLAIN)
    os.mkfifo(folder / "ian.py")
    left_out = LeftOut()
    assert [bot.name for bot in find_submissions(folder, left_out)] == ["ann"]
    expected = {
        "ben.txt": "expected a .py file, a .zip file or a folder",
        "cem": "expected bot.toml, bot.py, or a single .py file",
        "dora": "dora.py and dora.zip have the same name: keep one of them",
        "eve": "there is no bot in",
        "fay": "fay.zip cannot be unpacked",
        "gus": "bot.toml",
        "x" * 41: "cannot be the name of a bot",
        "\u738b": "cannot be the name of a bot",
        "31mred.js": "is not a submission",
        "hal": "hal.zip is refused",
        "ian": "ian.py is a link or a device",
    }
    assert left_out.keys() == expected.keys()
    for who, part in expected.items():
        assert part in left_out[who]
    (unpacked,) = (folder / submissions.UNPACKED).iterdir()
    assert list(visible(unpacked)) == ["ann.py"]


@pytest.mark.parametrize(
    "described",
    [
        f"command = {'[' * 20_000}",
        f'command = ["play"]\nsize = {"9" * 6_000}',
        'command = ["play\\u0000"]',
    ],
    ids=["deep", "long number", "NUL"],
)
def test_a_description_made_to_break_its_reader_costs_its_student_only(
    folder: Path, described: str
) -> None:
    write(folder / "ann" / "bot.toml", f'name = "x"\n{described}\n')
    write(folder / "ben.py")
    left_out = LeftOut()
    assert [bot.name for bot in find_submissions(folder, left_out)] == ["ben"]
    assert "bot.toml" in left_out["ann"]


def test_a_program_or_module_with_a_name_too_long_for_a_file_is_just_not_there(
    folder: Path,
) -> None:
    write(folder / "ann" / "bot.toml", f'name = "x"\ncommand = ["{"x" * 400}"]\n')
    write(folder / "ben.py", f"import {'x' * 400}\n")
    left_out = LeftOut()
    assert [bot.name for bot in find_submissions(folder, left_out)] == ["ben"]
    assert "expected a file of the bot" in left_out["ann"]


@pytest.mark.parametrize("code", ["(" * 5_000, 'x = "\\d"'])
def test_code_that_python_cannot_read_or_warns_of_fails_or_plays_later(
    folder: Path, code: str
) -> None:
    write(folder / "ann.py", code)
    with catch_warnings(record=True) as warned:
        assert found(folder).keys() == {"ann"}
    assert not warned


def test_a_file_whose_name_is_not_utf_8_is_named(folder: Path) -> None:
    write(folder / "ann" / "bot.toml", TOML)
    try:
        Path(os.fsdecode(os.fsencode(folder / "ann") + b"/M\xfcller.txt")).touch()
    except OSError:
        pytest.skip("this file system takes no such name")
    left_out = LeftOut()
    assert not find_submissions(folder, left_out)
    assert r"M\udcfcller.txt' in it has a character in its name" in left_out["ann"]


LETTERS = st.characters(exclude_characters="/\0", exclude_categories=["Cs"])
CHILD_NAMES = st.lists(st.text(LETTERS, min_size=1, max_size=9), max_size=3, unique=True)


@given(CHILD_NAMES, st.sampled_from(["", ".py", ".PY", ".zip", ".txt"]))
@example(["..."], "")
@example(["Ann", "ann", "\u00e4nn"], ".PY")
@settings(max_examples=50)
def test_whatever_children_are_called_each_plays_or_is_left_out(
    names: list[str], suffix: str
) -> None:
    with TemporaryDirectory() as folder:
        children = [f"{name}{suffix}" for name in names if f"{name}{suffix}" not in (".", "..")]
        for child in children:
            write(Path(folder, child))
        left_out = LeftOut()
        bots = find_submissions(Path(folder), left_out)
        visible = [child for child in children if not child.startswith(".")]
        assert len(bots) + len(left_out) <= len(visible)
        assert bool(visible) == bool(bots or left_out)
        for bot in bots:
            assert bot.name.isascii()
            assert bot.name.isprintable()
        assert all(name.isprintable() for name in left_out)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match=r"No such file.*`arena init` makes"):
        find_submissions(tmp_path / "x", LeftOut())


# -- handed in ---------------------------------------------------------------------------------


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
    assert not list(folder.glob(".*"))


def test_the_same_again_is_no_new_version(folder: Path, tmp_path: Path) -> None:
    one, two = write(tmp_path / "a.py"), write(tmp_path / "b.py", f"{PLAIN}\n")
    for source, number, is_new in ((one, 1, True), (one, 1, False), (two, 2, True), (one, 3, True)):
        assert hand_in(source, "ann", folder) == (folder / "ann" / str(number), is_new)


def test_what_is_not_kept_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    with incoming(write(tmp_path / "a.py"), "ann", folder) as handed_in:
        assert Path(handed_in.bot.folder, "a.py").is_file()
        assert found(folder) == {}
    with pytest.raises(SubmissionError):
        hand_in(write(tmp_path / "a.txt"), "ann", folder)
    with pytest.raises(BotError):
        hand_in(write(tmp_path / "bad" / "bot.toml", "x").parent, "ann", folder)
    empty = write_zip(tmp_path / "empty.zip")
    with pytest.raises(SubmissionError, match=rf"there is no bot in {empty}: expected bot\.toml"):
        hand_in(empty, "ann", folder)
    assert list(folder.iterdir()) == []


def test_two_that_are_handed_in_at_once_both_get_a_place(folder: Path, tmp_path: Path) -> None:
    sources = [write(tmp_path / f"{number}.py", PLAIN + "\n" * number) for number in range(12)]
    with ThreadPoolExecutor(4) as pool:
        kept = list(pool.map(lambda source: hand_in(source, "ann", folder), sources))
    assert sorted(int(place.name) for place, _ in kept) == list(range(1, 13))
    assert versions(folder / "ann") == list(range(1, 13))
    for source, (place, _) in zip(sources, kept, strict=True):
        assert [path.name for path in place.iterdir()] == [source.name]


class Overtaken(Incoming):
    """A submission during whose comparison with version 1 another process keeps version 2."""

    def is_in(self, folder: Path) -> bool:
        """Compare the bot with that in a folder."""
        if folder.name == "1":
            write(folder.with_name("2") / "faster.py", "# of another process\n")
        return super().is_in(folder)


def test_a_number_that_was_taken_meanwhile_is_not_overwritten(folder: Path, tmp_path: Path) -> None:
    write(folder / "ann" / "1" / "first.py", "# the first one\n")
    with incoming(write(tmp_path / "mine.py"), "ann", folder) as handed_in:
        assert keep(Overtaken(*handed_in)) == (folder / "ann" / "3", True)
    assert list(visible(folder)) == ["ann/1/first.py", "ann/2/faster.py", "ann/3/mine.py"]


def test_a_bot_that_changes_its_own_files_is_refused(folder: Path, tmp_path: Path) -> None:
    source = write(tmp_path / "bot" / "bot.toml", TOML).parent
    with incoming(source, "ann", folder) as handed_in:
        write(handed_in.folder / "games.log", "I won")
        write(handed_in.folder / "memory.json", "[1]")
        with pytest.raises(SubmissionError, match="has changed files of its own"):
            keep(handed_in)
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_refused(folder: Path, tmp_path: Path) -> None:
    write(folder / "ann.py")
    folder.chmod(0o555)
    with pytest.raises(SubmissionError, match="cannot write"):
        hand_in(write(tmp_path / "a.py"), "ben", folder)
    left_out = LeftOut()
    assert find_submissions(folder, left_out) == []
    assert "cannot unpack" in left_out["ann"]


@pytest.mark.parametrize("there", ["ann.py", "ann.zip", "ann/bot.py", "Ann/1/bot.py", "ann/1.py"])
def test_what_the_teacher_has_put_there_is_not_touched(
    folder: Path, tmp_path: Path, there: str
) -> None:
    write(folder / there)
    with pytest.raises(SubmissionError, match=r"is in .* already, and is not a folder"):
        hand_in(write(tmp_path / "a.py"), "ann", folder)
    assert list(visible(folder)) == [there]


@pytest.mark.parametrize("name", ["", "..", "a/b", "a b", "\x1b", "x" * 41])
def test_a_student_needs_a_name_that_a_bot_can_have(
    folder: Path, tmp_path: Path, name: str
) -> None:
    with pytest.raises(BotError, match="cannot be the name of a bot"):
        hand_in(write(tmp_path / "a.py"), name, folder)
    assert list(folder.iterdir()) == []
