"""Tests of the charts: the numbers in their tables, files and drawings."""

import csv
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from arena.base.record import GameRecord
from arena.publish.charts import (
    MAX_MATRIX_BOTS,
    certainty_chart,
    chart_csv,
    matrix_chart,
    places_chart,
    rating_chart,
    score_chart,
    variants_chart,
    with_files,
)
from arena.publish.pages import lines
from arena.publish.site_folder import Site
from arena.rating.certificate import Certificate, Neighbours
from arena.rating.leaderboard import leaderboard
from arena.rating.pairs import PairResult
from arena.rating.stop_rule import CertaintySnapshot
from arena.rating.trueskill import rating_history
from engine import get_variant
from tests.arena.publish.rows import row
from tests.arena.rating.made_boards import boards_in
from tests.arena.runs import hand_made

VARIANT = {"pot-de-vin/3": get_variant("pot-de-vin/3")}
ORDER = ["ann", "ben", "cy", "dan"]
CERTIFICATE = Certificate(
    (
        Neighbours("ann", "ben", "close", 0.6),
        Neighbours("ben", "cy", "line", 0.999),
        Neighbours("cy", "dan", "undecided", None),
    ),
    0.95,
    0.1,
    50,
    2,
)


def records(boards: int) -> list[GameRecord]:
    rng = random.Random(7)
    return [
        hand_made(rng.sample([1, 2, 3], 3), board=board, rotation=turn, points=[9, 4, 1])
        for board in range(1, boards + 1)
        for turn in range(3)
    ]


@pytest.mark.parametrize("boards", [0, 1, 23])
def test_the_ratings_over_a_run_end_with_the_leaderboard(boards: int) -> None:
    played = records(boards)
    snapshots = rating_history(boards_in(played, VARIANT), VARIANT, "abc", 4)
    rows = leaderboard(played, VARIANT, "abc").overall
    assert [snapshots[0].games, snapshots[-1].games] == [0, 3 * boards]
    assert len(snapshots) <= 6
    assert snapshots[-1].ratings == {one.bot: (one.mu, one.sigma) for one in rows}
    chart = rating_chart(snapshots, rows)
    assert chart.rows[-1][0] == str(3 * boards)
    assert {line[1] for line in chart.data[1:]} == set("abc")


def test_scores_have_intervals_ranks_and_what_is_certain() -> None:
    rows = [row(name, 1, 2) for name in ORDER]
    rows[3] = replace(rows[3], score=None, score_low=None, score_high=None)
    chart = score_chart(lines(rows, {}, CERTIFICATE), CERTIFICATE)
    assert chart.rows[0][:4] == ("ann", "50.0%", "40.0%", "60.0%")
    assert chart.rows[3][1:4] == ("", "", "")
    assert [cells[-1].startswith("~") for cells in chart.rows] == [False, True, False, False]
    assert "less than 0.1" in chart.text
    assert chart.drawing
    assert [bot["lined"] for bot in chart.drawing["bots"]] == [False, True, False]
    assert "thick line" not in score_chart(lines(rows, {}), None).text


def test_certainty_is_shown_between_neighbours_look_by_look() -> None:
    history = [
        CertaintySnapshot(75, (0.2, 0.9, None), ("undecided", "undecided", "undecided")),
        CertaintySnapshot(150, (0.6, 0.9999, None), ("close", "line", "undecided")),
    ]
    chart = certainty_chart(history, ORDER, is_looked_at=True)
    assert chart.columns == ("pair", "75 games", "150 games", "now")
    assert chart.rows == (
        ("ann - ben", "0.20", "0.60", "~"),
        ("ben - cy", "0.90", ">0.99", "line"),
        ("cy - dan", "", "", ""),
    )
    many = [CertaintySnapshot(10 * k, (0.5,), ("undecided",)) for k in range(1, 31)]
    columns = certainty_chart(many, ["a", "b"], is_looked_at=False).columns
    assert 6 <= len(columns) <= 10
    assert columns[-2] == "300 games"


def test_the_matrix_links_pairs_and_marks_what_the_scores_do_not_explain() -> None:
    cells = [
        PairResult("a", "b", 30, 0.75, 0.55, departs=True),
        PairResult("b", "a", 30, 0.25, 0.45, departs=True),
        PairResult("a", "c", 30, 0.6, 0.62, departs=False),
        PairResult("c", "a", 30, 0.4, 0.38, departs=False),
    ]
    chart = matrix_chart(cells, "abc", 0.034, "pair/{}-{}".format)
    shown = {name: [(cell.text, cell.mark) for cell in own] for name, own in chart.heat}
    assert shown == {
        "a": [("", ""), ("75", "▲"), ("60", "")],
        "b": [("25", "▼"), ("", ""), ("", "")],
        "c": [("40", ""), ("", ""), ("", "")],
    }
    assert chart.heat[0][1][1].link == "pair/a-b"
    assert "75% of games" in chart.heat[0][1][1].title
    assert chart.data[1] == ("a", "b", "30", "0.7500", "0.5500", "yes")
    assert "Interplay is 3.4%" in chart.text
    assert "1 of 2 pairs" in chart.text
    explained = [replace(cell, departs=False) for cell in cells]
    assert "No single result" in matrix_chart(explained, "abc", 0.0, lambda *_: "").text


def test_heat_maps_of_variants_and_places() -> None:
    by_variant = {"v": [row("a", 1, 1)], "w": [replace(row("b", 1, 1), score=None)]}
    chart = variants_chart(by_variant, ["a", "b"], "variant/{}".format)
    shown = [(name, [(cell.text, cell.link) for cell in own]) for name, own in chart.heat]
    assert shown == [("a", [("50", "variant/v"), ("", "")]), ("b", [("", ""), ("", "")])]
    places = places_chart({"a": Counter({1: 3, 2: 1})}, ["a", "b"])
    assert [cell.text for cell in places.heat[0][1]] == ["75", "25"]


def test_a_large_field_lists_the_pairs_that_say_most_in_place_of_a_matrix() -> None:
    names = [f"b{number:02}" for number in range(MAX_MATRIX_BOTS + 1)]
    pairs = [
        PairResult(bot, other, 10, 0.5 + place / 100, 0.5, place == 3)
        for place, (bot, other) in enumerate(pairwise(names))
    ]
    chart = matrix_chart(pairs, names, 0.0, lambda *_: "")
    assert (chart.heat, chart.drawing) == ((), None)
    assert chart.rows[0][:2] == ("b03", "b04")
    assert chart.rows[1][:2] == tuple(names[-2:])
    assert len(chart.data) == 1 + len(pairs)


def test_files_of_charts_run_no_formula_and_empty_charts_have_none(tmp_path: Path) -> None:
    chart = places_chart({"=1+1": Counter({1: 3})}, ["=1+1"])
    assert list(csv.reader(chart_csv(chart).splitlines()))[1] == ["'=1+1", "100"]
    with Site(tmp_path) as site:
        found = with_files(site, "index.html", [chart, places_chart({}, [])])
    assert [one.file for one in found] == ["files/charts/index/places.csv"]
    assert msgspec.structs.replace(found[0], file="") == chart
    assert (tmp_path / found[0].file).read_text() == chart_csv(chart)
