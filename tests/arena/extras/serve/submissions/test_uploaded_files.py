"""Files of submissions are on the disk as a whole or not at all, wherever their names point to."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.base.errors import SubmissionError
from arena.extras.serve.submissions.uploaded_files import (
    FOLDER,
    UploadedFiles,
    safe_file_name,
    shown_name,
)
from tests.arena.extras.serve.visiting import make_random_bytes


@pytest.fixture
def files(tmp_path: Path) -> UploadedFiles:
    return UploadedFiles(tmp_path, make_random_bytes())


class Torn(io.BytesIO):
    """An upload that breaks off."""

    def read(self, size: int | None = -1) -> bytes:
        if self.tell():
            raise OSError(28, "No space left on device")
        return super().read(3)


def test_a_file_is_kept_as_a_whole_or_not_at_all(files: UploadedFiles, tmp_path: Path) -> None:
    key = files.keep(io.BytesIO(b"code"), "My Bot.PY")
    assert files.path(key) == tmp_path / FOLDER / key / "My-Bot.py"
    assert files.path(key).read_bytes() == b"code"
    with pytest.raises(OSError, match="No space left"):
        files.keep(Torn(b"code"), "bot.py")
    assert [one.name for one in (tmp_path / FOLDER).iterdir()] == [key]


def test_files_are_deleted_by_their_keys(files: UploadedFiles, tmp_path: Path) -> None:
    keys = [files.keep(io.BytesIO(b"code"), "bot.py") for _ in range(3)]
    files.delete([keys[0], "gone"])
    with pytest.raises(SubmissionError, match="submit it again"):
        files.path(keys[0])
    (tmp_path / FOLDER / ".new-0").mkdir()
    files.delete_others([keys[1]])
    assert [one.name for one in (tmp_path / FOLDER).iterdir()] == [keys[1]]


def test_where_nothing_was_handed_in_nothing_is_deleted(files: UploadedFiles) -> None:
    files.delete_others([])


@given(st.text(min_size=1), st.sampled_from([".py", ".zip", ".PY"]))
def test_a_stored_name_is_a_plain_name(stem: str, ending: str) -> None:
    name = safe_file_name(f"a{stem}{ending}")
    assert Path(name).name == name
    assert name.isascii()
    assert name.isprintable()
    assert not name.startswith((".", "-"))
    assert name.endswith(ending.lower())


@pytest.mark.parametrize("name", ["", ".py", "a", "a.exe", "a/.zip", "..", "a.py.txt"])
def test_other_files_are_refused(name: str) -> None:
    with pytest.raises(SubmissionError, match=r"expected a \.py file or a \.zip file"):
        safe_file_name(name)


def test_long_names_are_shortened_and_control_characters_shown() -> None:
    assert shown_name("a" * 101) == "a" * 97 + "..."
    assert shown_name("\x1b[2J.py") == "\\x1b[2J.py"
    assert len(safe_file_name("a" * 300 + ".py")) < 50
