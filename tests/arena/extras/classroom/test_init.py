"""The folder of a new contest."""

from pathlib import Path

import pytest

from arena.base.errors import SettingsError
from arena.contest.contest_file import read_contest
from arena.contest.secret_file import read_secret
from arena.extras.classroom.init_command import make_contest
from tests.arena.runs import SECRET


def test_new_contest_has_name_of_its_folder_and_a_secret(tmp_path: Path) -> None:
    folder = tmp_path / "spring"
    made = make_contest(folder, SECRET)
    assert made == [folder / name for name in ("contest.toml", "secret.txt")]
    contest = read_contest(made[0])
    assert (contest.name, contest.seed, contest.secret) == ("spring", None, str(made[1]))
    assert read_secret(made[1]).text == SECRET.text
    assert made[1].stat().st_mode & 0o777 == 0o600
    assert SECRET.text not in made[0].read_text()
    assert (folder / ".gitignore").read_text() == "secret.txt\nserver.db*\ninbox.db*\nbots/\n"
    assert contest.entrants.inbox == str(folder)
    (tmp_path / "our spring!").mkdir()
    (tmp_path / "our spring!" / ".gitignore").write_text("results/")
    make_contest(tmp_path / "our spring!", SECRET)
    ignored = (tmp_path / "our spring!" / ".gitignore").read_text()
    assert ignored == "results/\nsecret.txt\nserver.db*\ninbox.db*\nbots/\n"
    assert read_contest(tmp_path / "our spring!" / "contest.toml").name == "my-contest"


def test_never_overwrites_files(tmp_path: Path) -> None:
    for name in ("contest.toml", "secret.txt"):
        (tmp_path / name).write_text("mine")
        with pytest.raises(SettingsError, match=f"{name} already exists and was not changed"):
            make_contest(tmp_path, SECRET)
        assert [one.name for one in tmp_path.iterdir()] == [name]
        assert (tmp_path / name).read_text() == "mine"
        (tmp_path / name).unlink()
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match="cannot write"):
        make_contest(tmp_path / "file" / "x", SECRET)
