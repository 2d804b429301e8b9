"""Tests of the charts."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.publish.chart_files import with_files
from arena.publish.charts.certainty import certainty_chart
from arena.publish.charts.matrix import matrix_chart
from arena.publish.charts.points import points_chart
from arena.publish.charts.ratings import rating_chart, spread_out
from arena.publish.charts.scores import score_chart
from arena.publish.charts.times import time_chart
from arena.publish.layout import chart_file
from arena.publish.pages import Chart, Line, Picture, lines
from arena.publish.picture import MAX_NAME_LETTERS, shortened_name
from arena.publish.run_statistics import Timings
from arena.publish.site import Site
from arena.publish.site_data import TableCharts
from arena.rating.board_model import fit_boards
from arena.rating.board_sums import BoardSums
from arena.rating.certificate import Certificate, Neighbours, StopRule
from arena.rating.complete_boards import BoardShares
from arena.rating.leaderboard import leaderboard
from arena.rating.pairs import PairResult
from arena.rating.stop_rule import CertaintySnapshot
from arena.rating.trueskill import rating_history
from arena.record import Entrant, GameRecord, Timing
from arena.tournament.portions import certainty_courses
from arena.tournament.settings import Settings
from engine import get_variant
from tests.arena.playing import PATIENT
from tests.arena.publish.rows import row
from tests.arena.rating.made_boards import results_in
from tests.arena.rating.made_tables import drawn_boards
from tests.arena.runs import hand_made

VARIANT = {"pot-de-vin/3": get_variant("pot-de-vin/3")}


def records(boards: int) -> list[GameRecord]:
    rng = random.Random(7)
    found = []
    for board in range(1, boards + 1):
        for turn in range(3):
            ranks = rng.sample([1, 2, 3], 3)
            found.append(hand_made(ranks, board=board, rotation=turn, points=[9, 4, 1]))
    return found


@pytest.mark.parametrize("boards", [0, 1, 5, 23])
def test_the_rating_history_ends_with_the_leaderboard(boards: int) -> None:
    played = records(boards)
    snapshots = rating_history(results_in(played, VARIANT), VARIANT, "abc", 4)
    assert snapshots[0].games == 0
    assert snapshots[-1].games == 3 * boards
    assert len(snapshots) <= 6
    for one in leaderboard(played, VARIANT, "abc").overall:
        assert snapshots[-1].ratings[one.bot] == (one.mu, one.sigma)


def test_charts_show_any_name() -> None:
    names = ["$x_1^2$", "漢字 bot", "<script>&amp;", "\x1b[31m", "x" * 60, "\u202egnp"]
    timings = {}
    for name in names:
        timings[name] = Timings()
        timings[name].add(Timing(1, 500, 500))
    chart = time_chart(timings, names, 2000)
    for text in ("$x_1^2$", "漢字 bot", "&lt;script&gt;&amp;amp;", r"\x1b[31m", r"\u202egnp"):
        assert f">{text}</text>" in chart.svg
    assert "\x1b" not in chart.svg
    assert len(shortened_name("x" * 60)) == MAX_NAME_LETTERS
    assert shortened_name("\u0645\u062d") == "\u0645\u062d\N{LEFT-TO-RIGHT MARK}"
    assert [cells[0] for cells in chart.rows] == names


def test_charts_show_the_numbers_of_their_tables() -> None:
    played = records(3)
    board = leaderboard(played, VARIANT, "abc")
    names = [one.bot for one in board.overall]
    told = rating_chart(
        rating_history(results_in(played, VARIANT), VARIANT, names, 60), board.overall
    )
    assert told.rows[-1][0] == "9"
    told = points_chart({"pot-de-vin/3": Counter({7: 3}), "bribery/2": Counter({0: 1, 9: 3})})
    assert [cells[0] for cells in told.rows] == ["pot-de-vin/3", "bribery/2"]
    assert told.rows[1][1:] == ("0", "0", "9", "9", "9")


@given(st.lists(st.floats(-100, 100), max_size=9), st.floats(0.1, 9))
def test_names_beside_lines_are_apart_in_order_and_near(values: list[float], step: float) -> None:
    values.sort()
    places = spread_out(values, step)
    assert len(places) == len(values)
    assert all(high - low >= step - 1e-9 for low, high in pairwise(places))
    assert sum(places) == pytest.approx(sum(values), abs=1e-6)
    if all(high - low > step for low, high in pairwise(values)):
        assert places == pytest.approx(values)


@pytest.mark.parametrize("number", [2, 3, 30])
def test_there_is_room_for_few_bots_and_for_many_with_long_names(number: int) -> None:
    names = [f"{place:02} {'x' * 40}" for place in range(number)]
    cells = [
        PairResult(one, other, 3, 0.25, 0.3, departs=True)
        for one in names
        for other in names
        if one != other
    ]
    assert matrix_chart(cells, names, 0.1).svg.count("<text") >= 2 * number


def test_charts_are_reproducible() -> None:
    played = records(2)
    snapshots = rating_history(results_in(played, VARIANT), VARIANT, "abc", 60)
    rows = leaderboard(played, VARIANT, "abc").overall
    charts = [rating_chart(snapshots, rows) for _ in range(2)]
    assert without_png(charts[0]) == without_png(charts[1])
    assert charts[0].picture.png() == charts[1].picture.png()


def without_png(chart: Chart) -> Chart:
    """Return a chart without its PNG, which is not drawn until it is asked for."""
    return replace(chart, picture=Picture(chart.svg))


# -- the order -------------------------------------------------------------------------------


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
ORDER = ["ann", "ben", "cy", "dan"]


def test_scores_have_intervals_ranks_and_what_is_certain() -> None:
    rows = [row(name, 1, 2) for name in ORDER]
    rows[3] = replace(rows[3], score=None, score_low=None, score_high=None)
    chart = score_chart(lines(rows, {}, CERTIFICATE), CERTIFICATE)
    assert chart.rows[0] == ("ann", "50.0%", "40.0%", "60.0%", "1")
    assert [cells[-1] for cells in chart.rows] == ["1", "~ 1", "1", "1"]
    assert chart.rows[3][1:4] == ("", "", "")
    assert "less than 0.1" in chart.text
    assert "95 %" in chart.text
    assert ">~ ben\N{EM SPACE}1</text>" in chart.svg
    assert chart.svg.count("stroke-width: 2.2") == 1
    plain = score_chart(lines(rows, {}), None)
    assert "thick line" not in plain.text
    assert plain.svg.count("stroke-width: 2.2") == 0


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
    assert chart.svg.count("stroke-width: 2.2") == 2
    assert chart.svg.count("stroke-dasharray") == 1
    for text in (*ORDER, "~", "line", "below 50%"):
        assert f">{text}</text>" in chart.svg
    plain = certainty_chart(
        [replace(one, borders=("undecided",) * 3) for one in history], ORDER, is_looked_at=False
    )
    assert "thick line" not in plain.text
    assert plain.svg.count("stroke-width: 2.2") == 0
    assert [cells[-1] for cells in plain.rows] == ["0.60", ">0.99", ""]


def test_the_table_of_certainty_has_few_of_many_looks_and_the_last_one() -> None:
    history = [CertaintySnapshot(10 * k, (0.5,), ("undecided",)) for k in range(1, 31)]
    columns = certainty_chart(history, ["a", "b"], is_looked_at=False).columns
    assert 6 <= len(columns) <= 10
    assert columns[-2] == "300 games"


def test_the_matrix_marks_results_that_the_scores_do_not_explain() -> None:
    cells = [
        PairResult("a", "b", 30, 0.75, 0.55, departs=True),
        PairResult("b", "a", 30, 0.25, 0.45, departs=True),
        PairResult("a", "c", 30, 0.6, 0.62, departs=False),
        PairResult("c", "a", 30, 0.4, 0.38, departs=False),
    ]
    chart = matrix_chart(cells, "abc", 0.034)
    assert chart.rows == (
        ("a", "", "75% of 30, expected 55%", "60% of 30"),
        ("b", "25% of 30, expected 45%", "", ""),
        ("c", "40% of 30", "", ""),
    )
    assert chart.data[:2] == (
        ("bot", "opponent", "boards", "share", "expected", "beyond_chance"),
        ("a", "b", "30", "0.7500", "0.5500", "yes"),
    )
    assert len(chart.data) == 5
    assert "never met" in chart.text
    assert chart.svg.count(">30</text>") == 4
    assert all(chart.svg.count(f">{name}</text>") == 1 for name in "abc"), "each column"
    for number in (75, 25, 60, 40):
        assert f">{number}</text>" in chart.svg
    assert "Interplay is 3.4%" in chart.text
    assert "1 of 2 pairs" in chart.text
    explained = [replace(cell, departs=False) for cell in cells]
    plain = matrix_chart(explained, "abc", 0.0)
    assert "No single result is beyond chance." in plain.text
    assert chart.svg.count("<path") == plain.svg.count("<path") + 2  # two triangles


def test_a_run_without_timings_has_no_chart_of_times() -> None:
    chart = time_chart({}, ["a", "b"], 2000)
    assert (chart.svg, chart.rows) == ("", ())


# -- the charts of a table -------------------------------------------------------------------


def made_run(rule: StopRule | msgspec.UnsetType) -> Settings:
    entrants = tuple([Entrant(name, ("none",), ".", name) for name in ORDER])
    return Settings(240, 1, ("pot-de-vin/3",), entrants, PATIENT, stop_rule=rule)


def made_table(boards: Sequence[BoardShares]) -> list[Line]:
    scores = {one.bot: one.score for one in fit_boards(BoardSums(ORDER, boards)).scores}
    return lines([replace(row(name, 1, 4), score=scores[name]) for name in ORDER], {})


STRENGTHS = {"ann": 0.0, "ben": 2.0, "cy": 4.0, "dan": 0.0}
BOARDS = [one._replace(variant="pot-de-vin/3") for one in drawn_boards(STRENGTHS, 120)]


def test_a_table_has_its_scores_their_certainty_and_its_matrix() -> None:
    charts = TableCharts(made_run(msgspec.UNSET), BOARDS)
    drawn = charts.charts(["pot-de-vin/3"], made_table(BOARDS), 0.0)
    assert [chart.name for chart in drawn] == ["scores", "certainty", "pairs"]
    assert [cells[0] for cells in drawn[0].rows][:2] == ["cy", "ben"]
    assert drawn[1].rows[0][0] == "cy - ben"
    assert [cells[0] for cells in drawn[2].rows][:2] == ["cy", "ben"]
    assert not any(cells[-1] in ("line", "~") for cells in drawn[1].rows)
    again = TableCharts(made_run(msgspec.UNSET), BOARDS)
    drawn_again = again.charts(["pot-de-vin/3"], made_table(BOARDS), 0.0)
    assert list(map(without_png, drawn_again)) == list(map(without_png, drawn))


def test_a_table_of_a_run_with_a_stop_rule_shows_its_certificate() -> None:
    settings = made_run(StopRule(epsilon=0.1))
    (course,) = certainty_courses(settings).values()
    for board in BOARDS:
        course.add(board)
    assert course.certificate
    order = {name: place for place, name in enumerate(course.certificate.rank_ranges())}
    table = sorted(made_table(BOARDS), key=lambda line: order[line.row.bot])
    drawn = TableCharts(settings, BOARDS).charts(["pot-de-vin/3"], table, 0.0, course.certificate)
    borders = [one.border for one in course.certificate.neighbours]
    assert borders[:2] == ["line", "line"]
    assert [cells[-1] for cells in drawn[1].rows][:2] == borders[:2]


def test_a_table_without_boards_has_no_charts_and_one_with_few_no_certainty() -> None:
    charts = TableCharts(made_run(msgspec.UNSET), [])
    assert charts.charts(["pot-de-vin/3"], made_table([]), 0.0) == []
    few = TableCharts(made_run(msgspec.UNSET), BOARDS[:1])
    drawn = few.charts(["pot-de-vin/3"], made_table(BOARDS[:1]), 0.0)
    assert [chart.name for chart in drawn] == ["scores", "pairs"]


def test_a_png_is_drawn_again_only_if_its_chart_has_changed(tmp_path: Path) -> None:
    drawn = []

    def publish(text: str) -> bytes:
        chart = points_chart({"pot-de-vin/3": Counter({1: 2, 3: 4})})
        svg, png = chart.picture
        picture = Picture(
            svg.replace("</desc>", f"{text}</desc>"), lambda: drawn.append(text) or png()
        )
        with Site(tmp_path) as site:
            with_files(site, "index.html", [replace(chart, picture=picture)])
        return (tmp_path / chart_file("index.html", chart.name, "png")).read_bytes()

    first = publish("a")
    assert publish("a") == first
    assert drawn == ["a"]
    assert publish("b") == first
    assert drawn == ["a", "b"]
    (tmp_path / chart_file("index.html", "points", "png")).write_bytes(b"of another version")
    assert publish("b") == first
    assert drawn == ["a", "b", "b"]
