"""Tests of what `arena bench` measures, with and without a C compiler. No figure is judged."""

import shutil
import subprocess
from pathlib import Path

import pytest

from arena.base.record import Entrant
from arena.extras.bench.bench_command import bench
from arena.extras.bench.figures import SHORT, Figure, Sizes
from arena.extras.bench.match_figures import REPLY_BYTES, decision_figures, make_programs
from arena.extras.bench.rows import BOTS, chosen_rows
from arena.extras.bench.run_figures import records_of, watched_run
from arena.extras.bench.timing import Workload, in_turn
from arena.match.in_process import play_in_process
from arena.match.lives import play_games
from arena.match.transport import MatchSettings
from tests.arena.playing import PATIENT, First, as_json, by_name, make_game

NEEDS_COMPILER = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="need a C compiler"
)
NEEDS_PROC = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="need /proc, which Linux has"
)
IN_C = ("c-bots", "c-bots-views")
FEW = Sizes(
    rounds=1,
    run_rounds=1,
    round_trips=2,
    playouts=2,
    determinized=1,
    decided=2,
    driven=2,
    own_time=1,
    games=6,
    recorded=1,
    ranked=60,
    scored=99,
    looked_at=60,
)


def figures(*names: str, short: bool = False) -> dict[str, Figure]:
    return {figure.name: figure for figure in bench(chosen_rows(names, short=short), FEW)}


def test_workloads_are_timed_in_turn_after_a_round_that_does_not_count() -> None:
    taken: list[str] = []

    def workload(name: str) -> Workload:
        def take() -> float:
            taken.append(name)
            return float(len(taken))

        return take

    times = in_turn({"a": workload("a"), "b": workload("b")}, 2)
    assert taken == ["a", "b"] * 3
    assert times == {"a": [3.0, 5.0], "b": [4.0, 6.0]}


@NEEDS_COMPILER
@pytest.mark.parametrize("variant_id", ["pot-de-vin/6-teams", "bribery/4-advanced"])
def test_the_bot_in_c_plays_as_it_should(tmp_path: Path, variant_id: str) -> None:
    programs = make_programs(tmp_path).bots
    names = ("a", "b", "c", "d", "e", "f")[: 6 if "6" in variant_id else 4]
    games = [make_game(variant_id, number, names) for number in range(3)]
    expected = as_json(play_in_process(game, [First] * len(names)) for game in games)
    for command in (programs[name] for name in IN_C):
        entrants = by_name(*[Entrant(name, command, ".", "") for name in names])
        assert as_json(play_games(games, entrants, MatchSettings(PATIENT, tables=2))) == expected


@NEEDS_COMPILER
def test_the_echo_answers_each_line_with_as_many_bytes(tmp_path: Path) -> None:
    echo = make_programs(tmp_path).echo
    done = subprocess.run(echo, input=b"one\ntwo\n", stdout=subprocess.PIPE, check=True)
    assert [len(line) for line in done.stdout.split(b"\n")] == [REPLY_BYTES - 1] * 2 + [0]


@pytest.fixture
def without_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.usefixtures("without_compiler")
def test_without_a_compiler_the_rest_is_measured_and_that_is_said(tmp_path: Path) -> None:
    rows = chosen_rows(["decision"], short=False)
    found = figures(*[row.name for row in rows if "json" not in row.name])
    assert list(make_programs(tmp_path).bots) == [bot for bot in BOTS if bot not in IN_C]
    assert {name for name, one in found.items() if one.missing} == {
        row.name for row in rows if "c-bots" in row.name or row.name.endswith("-rate")
    } - {"decision/json-rate"}
    assert found["decision/msgspec"].reference != "c"


def test_the_wanted_rows_of_a_group_are_yielded(tmp_path: Path) -> None:
    rows = chosen_rows(["decision/msgspec", "decision/c"], short=False)
    found = [name for name, _ in decision_figures(tmp_path, rows, FEW)]
    assert found == ["decision/c", "decision/msgspec"]


@pytest.mark.parametrize(
    "names",
    [
        (
            "playouts/pot-de-vin/3",
            "determinize/bribery/3",
            "hearts/bribery/3",
            "play-out/bribery/3",
        ),
        ("records",),
        ("decision/c-bots-over-plain", "decision/msgspec-rate"),
        ("bots/bribery",),
    ],
    ids=lambda names: names[0],
)
def test_rows_have_a_value_and_a_ratio_to_their_reference(names: tuple[str, ...]) -> None:
    found = figures(*names)
    assert list(found) == [row.name for row in chosen_rows(names, short=False)]
    for figure in found.values():
        if figure.missing:
            assert "OpenSpiel" in figure.missing or "compiler" in figure.missing
            continue
        assert figure.value
        assert figure.ratio
        assert figure.reference
        assert min(figure.value.low, figure.ratio.low) > 0


@NEEDS_PROC
def test_a_run_is_watched_by_process(tmp_path: Path) -> None:
    bots = ("random", "timid", "briber")
    options = ["--variant", "pot-de-vin/3", "--rounds", "3", "--workers", "1"]
    use = watched_run(tmp_path / "run", [*options, *[f"--bot={bot}" for bot in bots]])
    assert use.games == len(records_of(use)) == 3
    assert use.bot_processes >= len(bots)
    assert 0 < use.main_s < use.total_s
    assert 0 < use.workers_s < use.total_s
    assert 0 < use.first_game_s <= use.clock_s
    assert use.main_mib > 1
    assert use.record_bytes > 1


@pytest.mark.long  # some minutes: whole runs, with each number of workers
def test_the_whole_table_can_be_measured() -> None:
    found = figures()
    assert list(found) == [row.name for row in chosen_rows([], short=False)]
    assert all(figure.missing or (figure.value and figure.ratio) for figure in found.values())


def test_a_short_measurement_repeats_less() -> None:
    assert all(short <= usual for short, usual in zip(SHORT, Sizes(), strict=True))
