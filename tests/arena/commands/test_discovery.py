"""What is left out on the command line is found: the contest, its results and the latest run."""

import json
import os
from pathlib import Path

import pytest

from arena.tournament.store import LOCK, Store
from tests.arena.command import arena, contest_text, done, printed, refused
from tests.arena.runs import (
    bot_options,
    made_up_settings,
    make_bots,
    versions_settings,
)

VARIANT, OTHER = "pot-de-vin/3", "pot-de-vin/4-teams"
GAME = f"{VARIANT} board 1 rotation 0"
CONTEST = contest_text("bots/bot-1", "bots/bot-2", "bots/bot-3")


def make_contest(parent: Path) -> Path:
    """Make the folder of a contest with three bots, and return it."""
    folder = parent / "spring"
    make_bots(folder / "bots", 3)
    (folder / "contest.toml").write_text(CONTEST)
    return folder


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a contest that has been played."""
    folder = make_contest(tmp_path_factory.mktemp("played"))
    printed("run", folder)
    return folder


@pytest.fixture
def contest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a new contest, which is the working folder."""
    folder = make_contest(tmp_path)
    monkeypatch.chdir(folder)
    return folder


def make_run(results: Path, name: str, played_at: int) -> None:
    """Make a run without games that was played last at this time."""
    Store.create(results / name, made_up_settings(3, VARIANT)).close()
    os.utime(results / name / LOCK, (played_at, played_at))


# -- a contest -----------------------------------------------------------------------------------


def test_finds_contest_above_the_current_folder(
    contest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (contest / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(contest / "deep" / "er")
    result = arena("run")
    assert result.exit_code == 0, result.stderr
    assert "contest: ../../contest.toml\n" in result.stderr
    assert (contest / "results" / "spring" / "leaderboard.json").is_file()
    assert [path.name for path in (contest / "deep" / "er").iterdir()] == []


def test_submits_to_the_surrounding_contest(contest: Path) -> None:
    Path("ann.py").write_text(
        "class Ann:\n    def act(self, view, legal):\n        return legal[0]\n"
    )
    assert "ann: accepted as version 1" in printed("submit", "ann.py", "--no-check")
    assert (contest / "inbox.db").is_file()
    assert "unchanged" in printed("submit", "ann.py", "--as", "ann", "--no-check", "--to", contest)


@pytest.mark.slow  # it draws the pictures of a site
def test_default_site_is_next_to_the_contest_file(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(played / "bots")
    assert "../site/index.html: 3 bots" in printed("publish")
    assert (played / "site" / "index.html").is_file()
    monkeypatch.chdir(played.parent)
    assert f"{played.name}/site/index.html" in printed("publish", played.name)


# -- a run that is left out ------------------------------------------------------------------------


def test_default_run_is_the_latest(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = ("logs", "export", "verify")
    places = [*[(one, ".") for one in commands], ("leaderboard", "bots")]
    for command, folder in (*places, ("leaderboard", "results/spring")):
        monkeypatch.chdir(played / folder)
        result = done(command)
        assert result.stderr.splitlines()[0].endswith("results/spring: the latest run")
        named = arena(command, played / "results" / "spring")
        assert result.stdout.replace(" ", "") == named.stdout.replace(" ", "")


@pytest.mark.slow
def test_game_argument_follows_the_run(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(played)
    for words in (["spring", *GAME.split()], ["results/spring", GAME]):
        assert GAME in printed("replay", *words)
    with Store.open(played / "results" / "spring") as store:
        key = next(iter(store.records())).key
    assert GAME in printed("replay", "spring", key)
    for words in (["replay", "spring"], ["debug", "random", "spring"]):
        result = arena(*words)
        assert (result.exit_code, "expected the title of a game in spring" in result.stderr) == (
            2,
            True,
        )
    assert "no run 'autumn' in results" in refused("replay", "autumn")


def test_latest_run_ignores_comparisons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, played_at in (("first", 2_000), ("second", 3_000), ("third", 1_000)):
        make_run(tmp_path / "results", name, played_at)
    Store.create(tmp_path / "results" / "fourth", versions_settings(2)).close()
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert "results/second: the latest run" in done("leaderboard").stderr
    listed = json.loads(printed("runs", "--json"))
    assert [one["name"] for one in listed] == ["fourth", "second", "first", "third"]
    assert [one["is_comparison"] for one in listed] == [True, False, False, False]
    assert listed[1]["games_to_play"] == 3
    rows = [line.split() for line in printed("runs").splitlines()]
    assert [row[0] for row in rows] == ["run", "fourth", "second", "first", "third"]
    assert rows[1][1:7] == ["comparison,", "stopped", "0", "of", "at", "most"]


def test_reports_unreadable_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused("logs") == "there is no run in results: play one with `arena run`"
    assert printed("runs") == "there is no run in results: play one with `arena run`\n"
    assert printed("runs", "--json") == "[]\n"
    assert "there is no contest.toml in" in refused("run", tmp_path)
    for command in (["submit", __file__], ["publish", "x.jsonl"]):
        result = arena(*command)
        assert (result.exit_code, "no contest.toml in this folder" in result.stderr) == (2, True)
    (tmp_path / "results" / "old").mkdir(parents=True)
    (tmp_path / "results" / "old" / "arena.db").write_text("no database")
    assert "old cannot be read: " in printed("runs")
    (tmp_path / "contest.toml").write_text("rounds = ")
    assert "contest.toml is not valid TOML: " in refused("runs")
    assert printed("runs", "--help")


# -- settings that were given once -----------------------------------------------------------------


@pytest.mark.slow
def test_run_remembers_rounds_and_variants(contest: Path) -> None:
    more = ["--rounds", 6, "--variant", VARIANT, "--variant", OTHER, "--bot", "bots/bot-1"]
    more += ["--bot", "bots/bot-2", "--bot", "bots/bot-3", "--bot", "random"]
    printed("run", *more)
    (contest / "contest.toml").write_text(CONTEST.replace('"bots/bot-3"', '"bots/bot-3", "random"'))
    again = arena("run")
    assert again.exit_code == 0, again.stderr
    assert "the run has 6 rounds and keeps them, instead of 3\n" in again.stderr
    assert f"the run has {OTHER} too, and keeps them\n" in again.stderr
    assert "14 games, 14 of them played before" in again.stderr


def test_resuming_names_missing_options(contest: Path) -> None:
    bots = [contest / "bots" / f"bot-{number}" for number in (1, 2, 3)]
    options: list[object] = ["--seed", 6, "--set", "withdrawal=false", "--set", "limits.nesting=9"]
    printed("run", *options, *bot_options(bots), "--bot", "random")
    named = CONTEST.replace('"bots/bot-3"', '"bots/bot-3", "random"')
    (contest / "contest.toml").write_text(named)
    text = refused("run")
    for difference in ("seed is 6 in the run", "withdrawal is false in the run", "nesting is 9"):
        assert difference in text
    assert "rounds is 3 in the run, but 2 now" in refused("run", "--rounds", 2)


def test_contest_folder_stands_for_its_run(played: Path) -> None:
    result = arena("leaderboard", played, "--all")
    assert result.exit_code == 0
    assert "spring: 3 of 3 games, complete" in result.stdout
    assert "results/spring: the run of the contest" in result.stderr
    assert "answer: " in printed("debug", "random", played, GAME, "--seat", "0")


def test_run_is_optional_with_bot(contest: Path) -> None:
    printed("run")
    assert "bot-1 wrote nothing" in printed("logs", "--bot", "bot-1")
    assert "in this game" in printed("logs", "spring", GAME, "--bot", "bot-1")
    assert "without a bot; add `--bot NAME`" in arena("logs", "spring", GAME).stderr
    result = arena("logs", "spring", GAME, "more", "--bot", "bot-1")
    assert result.exit_code in (1, 2), result.stderr
    assert "expected" in result.stderr
