"""The games of a board: deals, seeds and keys, and the number of games of a run."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.schedule.plan import Board
from arena.tournament.games import boards, count_games, games_of, rounds_by_variant
from arena.tournament.settings import Settings
from engine import get_variant, variants
from tests.arena.playing import PATIENT
from tests.arena.runs import made_up, made_up_settings, recoded

VARIANT = "pot-de-vin/3"
TEAMS = "pot-de-vin/4-teams"
BOARD = Board(VARIANT, 5, 12, ("e1", "e2", "e3"))
SETTINGS = made_up_settings(3, VARIANT)
replace = msgspec.structs.replace


def keys_of(board: Board, settings: Settings) -> list[str]:
    """Return the keys of a board's games."""
    return [game.key for game in games_of(board, settings)]


def test_board_has_one_deal_in_all_rotations() -> None:
    games = games_of(BOARD, SETTINGS)
    assert [game.rotation for game in games] == [0, 1, 2]
    assert [game.entrants for game in games] == [BOARD.seating(rotation) for rotation in range(3)]
    assert {(game.variant, game.board) for game in games} == {(VARIANT, 5)}
    assert len({bytes(game.deal) for game in games}) == 1
    variant = get_variant(VARIANT)
    variant.start(variant.read_deal(msgspec.json.decode(games[0].deal)))


@pytest.mark.parametrize(
    ("board", "settings"),
    [
        (replace(BOARD, number=6), SETTINGS),
        (replace(BOARD, entrants=("e2", "e1", "e3")), SETTINGS),
        (BOARD, replace(SETTINGS, seed=1)),
        (BOARD, replace(SETTINGS, limits=replace(PATIENT, move_ms=1))),
        (BOARD, replace(SETTINGS, limits=replace(PATIENT, start_ms=1))),
        (BOARD, recoded(SETTINGS, "e2")),
    ],
    ids=["deal", "seating", "seed", "move limit", "start limit", "fingerprint"],
)
def test_key_covers_everything_a_game_depends_on(board: Board, settings: Settings) -> None:
    assert not set(keys_of(board, settings)) & set(keys_of(BOARD, SETTINGS))


@pytest.mark.parametrize(
    ("board", "settings"),
    [
        (replace(BOARD, round=0), SETTINGS),
        (BOARD, replace(SETTINGS, rounds=9)),
        (BOARD, replace(SETTINGS, variants=(VARIANT, TEAMS))),
        (BOARD, replace(SETTINGS, entrants=tuple(made_up(5)))),
        (BOARD, recoded(replace(SETTINGS, entrants=tuple(made_up(4))), "e4")),
    ],
    ids=["round", "rounds", "variants", "entrants", "somebody else's code"],
)
def test_key_ignores_irrelevant_settings(board: Board, settings: Settings) -> None:
    assert games_of(board, settings) == games_of(BOARD, SETTINGS)


def deal_of(board: Board, settings: Settings) -> bytes:
    """Return the deal of a board."""
    return bytes(games_of(board, settings)[0].deal)


def test_deals_differ_by_seed_board_and_variant() -> None:
    four = made_up_settings(4, "pot-de-vin/4", TEAMS)
    board = Board("pot-de-vin/4", 1, 0, ("e1", "e2", "e3", "e4"))
    deals = [
        deal_of(board, four),
        deal_of(board, replace(four, seed=1)),
        deal_of(replace(board, number=2), four),
        deal_of(replace(board, variant=TEAMS), four),
    ]
    assert len(set(deals)) == 4


# -- numbers --------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(st.integers(6, 14), st.integers(1, 12))
def test_counts_games_of_the_schedule(number: int, rounds: int) -> None:
    run = made_up_settings(number, *variants(), rounds=rounds)
    fitting = [each for each in run.variants if get_variant(each).seats <= number]
    run = replace(run, variants=tuple(fitting))
    seats = [len(board.entrants) for board in boards(run)]
    assert count_games(run) == sum(seats)  # a board is as many games as it has seats


def test_rounds_are_rounded_up_by_variant() -> None:
    run = made_up_settings(6, VARIANT, TEAMS, rounds=5)
    assert rounds_by_variant(run) == {VARIANT: 6, TEAMS: 8}
