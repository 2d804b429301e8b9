"""A run that ends when the order of its bots is certain: blocks, stops, growth, verification."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.base.errors import RunStopped
from arena.tournament.games import count_games
from arena.tournament.standings import is_complete, rank
from arena.tournament.store import Store
from tests.arena.runs import (
    FaultyCrew,
    recoded,
)
from tests.arena.tournament.certain_runs import (
    SETTINGS,
    THREE,
    TWO,
    StoppedCrew,
    certificates_of,
    crashes,
    play,
    result_of,
    until_certain,
)
from tests.arena.tournament.forgeries import (
    copy_of,
    difference,
    forged,
    records_of,
    sql,
)

ENDS = {TWO: 69, THREE: 24}
"""After how many boards each variant of `SETTINGS` ends."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was never stopped."""
    folder = tmp_path_factory.mktemp("certain") / "whole"
    play(folder)
    return folder


@pytest.fixture(scope="module")
def result(whole: Path) -> tuple[object, ...]:
    """All that must be the same in any run with these settings."""
    return result_of(whole)


# -- when it ends ------------------------------------------------------------------------------


def test_each_variant_ends_when_its_own_order_is_certain(whole: Path) -> None:
    with Store.open(whole) as store:
        board = rank(store)
        assert is_complete(store)
    certificates = certificates_of(board)
    assert {name: one.boards for name, one in certificates.items()} == ENDS
    assert all(one.is_certain for one in certificates.values())
    played_boards = {
        variant: len({one.board for one in records_of(whole) if one.variant == variant})
        for variant in ENDS
    }
    assert played_boards == ENDS
    assert board.games < count_games(SETTINGS)


def test_table_follows_the_certificate(
    whole: Path,
) -> None:
    with Store.open(whole) as store:
        board = rank(store)
    for variant, rows in board.variants.items():
        certificate = certificates_of(board)[variant]
        assert [row.bot for row in rows] == [
            certificate.neighbours[0].better,
            *[one.worse for one in certificate.neighbours],
        ]
        assert [row.score for row in rows] == sorted([row.score or 0 for row in rows])[::-1]
        ranges = certificate.rank_ranges()
        assert {row.bot: (row.best_rank, row.worst_rank) for row in rows} == ranges
        assert rows[-1].bot == "e3"
        assert ranges["e3"] == (4, 4)
    assert board.orders_by_score


def test_ends_undecided_after_all_rounds(tmp_path: Path) -> None:
    settings = until_certain(THREE, epsilon=0.01, rounds=30)
    board = play(tmp_path / "run", settings)
    certificate = certificates_of(board)[THREE]
    assert not certificate.is_certain
    assert (certificate.boards, board.games) == (10, count_games(settings))
    with Store.open(tmp_path / "run") as store:
        assert is_complete(store)
    result_of(tmp_path / "run")


def test_reports_checks_at_ends_of_blocks(tmp_path: Path) -> None:
    checks: list[tuple[str, int]] = []
    play(tmp_path / "run", on_ranking=lambda name, one: checks.append((name, one.boards)))
    assert [boards for name, boards in checks if name == THREE] == [6, 12, 18, 24]
    assert [boards for name, boards in checks if name == TWO] == [
        6, 12, 18, 24, 30, 37, 46, 57, 69
    ]  # fmt: skip


# -- the same whatever happens -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("width", "stops"), [(1, (1, 131)), pytest.param(3, (40, 64), marks=pytest.mark.slow)]
)
def test_certain_run_ignores_workers_and_interruptions(
    result: tuple[object, ...], tmp_path: Path, width: int, stops: tuple[int, ...]
) -> None:
    for games in stops:
        with pytest.raises(RunStopped):
            play(tmp_path / "run", crew=StoppedCrew(games, width))
    play(tmp_path / "run", crew=FaultyCrew(crashes, width))
    assert result_of(tmp_path / "run") == result


@pytest.mark.slow
def test_extended_certain_run_equals_fresh_run(result: tuple[object, ...], tmp_path: Path) -> None:
    for rounds in (15, 60, 120):  # before the second variant is certain, and after it
        play(tmp_path / "run", replace(SETTINGS, rounds=rounds))
    assert result_of(tmp_path / "run") == result


@pytest.mark.slow
def test_changed_bot_restarts_the_checks(whole: Path, tmp_path: Path) -> None:
    changed = recoded(SETTINGS, "e1")
    shutil.copytree(whole, tmp_path / "run")
    play(tmp_path / "run", changed)
    play(tmp_path / "other", changed)
    assert result_of(tmp_path / "run") == result_of(tmp_path / "other")


# -- verification ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one variant."""
    folder = tmp_path_factory.mktemp("three") / "run"
    play(folder, until_certain(THREE))
    return folder


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (
            sql(f"DELETE FROM games WHERE position >= {3 * 18}"),
            f"{THREE} board 19 rotation 0: the game is missing",
        ),
        (
            sql("DELETE FROM games WHERE position = 4"),
            f"expected {THREE} board 2 rotation 1, which is missing here",
        ),
        (
            forged(lambda records: records.append(replace(records[0], key="more"))),
            "the schedule has no such game",
        ),
    ],
    ids=["ended too soon", "a game missing", "beyond the end"],
)
def test_finds_forged_certificate(
    three: Path, tmp_path: Path, forge: Callable[[Path], object], message: str
) -> None:
    copy = copy_of(three, tmp_path)
    forge(copy)
    assert message in difference(copy)
