"""The table of `arena bench` has a row for each figure that has an aim."""

import pytest

from arena.base.errors import BenchError
from arena.extras.bench.bench_command import GROUPS
from arena.extras.bench.figures import COMPILED, PLAIN, USUAL
from arena.extras.bench.rows import chosen_rows, rows
from engine import variants

AIMED = {
    "run/processor": (">= 0.85", ">= 0.85"),
    "run/two-workers": (">= 1.9", ">= 1.9"),
    "decision/c-bots": ("<= 3.5", "<= 2.5"),
    "decision/c-bots-32": ("<= 2", "<= 1.5"),
    "decision/msgspec-views-rate": (">= 0.9", ">= 0.9"),
    "all-games/clock": (">= 133 games/s", ">= 200 games/s"),
    "all-games/workers": ("<= 4 ms", "<= 4 ms"),
    "all-games/main": ("<= 0.3 ms", "<= 0.3 ms"),
    "all-games/memory": ("<= 1.1", "<= 1.1"),
    "run/starts": ("<= 5 %", "<= 5 %"),
    "run/record": ("<= 1200 bytes", "<= 1200 bytes"),
    "start/ready": ("<= 12 ms", "<= 12 ms"),
    "start/first-game": ("<= 0.5 s", "<= 0.5 s"),
    "bots/bribery": ("<= 11 ms", "<= 11 ms"),
    "bots/brides-and-bribes": ("<= 19 ms", "<= 19 ms"),
    "records/leaderboard": ("<= 10 s", "<= 10 s"),
    "records/leaderboard-ours": ("<= 1.5 s", "<= 1.5 s"),
    "hearts/pot-de-vin/4": (">= 0.75", ">= 1.5"),
    "hearts/bribery/3": (">= 0.5", ">= 1"),
    "hearts/bribery/3-advanced": (">= 0.3", ">= 0.7"),
    "hearts/brides-and-bribes/4": (">= 0.25", ">= 0.5"),
    "play-out/pot-de-vin/4": (">= 0.75", ">= 1.5"),
    "play-out/bribery/3": (">= 0.5", ">= 1"),
    "determinize/pot-de-vin/4": ("<= 12 us", "<= 12 us"),
    "determinize/bribery/3": ("<= 8 us", "<= 8 us"),
}
"""The aims that were agreed on, of plain Python and of compiled games."""


@pytest.mark.parametrize("name", AIMED)
def test_an_agreed_figure_has_a_row_with_its_aim(name: str) -> None:
    row = rows()[name]
    assert tuple([row.aim_text(build) for build in (PLAIN, COMPILED)]) == AIMED[name]


def test_every_group_of_rows_is_measured() -> None:
    assert {row.group for row in rows().values()} == set(GROUPS)


def test_every_variant_has_a_row_of_its_playouts() -> None:
    assert {f"playouts/{variant}" for variant in variants()} <= set(rows())


def test_sizes_in_labels_exist() -> None:
    for row in rows().values():
        assert row.what.format_map(USUAL._asdict())


def test_rows_are_chosen_by_name_and_group_in_the_order_of_the_table() -> None:
    names = [row.name for row in chosen_rows(["start", "decision/c"], short=False)]
    assert names == ["decision/c", "start/ready", "start/first-game"]


def test_a_short_measurement_has_some_rows_unless_they_are_named() -> None:
    assert 0 < len(chosen_rows([], short=True)) < len(chosen_rows([], short=False)) == len(rows())
    assert [row.name for row in chosen_rows(["run/clock"], short=True)] == ["run/clock"]


def test_an_unknown_row_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(BenchError, match="run/processor"):
        chosen_rows(["run/procesor"], short=False)
