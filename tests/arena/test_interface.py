"""The Python interface: `import arena`, and what a script or notebook does with it."""

import contextlib
import io
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.bot import Bot
from arena.tournament.agents import ClassAgent
from arena.tournament.contest_run import StartedRun
from arena.tournament.store import DATABASE
from tests.arena.runs import run_arena

VARIANT = "pot-de-vin/3"
NAMES = ["greedy", "random", "timid"]
OPTIONS: dict[str, Any] = {"seed": 1, "sandbox": "none", "workers": 1}


class First(Bot):
    """Takes the first legal action."""

    def act(self, view: Any, legal: list[str]) -> str:
        return legal[0]


class Cheat(First):
    def act(self, view: Any, legal: list[str]) -> str:
        return "cheat"


class Broken(First):
    name = "broken"

    def act(self, view: Any, legal: list[str]) -> str:
        raise ZeroDivisionError("no trick")


@pytest.fixture(scope="module")
def spring(tmp_path_factory: pytest.TempPathFactory) -> arena.Run:
    """A run of nine rounds."""
    results = tmp_path_factory.mktemp("interface")
    return arena.run(VARIANT, NAMES, rounds=9, name="spring", results=results, **OPTIONS)


def test_run_equals_that_of_the_command(spring: arena.Run) -> None:
    results = spring.source.parent
    bots = [word for name in NAMES for word in ("--bot", name)]
    choice = ["--variant", VARIANT, "--rounds", "9", "--seed", "1", "--sandbox", "none"]
    played = run_arena("run", *choice, *bots, "--results", results, "--name", "typed")
    typed = arena.open_run("typed", results)
    assert typed.verify().digest == spring.verify().digest
    assert str(typed.leaderboard()) in played.stdout


def test_same_call_resumes_and_extends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []

    class StopAfterGames(arena.RunObserver):
        def notice(self, text: str) -> None:
            calls.append("notice")

        def playing(self, run: StartedRun) -> Any:
            calls.append(run.settings.variants)
            return super().playing(run)

        def advance(self, games: int) -> None:
            calls.append(games)
            raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    with pytest.raises(arena.ArenaError, match=r"stopped after \d of 3 games"):
        arena.run(VARIANT, NAMES, rounds=3, observer=StopAfterGames(), **OPTIONS)
    assert calls[:3] == ["notice", (VARIANT,), 1]
    run = arena.run(VARIANT, NAMES, rounds=3, **OPTIONS)
    assert len(list(run.games())) == 3
    assert run.source == Path("results", "pot-de-vin-3")
    first = [game.key for game in run.games()]
    assert [game.key for game in arena.run(VARIANT, NAMES, rounds=6, **OPTIONS).games()][
        :3
    ] == first


def test_arguments_override_the_contest(tmp_path: Path) -> None:
    contest = tmp_path / "contest.toml"
    lines = [f'variants = ["{VARIANT}"]', "rounds = 6", "seed = 1", "[entrants]"]
    contest.write_text("\n".join([*lines, f"bots = {NAMES}"]).replace("'", '"'))
    run = arena.run(contest=tmp_path, rounds=3, sandbox="none", settings={"limits.move_ms": 900})
    assert run.source.parent == tmp_path / "results"
    settings = run.settings
    assert (settings.rounds, settings.limits.move_ms, run.bots) == (3, 900, NAMES)


def test_leaderboard_has_text_rows_and_html(spring: arena.Run, tmp_path: Path) -> None:
    assert "greedy" in spring.publish(tmp_path / "site", all_games=True).read_text("utf-8")
    board = spring.leaderboard()
    best, *_ = board.rows
    assert re.search(rf"^ +\S+ +{best['bot']} ", str(board), re.MULTILINE)
    assert f"<td>{best['bot']}</td>" in spring._repr_html_()
    bots = [row["bot"] for row in board.rows]
    assert [row["bot"] for row in spring.leaderboard(VARIANT).rows] == bots
    assert "\x1b" not in str(board)


def test_filters_games_by_bot_and_result(spring: arena.Run) -> None:
    games = list(spring.games(bot="random", lost=True)) + list(
        spring.games(bot="random", lost=False)
    )
    assert sorted(game.key for game in games) == sorted(game.key for game in spring.games())
    for game in spring.games(bot="random", lost=True):
        assert game.ranks[game.entrants.index("random")] > 1


def test_verify_rejects_forged_run(tmp_path: Path) -> None:
    run = arena.run(VARIANT, NAMES, rounds=3, results=tmp_path, **OPTIONS)
    with contextlib.closing(sqlite3.connect(run.source / DATABASE)) as database, database:
        database.execute("UPDATE games SET key = 'ff' WHERE position = 1")
    with pytest.raises(arena.ArenaError, match="stored key: got ff"):
        run.verify()


def test_opens_exports(spring: arena.Run, tmp_path: Path) -> None:
    exported = tmp_path / "spring.jsonl"
    exported.write_text(run_arena("export", spring.source).stdout)
    run = arena.open_run(exported)
    assert run.verify().games == 9
    assert run.leaderboard().rows == spring.leaderboard().rows


@pytest.mark.slow
def test_compares_two_versions(tmp_path: Path) -> None:
    folder = tmp_path / "comparison"
    found = arena.compare("random", "greedy", VARIANT, budget=2, folder=folder, **OPTIONS)
    assert (found.verdict, found.boards) == ("undecided", 2)
    again = arena.compare("random", "greedy", VARIANT, budget=3, folder=folder, **OPTIONS)
    assert again.boards == 3


def test_plays_one_game_of_all_kinds_of_bots() -> None:
    record = arena.play(VARIANT, ["greedy", First, First()], seed=7, sandbox="none")
    assert record.entrants == ("greedy", "First", "First-2")
    assert record == arena.play(VARIANT, ["greedy", First(), First], seed=7, sandbox="none")
    assert record.actions != arena.play(VARIANT, [First] * 3, seed=8).actions
    agents = arena.play(VARIANT, [ClassAgent(First)] * 3, seed=7)
    assert agents.actions == arena.play(VARIANT, [First] * 3, seed=7).actions


def test_records_faults_and_raises_exceptions() -> None:
    cheated = arena.play(VARIANT, [Cheat, First, First], seed=1)
    assert [(fault.seat, fault.kind) for fault in cheated.faults] == [(0, "illegal")]
    with pytest.raises(arena.ArenaError, match="broken raised ZeroDivisionError") as raised:
        arena.play(VARIANT, [Broken, First, First], seed=1)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: arena.run("pot-de-vin/7"), "unknown variant 'pot-de-vin/7'"),
        (lambda: arena.run(VARIANT, [First]), "write the class to a file"),  # type: ignore[list-item]
        (
            lambda: arena.run(VARIANT, settings={"limits.mov_ms": 1}),
            "did you mean 'limits.move_ms'",
        ),
        (lambda: arena.run(VARIANT, rounds=0), "rounds: "),
        (lambda: arena.run(VARIANT, ["gredy"]), "did you mean 'greedy'"),
        (lambda: arena.run(VARIANT, "gredy"), "did you mean 'greedy'"),
        (lambda: arena.run(VARIANT, []), "got no bots"),
        (lambda: arena.run(VARIANT, ["greedy"] * 2), "only 1 of the bots"),
        (lambda: arena.open_run("nowhere"), "no run 'nowhere'"),
        (lambda: arena.play(VARIANT, ["greedy"]), "got a list of 1, expected a list of 3 bots"),
        (lambda: arena.play("bribery/2", ["greedy", First]), "does not play bribery"),
        (lambda: arena.play("bribery/2", [3, First]), "got 3 as a bot"),  # type: ignore[list-item]
        (lambda: arena.compare("greedy", "greedy", VARIANT), "have the same code"),
        (lambda: arena.compare("greedy", "random", budget=0), "got a budget of 0 boards"),
    ],
)
def test_errors_are_arena_errors(
    call: Any, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(arena.ArenaError, match=re.escape(text)):
        call()


def test_rejects_invalid_queries(spring: arena.Run) -> None:
    with pytest.raises(arena.ArenaError, match="did you mean 'timid'"):
        spring.games(bot="timi")
    with pytest.raises(arena.ArenaError, match="got `lost` without `bot`"):
        spring.games(lost=True)
    with pytest.raises(arena.ArenaError, match="unknown variant of the run 'bribery/2'"):
        spring.leaderboard("bribery/2")


@pytest.mark.slow
def test_scripts_need_no_main_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        f"import arena\nrun = arena.run({VARIANT!r}, {NAMES}, rounds=6, seed=1, sandbox='none', "
        "workers=2)\nprint(len(list(run.games())))\n"
    )
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("6\n", "")


def test_import_is_lazy() -> None:
    program = (
        "import sys; before = set(sys.modules); import arena; print(set(sys.modules) - before);"
        "print(sorted({'run', 'play', 'open_run', 'compare'} - set(dir(arena))));"
        "arena.play; print('arena.interface' in sys.modules, 'rich' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "{'arena'}\n[]\nFalse False\n"


def test_files_get_no_progress_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    arena.run(VARIANT, NAMES, rounds=3, results=tmp_path, **OPTIONS)
    assert stderr.getvalue() == ""
    arena.run(VARIANT, NAMES, rounds=6, results=tmp_path, progress=True, **OPTIONS)
    assert "6/6" in stderr.getvalue()


def test_lazy_names_match_type_stubs() -> None:
    stub = Path(arena.__file__).with_suffix(".pyi").read_text("utf-8")
    assert {*re.findall(r" as (\w+)$", stub, re.MULTILINE), "__version__"} == {*arena.__all__}
    assert all(hasattr(arena, name) for name in arena.__all__)


def test_keeps_exception_as_evidence(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    played = arena.run(
        "bribery/2", [Broken, "random"], in_process=True, workers=1, rounds=4, results=tmp_path
    )
    assert [
        text.count("ZeroDivisionError: no trick") for text in caplog.messages if "Traceback" in text
    ] == [1]
    faults = played.faults(bot="broken")
    assert len(faults) == 4
    assert faults[0].evidence.stderr.endswith("ZeroDivisionError: no trick\n")
    assert played.faults(bot="random") == []


def test_unfinished_run_reports_uncounted_games(
    spring: arena.Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copytree(spring.source, tmp_path / "stopped")
    with contextlib.closing(sqlite3.connect(tmp_path / "stopped" / DATABASE)) as database:
        database.execute("DELETE FROM games WHERE position = 1")
        database.commit()
    run = arena.open_run("stopped", tmp_path)
    assert len(list(run.games(complete=False))) == 8
    assert not caplog.records
    assert len(list(run.games())) == run.leaderboard().board.games == 6
    assert "2" in caplog.text
    assert "2 more games" in run.leaderboard()._repr_html_()
