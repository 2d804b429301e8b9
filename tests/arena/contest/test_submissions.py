"""Each student's newest bot plays under the student's name, alone in its folder."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from warnings import catch_warnings

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.base.errors import SubmissionError
from arena.contest.roster import safe_id
from arena.contest.secret_file import private_folder
from arena.contest.submissions import find_submissions, students_in
from arena.extras.faults.bots_again import find_again
from tests.arena.contest.submitted import PLAIN, TOML, LeftOut, find_in, found, write, write_zip

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
    assert bots["fay"].origin == str(folder / "fay" / "10")


def test_what_lies_beside_versions_does_no_harm_and_a_bot_may_have_numbered_folders(
    folder: Path,
) -> None:
    write(folder / "ann" / "1" / "bot.py")
    write(folder / "ann" / "remarks.txt")
    write(folder / "ben" / "bot.py")
    write(folder / "ben" / "2" / "tables.py")
    places = {name: Path(bot.origin).name for name, bot in found(folder).items()}
    assert places == {"ann": "1", "ben": "ben"}


def test_a_bot_may_lie_deeper_as_archives_have_it(folder: Path) -> None:
    write_zip(folder / "ann.zip", my_bot__bot=PLAIN, my_bot__test_bot="")
    write(folder / "ben" / "my_bot" / "bot.py")
    write_zip(write(folder / "cem" / "x.py").with_name("bot.zip"), bot=PLAIN)
    (folder / "cem" / "x.py").unlink()
    bots = found(folder)
    assert [Path(bot.folder).name for bot in bots.values()][:2] == ["my_bot", "my_bot"]
    assert {bot.command[-1] for bot in bots.values()} == {"bot.py"}


def test_a_name_is_made_one_that_a_bot_can_have(folder: Path) -> None:
    write(folder / "Müller, Ann.py")
    write(folder / "Đặng Zoë" / "bot.py")
    write_zip(folder / "v1.2.zip", bot=PLAIN)
    write(folder / "李雷.py")
    write(folder / f"{'x' * 41}.py")
    ids = list(found(folder))
    assert ids[:2] == ["Muller-Ann", safe_id("Đặng Zoë")]
    assert ids[1].startswith("ang-Zoe-")
    assert [name for name in ids if name.startswith("bot-")] == [safe_id("李雷")]
    shown = {one.student.name for one in students_in(folder).values()}
    assert shown == {"Müller, Ann", "Đặng Zoë", "v1.2", "李雷", "x" * 41}


def test_a_file_sees_no_other_students_file_in_a_copy_that_goes_with_its_context(
    folder: Path,
) -> None:
    write(folder / "ann.py", "import ben\n" + PLAIN)
    write(folder / "ben.py")
    with find_submissions(folder, students_in(folder), LeftOut()) as bots:
        (ann, _) = bots
        assert ann.files == ("ann.py",)
        assert [path.name for path in Path(ann.folder).iterdir()] == ["ann.py"]
    assert not Path(ann.folder).exists()
    assert not [*private_folder(folder).iterdir()]
    assert found(folder)["ann"].fingerprint == ann.fingerprint
    write(folder / "ann.py", f"{PLAIN}\n")
    assert found(folder)["ann"].fingerprint != ann.fingerprint


@pytest.mark.parametrize("kind", ["ann.py", "ann/2/x.py", "ann/bot.toml"])
def test_a_bot_of_a_student_is_found_again_under_its_name(folder: Path, kind: str) -> None:
    write(folder / kind, TOML if kind.endswith("toml") else PLAIN)
    if kind.endswith("toml"):
        write(folder / "ann" / "play.py")
    ann = found(folder)["ann"]
    assert find_again(ann) == msgspec.structs.replace(ann, folder=ann.origin, source="")
    write(folder / "ann" / "more.py")
    assert (find_again(ann).fingerprint != ann.fingerprint) == (kind == "ann/bot.toml")


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
    write(folder / "\x1b[31mred.js")
    write_zip(folder / "hal.zip", __x=PLAIN)
    os.mkfifo(folder / "ian.py")
    left_out = LeftOut()
    assert [bot.name for bot in find_in(folder, left_out)] == ["ann"]
    expected = {
        "ben.txt": "expected a .py file, a .zip file or a folder",
        "cem": "expected bot.toml, bot.py, or a single .py file",
        "dora": "dora.py and dora.zip have the same name: keep one of them",
        "eve": "there is no bot in",
        "fay": "fay.zip cannot be unpacked",
        "gus": "bot.toml",
        "31mred.js": "is not a submission",
        "hal": "hal.zip is refused",
        "ian": "ian.py is a link or a device",
    }
    assert left_out.keys() == expected.keys()
    for who, part in expected.items():
        assert part in left_out[who]


def test_a_program_or_module_with_a_name_too_long_for_a_file_is_just_not_there(
    folder: Path,
) -> None:
    write(folder / "ann" / "bot.toml", f'name = "x"\ncommand = ["{"x" * 400}"]\n')
    write(folder / "ben.py", f"import {'x' * 400}\n")
    left_out = LeftOut()
    assert [bot.name for bot in find_in(folder, left_out)] == ["ben"]
    assert "expected a file of the bot" in left_out["ann"]


@pytest.mark.parametrize("code", ["(" * 5_000, 'x = "\\d"'])
def test_code_that_python_cannot_read_or_warns_of_fails_or_plays_later(
    folder: Path, code: str
) -> None:
    write(folder / "ann.py", code)
    with catch_warnings(record=True) as warned:
        assert found(folder).keys() == {"ann"}
    assert not warned


def test_leaves_out_file_whose_name_is_not_utf_8(folder: Path) -> None:
    write(folder / "ann" / "bot.toml", TOML)
    write(folder / "ann" / "play.py")
    try:
        Path(os.fsdecode(os.fsencode(folder / "ann") + b"/M\xfcller.txt")).touch()
    except OSError:
        pytest.skip("this file system takes no such name")
    assert list(found(folder)) == ["ann"]


LETTERS = st.characters(exclude_characters="/\0", exclude_categories=["Cs"])
CHILD_NAMES = st.lists(st.text(LETTERS, min_size=1, max_size=9), max_size=3, unique=True)


@pytest.mark.slow
@given(CHILD_NAMES, st.sampled_from(["", ".py", ".PY", ".zip", ".txt"]))
@example(["..."], "")
@example(["Ann", "ann", "\u00e4nn"], ".PY")
def test_whatever_children_are_called_each_plays_or_is_left_out(
    names: list[str], suffix: str
) -> None:
    with TemporaryDirectory() as parent:
        folder = Path(parent, "submissions")
        folder.mkdir()
        children = [f"{name}{suffix}" for name in names if f"{name}{suffix}" not in (".", "..")]
        for child in children:
            write(folder / child)
        left_out = LeftOut()
        bots = find_in(folder, left_out)
        visible = [child for child in children if not child.startswith(".")]
        assert len(bots) + len(left_out) <= len(visible)
        assert bool(visible) == bool(bots or left_out)
        for bot in bots:
            assert bot.name.isascii()
            assert bot.name.isprintable()
        assert all(name.isprintable() for name in left_out)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match=r"No such file.*`arena init`"):
        find_in(tmp_path / "x", LeftOut())
