"""The runs of a contest: deals of their own, the final, and which run decides."""

import contextlib
import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.record import read_record
from arena.check.sandbox_probe import INEXACT
from arena.contest.secret_file import read_secret
from arena.tournament.settings import Settings
from arena.tournament.store import Store
from tests.arena.command import arena, done, printed, records_in, refused
from tests.arena.contest.submitted import accept
from tests.arena.runs import RUN_OPTIONS

CONTEST = """
name = "spring"
variants = ["pot-de-vin/3"]
rounds = 3
secret = "secret.txt"
[entrants]
inbox = "."
bots = ["greedy", "random", "timid"]
"""


@pytest.fixture(scope="module")
def class_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A contest with its run `spring`, then an experiment, then the final."""
    folder = tmp_path_factory.mktemp("contest")
    (folder / "contest.toml").write_text(CONTEST)
    (folder / "secret.txt").write_text("ab" * 32)
    (folder / "secret.txt").chmod(0o600)
    for options in ((), ("--name", "trial"), ("--final", "--accept-risk")):
        done("run", folder, *options, *RUN_OPTIONS)
    return folder


@pytest.fixture
def place(class_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the contest, which a test may spoil, as the working folder."""
    folder = tmp_path / "contest"
    shutil.copytree(class_folder, folder)
    monkeypatch.chdir(folder)
    return folder


def settings_of(run: Path) -> Settings:
    with Store.open(run) as store:
        return store.settings()


@pytest.mark.slow
def test_early_or_unsafe_final_needs_an_option(place: Path) -> None:
    shutil.rmtree(place / "results" / "spring-final")
    file = place / "contest.toml"
    file.write_text(f'{file.read_text()}[deadline]\ndue = "2099-01-01 12:00"\n')
    text = "class Anna:\n    def act(self, view, legal):\n        return legal[0]\n"
    accept(place, "anna", text)
    final = ("run", place, "--final", "--sandbox", "none", *RUN_OPTIONS)
    assert "--accept-risk" in refused(*final, "--before-due")
    final = (*final, "--accept-risk")
    assert "--before-due" in refused(*final)
    assert not (place / "results" / "spring-final").exists()
    played = done(*final, "--before-due")
    assert "the final keeps these versions" in played.stderr
    assert "can harm one another" in played.stderr
    assert arena(*final).exit_code == 0  # it has begun


def test_rejects_final_without_exact_processor_time(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(place / "results" / "spring-final")
    monkeypatch.setattr("arena.tournament.contest_run.has_exact_clock", lambda: False)
    text = refused("run", place, "--final", *RUN_OPTIONS)
    assert f"cannot play the final: {INEXACT}, or pass --accept-risk" in text
    assert not (place / "results" / "spring-final").exists()


def test_final_has_as_many_rounds_as_the_run(place: Path) -> None:
    done("run", place, "--rounds", "6", *RUN_OPTIONS)
    for options, rounds in (((), 6), (("--rounds", "3"), 3)):
        shutil.rmtree(place / "results" / "spring-final")
        printed = done("run", place, "--final", "--accept-risk", *options, *RUN_OPTIONS).stderr
        assert re.search(rf"the final plays {rounds} rounds: {rounds} games, about \d+ s", printed)
        assert settings_of(place / "results" / "spring-final").rounds == rounds


def test_runs_of_a_contest_have_different_deals(class_folder: Path) -> None:
    runs = [class_folder / "results" / name for name in ("spring", "trial", "spring-final")]
    deals = [{bytes(read_record(record).deal) for record in records_in(run)} for run in runs]
    assert all(deals)
    assert len(set.union(*deals)) == sum(map(len, deals))
    own = read_secret(class_folder / "secret.txt")
    settings = [settings_of(run) for run in runs]
    assert [one.is_final for one in settings] == [False, False, True]
    hashes = [one.secret.hash if one.secret else "" for one in settings]
    assert hashes[:2] == [own.hash, own.of_run("trial").hash]
    assert len({*hashes}) == 3


def test_contest_secret_verifies_its_runs(place: Path) -> None:
    for run, secret in (
        ("spring", "secret.txt"),
        ("trial", "secret.txt"),
        ("trial", "results/trial/secret.txt"),
        ("spring-final", "results/spring-final/secret.txt"),
    ):
        file = place / f"{run}.jsonl"
        file.write_text(arena("export", run).stdout)
        assert "not checked" not in done("verify", file, "--secret", secret).stderr
    refused("verify", place / "spring-final.jsonl", "--secret", "secret.txt")
    for options in ((), ("--name", "trial"), ("--name", "spring-final")):
        done("run", place, *options, *RUN_OPTIONS)  # the secrets that they have
    assert "is not a final" in refused("run", place, "--final", "--name", "trial", *RUN_OPTIONS)
    same = done("run", place, "--name", "same", "--set", "secret=secret.txt", *RUN_OPTIONS)
    assert "this run shares its deals with spring" in same.stderr
    for run, others in (("same", ["spring"]), ("trial", [])):
        assert (
            json.loads(printed("leaderboard", run, "--all", "--json"))["run"]["shares_deals_with"]
            == others
        )


def test_the_final_is_marked_everywhere(place: Path) -> None:
    assert "\nfinal: " in arena("leaderboard", "spring-final").stdout
    assert "final" not in arena("leaderboard", "spring").stdout
    assert json.loads(arena("leaderboard", "spring-final", "--json").stdout)["final"] is True
    assert json.loads(arena("leaderboard", "spring-final", "--all", "--json").stdout)["run"][
        "is_final"
    ]
    assert "spring-final (final)" in arena("leaderboard", "spring-final", "--all").stdout
    runs = {run["name"]: run["is_final"] for run in json.loads(arena("runs", "--json").stdout)}
    assert runs == {"spring": False, "trial": False, "spring-final": True}
    header = json.loads(arena("export", "spring-final").stdout.splitlines()[0])
    assert header["settings"]["final"] is True
    assert arena("publish", "--to", "page").exit_code == 0
    assert "the final of the contest" in (place / "page" / "about.html").read_text()


def test_final_closes_submissions(place: Path, tmp_path: Path) -> None:
    (place / "ann.py").write_text("")
    assert "delete the folder" in refused("submit", "ann.py", "--no-check")
    assert "--seed" in refused("run", place, "--final", "--seed", "1")
    shutil.rmtree(place / "results" / "spring-final")
    assert arena("submit", "ann.py", "--no-check").exit_code == 0
    with contextlib.chdir(tmp_path):
        assert "--final without a contest" in refused("run", "--final")


# -- which run decides -------------------------------------------------------------------------


def test_grades_use_the_run_of_the_contest(place: Path) -> None:
    def taken(*words: str) -> str:
        lines = [line for line in arena(*words).stderr.splitlines() if line.startswith("results/")]
        return lines[0].removeprefix("results/").split(":")[0]

    (place / "results" / "trial" / "arena.lock").touch()  # it was played last
    assert taken("leaderboard") == "trial"
    for words in (("grades",), ("publish", "--to", "page")):
        assert taken(*words) == "spring-final"
    begun = place / "results" / "spring-final-2"
    shutil.copytree(place / "results" / "spring-final", begun)
    with closing(sqlite3.connect(begun / "arena.db")) as database, database:
        database.execute("UPDATE run SET digest = NULL")
    (begun / "arena.lock").touch()
    assert taken("grades") == "spring-final", "the other final is not over"
    for name in ("spring-final", "spring-final-2"):
        shutil.rmtree(place / "results" / name)
    for words in (("grades",), ("publish", "--to", "page")):
        assert taken(*words) == "spring"
    shutil.rmtree(place / "results" / "spring")
    assert "spring of contest.toml has not begun" in refused("grades")
    assert "trial" in refused("publish", "--to", "page")
