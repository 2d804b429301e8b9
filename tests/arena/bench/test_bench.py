"""Tests of `arena bench`, with and without a C compiler."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.bench import workloads
from arena.bench.bench import CONCURRENT_GAMES, Figure, bench, in_turn, measure_decisions, ratio
from arena.bench.workloads import Repetitions, make_programs
from arena.commands.bench import line_of
from arena.match.in_process import play_in_process
from arena.match.playing import play_games
from arena.match.settings import MatchSettings
from arena.record import Entrant
from tests.arena.playing import PATIENT, First, as_json, by_name, make_game

NEEDS_COMPILER = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="need a C compiler"
)
FEW = Repetitions(round_trips=2, playouts=2, games=2, driven_games=2)


def test_samples_are_taken_in_turn_after_one_that_does_not_count() -> None:
    taken: list[str] = []

    def sample(name: str) -> workloads.Workload:
        def take() -> float:
            taken.append(name)
            return float(len(taken))

        return take

    times = in_turn({"a": sample("a"), "b": sample("b")}, 2)
    assert taken == ["a", "b"] * 3
    assert times == {"a": [3.0, 5.0], "b": [4.0, 6.0]}


def test_a_ratio_is_the_median_of_those_of_the_rounds() -> None:
    assert ratio([1.0, 20.0, 9.0], [1.0, 10.0, 3.0]) == 2.0


@NEEDS_COMPILER
@pytest.mark.parametrize("variant_id", ["pot-de-vin/6-teams", "bribery/4-advanced"])
def test_the_bot_in_c_plays_as_it_should(tmp_path: Path, variant_id: str) -> None:
    in_c = [command for name, command in make_programs(tmp_path).bots.items() if "C bots" in name]
    assert len(in_c) == 2
    names = ("a", "b", "c", "d", "e", "f")[: 6 if "6" in variant_id else 4]
    games = [make_game(variant_id, number, names) for number in range(3)]
    expected = as_json(play_in_process(game, [First] * len(names)) for game in games)
    for command in in_c:
        entrants = by_name(*[Entrant(name, command, ".", "") for name in names])
        assert as_json(play_games(games, entrants, MatchSettings(PATIENT, tables=2))) == expected


@NEEDS_COMPILER
def test_the_echo_answers_each_line_with_as_many_bytes(tmp_path: Path) -> None:
    echo = make_programs(tmp_path).echo
    done = subprocess.run(echo, input=b"one\ntwo\n", stdout=subprocess.PIPE, check=True)
    assert [len(line) for line in done.stdout.split(b"\n")] == [workloads.REPLY_BYTES - 1] * 2 + [0]


def figures(folder: Path) -> list[Figure]:
    return list(measure_decisions(make_programs(folder), 1, FEW))


def test_without_a_compiler_the_rest_is_measured_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = figures(tmp_path)
    assert "Python echo" in found[0].what
    assert not [one for one in found if "C bots" in one.what or "C bots" in one.reference]
    assert [one.reference for one in found if "its rate" in one.what] == ["msgspec bots"]


def test_the_table_has_a_line_for_every_figure(tmp_path: Path) -> None:
    table = "\n".join([line_of(figure) for figure in bench(tmp_path, 1, 4, FEW)])
    for pattern in EXPECTED:
        assert re.search(f"^{pattern}$", table, re.M), f"{pattern}:\n{table}"


NUMBER = r" +[\d,.]+ "
EXPECTED = [
    rf"playouts of pot-de-vin/3{NUMBER}games/s",
    rf"c: a minimal round trip \(.*\){NUMBER}us",
    rf"transport without a game{NUMBER}us +\d+\.\d\d x c",
    rf"referee, msgspec bots{NUMBER}us a decision +\d+\.\d\d x c",
    rf"  {CONCURRENT_GAMES} games at a time{NUMBER}decisions/s +\d+\.\d\d x one game",
    rf"referee, stdlib-json bots, whole views{NUMBER}us a decision +\d+\.\d\d x c",
    rf"bare driver, one core{NUMBER}games/s",
    rf"arena run --workers 1{NUMBER}games/s",
    rf"  by processor time{NUMBER}games/s +\d+\.\d\d x bare driver",
    rf"storage of a game{NUMBER}bytes",
    rf"rating a board{NUMBER}us",
    rf"scores of 50 bots, 100 games{NUMBER}ms",
    rf"a look at 30 bots, 10 games{NUMBER}ms",
]
