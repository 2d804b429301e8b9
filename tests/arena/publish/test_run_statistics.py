"""Tests of a site's statistics, its sample, and the names of its files."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.base.protocol import SeatFault
from arena.base.record import NO_OBSERVATIONS, GameRecord, Observations, Timing
from arena.publish.layout import bot_page, file_name, game_id, to_root, variant_page
from arena.publish.run_statistics import (
    RunStatistics,
    collect_statistics,
)
from arena.rating.leaderboard import Leaderboard, leaderboard
from engine import get_variant
from tests.arena.runs import hand_made, made_up_settings, play_out, schedule_of

VARIANTS = {one: get_variant(one) for one in ("bribery/2", "pot-de-vin/4-teams")}
NAMES = ["e1", "e2", "e3", "e4", "e5"]


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    """A run without its last game, so that its last board is not complete."""
    return [play_out(game) for game in schedule_of(made_up_settings(5, *VARIANTS, rounds=8))][:-1]


@pytest.fixture(scope="module")
def found(records: list[GameRecord]) -> RunStatistics:
    seen = [
        Observations(timings=(Timing(2, 100 + place, 90),) * 4) for place in range(len(records))
    ]
    return collect_statistics(zip(records, seen, strict=True), VARIANTS)


@pytest.fixture(scope="module")
def board(records: list[GameRecord]) -> Leaderboard:
    return leaderboard(records, VARIANTS, NAMES)


def test_statistics_match_the_leaderboard(found: RunStatistics, board: Leaderboard) -> None:
    assert board.games_left_out > 0
    for variant, rows in board.variants.items():
        assert found.points[variant].total() == sum([row.games for row in rows])
        for row in rows:
            assert found.timings[row.bot][variant].answers == 2 * row.games
            assert found.times_of(row.bot)[variant].worst_ms == 0.09


def test_notable_games_are_the_extremes(found: RunStatistics) -> None:
    for name in NAMES:
        notable = {one.why: one.game for one in found.notable_games_of(name)}
        assert set(notable) == {"highest score", "closest game", "heaviest defeat"}
        assert notable["heaviest defeat"].margin < 0


def test_games_with_faults_are_not_notable() -> None:
    variants = {"pot-de-vin/3": get_variant("pot-de-vin/3")}
    board = [hand_made((1, 2, 3), rotation=turn, points=(9, 5, 1)) for turn in range(3)]
    crash = SeatFault(0, 0, "crash", "exited")
    out = SeatFault(1, 0, "withdrawn", "too many faults")
    faulty = [replace(board[0], faults=(crash,)), replace(board[1], faults=(out,)), board[2]]
    found = collect_statistics([(one, NO_OBSERVATIONS) for one in faulty], variants)
    assert found.faulty == [board[0].key]
    assert [len(faults) for faults in found.faults.values()] == [1]
    assert list(found.withdrawn.values()) == ["too many faults"]
    notable = [one for name in "abc" for one in found.notable_games_of(name)]
    keys = {one.game.key for one in notable}
    assert keys == {board[2].key}


# -- names -------------------------------------------------------------------------------------


@given(st.lists(st.text(max_size=50), unique=True, max_size=8))
def test_file_names_are_unique_without_case(names: list[str]) -> None:
    files = [file_name(name) for name in names]
    assert len({file.casefold() for file in files}) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9_+-][A-Za-z0-9_+.-]*", file) for file in files)


def test_keeps_plain_names() -> None:
    assert bot_page("my-bot.2") == "bot/my-bot.2.html"
    assert variant_page("pot-de-vin/4-teams") == "variant/pot-de-vin-4-teams.html"
    assert re.fullmatch(r"bot/Alice-[0-9a-f]{8}\.html", bot_page("Alice"))
    assert re.fullmatch(r"bot/random-guest-[0-9a-f]{8}\.html", bot_page("random (guest)"))
    assert re.fullmatch(r"[0-9a-f]{8}", file_name("../.."))
    assert game_id("0123456789abcdef0123456789abcdef") == "0123456789abcdef"
    assert re.fullmatch(r"[0-9a-f]{16}", game_id("../../etc/passwd"))
    assert [to_root(page) for page in ("index.html", "bot/a.html")] == ["", "../"]
