"""The columns of a leaderboard, and its files."""

import csv
import io
import json

import pytest
from msgspec.structs import replace

from arena.rating.columns import (
    EXPORTED,
    ROW_FACTS,
    LeaderboardRow,
    rank_text,
    score_text,
)
from arena.rating.leaderboard import Leaderboard, leaderboard
from arena.rating.leaderboard_files import as_csv, as_json, pairs_as_csv
from arena.rating.pairs import Pair
from arena.tournament.digest import DIGEST_FACTS
from tests.arena.rating.made_boards import TEAMS, THREE, board_won_by, partners_won, table_of


def test_digests_cover_the_facts() -> None:
    assert set(ROW_FACTS) == {*LeaderboardRow.__struct_fields__} - {
        "tier",
        "open_tier",
        "outscored_by",
    }
    others = {"sandbox", "secret_hash", "order", "final", "unsettled", "no_intervals"}
    assert set(DIGEST_FACTS) == set(Leaderboard.__struct_fields__) - others


# -- JSON and CSV --------------------------------------------------------------------------------


PAIRS = [Pair("a", "b", 4, 0.5), Pair("b", "a", 4, 0.25)]


def test_single_variant_has_no_extra_table() -> None:
    one = leaderboard(board_won_by("a", 1), {THREE.id: THREE}, "abc")
    assert list(one.tables) == ["overall"]
    records = [*board_won_by("a", 1), *partners_won()]
    two = leaderboard(records, {THREE.id: THREE, TEAMS.id: TEAMS}, "abcd")
    assert list(two.tables) == ["overall", THREE.id, TEAMS.id]
    assert two.tables[TEAMS.id] == two.variants[TEAMS.id]
    stored = [json.loads(as_json(board))["variants"] for board in (one, two)]
    assert list(map(list, stored)) == [[], [THREE.id, TEAMS.id]]


def test_csv_and_json_have_the_same_rows() -> None:
    board = leaderboard(board_won_by("a", 1), {THREE.id: THREE}, "abc")
    lines = list(csv.DictReader(io.StringIO(as_csv(board))))
    rows = json.loads(as_json(board))["overall"]
    assert list(lines[0]) == ["variant", *EXPORTED]
    assert {*EXPORTED, "certainty"} == set(rows[0])
    assert [line["bot"] for line in lines] == [row["bot"] for row in rows] == ["a", "b", "c"]
    assert {line["variant"] for line in lines} == {"overall"}
    assert as_json(board).startswith('{\n  "')


def test_pairs_as_csv_and_json() -> None:
    assert pairs_as_csv(PAIRS) == "bot,opponent,boards,ahead\na,b,4,0.5\nb,a,4,0.25\n"


def test_marks_rank_contradicted_by_score() -> None:
    row = table_of(board_won_by("a", 1))["a"]
    assert (rank_text(row), rank_text(replace(row, outscored_by=("b",)))) == ("1", "! 1")


@pytest.mark.parametrize(
    ("score", "low", "high", "text"),
    [
        (0.5412, 0.518, 0.564, "54.1% ±2.3"),
        (0.97, 0.92, 1.0, "97.0% ±5.0"),
        (0.03, 0.0, 0.0801, "3.0% ±5.0"),
        (0.5, 0.376, 0.624, "50.0% ±12"),
        (0.5, 0.40051, 0.59949, "50.0% ±9.9"),
        (0.5, None, None, "50.0%"),
        (None, None, None, "-"),
    ],
)
def test_score_text_has_half_interval(
    score: float | None, low: float | None, high: float | None, text: str
) -> None:
    row = table_of(board_won_by("a", 1))["a"]
    row = replace(row, score=score, score_low=low, score_high=high)
    assert score_text(row) == text
