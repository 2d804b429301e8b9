"""Tests of the leaderboard: its tables and what they count."""

import random
from collections.abc import Sequence
from itertools import chain

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.base.protocol import SeatFault
from arena.base.record import GameRecord
from arena.rating.columns import LeaderboardRow
from arena.rating.leaderboard import ADAPTED, ONE_DEAL, TableSettings, leaderboard
from engine import Variant, get_variant
from tests.arena.rating.made_boards import (
    TEAMS,
    THREE,
    board_won_by,
    faulted,
    partners_won,
    ranked,
    table_of,
)
from tests.arena.runs import hand_made

TWO = get_variant("bribery/2")


def test_incomplete_boards_are_counted_but_not_rated() -> None:
    records = [*board_won_by("a", 1), *board_won_by("b", 2)[:2]]
    board = ranked(records)
    assert (board.games, board.games_left_out) == (3, 2)
    assert board.overall == ranked(board_won_by("a", 1)).overall


def test_entrants_without_games_are_only_in_the_overall_table() -> None:
    board = ranked(board_won_by("a", 1), "abcd")
    (row,) = [row for row in board.overall if row.bot == "d"]
    assert (row.games, row.points_per_game, row.win_share, row.faults) == (0, 0.0, 0.0, 0)
    assert (row.mu, row.rank) == (25.0, 4)
    assert {row.bot for row in board.variants[THREE.id]} == {"a", "b", "c"}


@pytest.mark.parametrize("by_score", [False, True])
def test_variant_table_lists_all_entrants(
    by_score: bool,
) -> None:
    """The rating of the prior, 0, would stand above that of a bot that loses to weak ones."""
    records = [
        hand_made((1, 2) if rotation == 0 else (2, 1), entrants=pair, variant=TWO.id, board=number,
                  rotation=rotation)
        for number, pair in enumerate(["ab", "bc", "cd", "de"] * 8, 1)
        for rotation in range(2)
    ]  # fmt: skip
    alone = leaderboard(records, {TWO.id: TWO}, "abcde").variants[TWO.id]
    assert alone[-1].rating < 0
    settings = TableSettings(by_score, players={TWO.id: "abcdexy", TEAMS.id: "abcd"})
    board = leaderboard(records, {TWO.id: TWO, TEAMS.id: TEAMS}, "yabcdex", settings=settings)
    rows = board.variants[TWO.id]
    assert [row.bot for row in rows] == list("abcdexy")
    assert [row.rating for row in rows[:5]] == [row.rating for row in alone]
    assert rows[0].worst_rank == 3
    for row in rows[5:]:
        assert (row.score, row.games, row.rank, row.best_rank, row.worst_rank) == (None, 0, 6, 1, 7)
    assert [row.bot for row in board.variants[TEAMS.id]] == ["a", "b", "c", "d"]


def test_stores_certainties_of_opponents_and_neighbours() -> None:
    winner_first = [
        hand_made((1, 2) if rotation == 0 else (2, 1), entrants=pair, variant=TWO.id, board=number,
                  rotation=rotation)
        for number, pair in enumerate(["ac", "bc", "cd", "de"] * 8, 1)
        for rotation in range(2)
    ]  # fmt: skip
    rows = leaderboard(winner_first, {TWO.id: TWO}, "abcde").overall
    assert "".join(row.bot for row in rows) == "abcde"
    assert rows[0].certainty["b"] == pytest.approx(0.5)
    assert ["".join(row.certainty) for row in rows] == ["bc", "ac", "abd", "ce", "d"]


def test_fault_is_not_a_win() -> None:
    """If all bots have a fault, no bot has won."""
    all_faulty, none_faulty, one = (hand_made((1, 1, 1), rotation=t) for t in range(3))
    one = faulted(hand_made((1, 1, 3), rotation=2), 2)  # b c a sit there
    rows = table_of([faulted(all_faulty, 0, 1, 2), none_faulty, one])
    assert [rows[name].faults for name in "abc"] == [2, 1, 1]
    assert rows["a"].win_share == pytest.approx((1 / 3) / 3)
    assert rows["b"].win_share == pytest.approx((1 / 3 + 1 / 2) / 3)


def test_fault_counts_for_the_bot_only() -> None:
    records = [
        hand_made((2, 1, 2, 1), entrants="abcd", variant=TEAMS.id, rotation=t) for t in range(4)
    ]
    records[0] = faulted(records[0], 2)  # c
    rows = {row.bot: row for row in leaderboard(records, {TEAMS.id: TEAMS}, "abcd").overall}
    assert [rows[name].faults for name in "abcd"] == [0, 0, 1, 0]


@pytest.mark.parametrize("entrants", ["abcd", "dcba", "cdab"])
def test_equal_ratings_share_a_rank(entrants: str) -> None:
    """Partners that always play together have equal ratings."""
    rows = leaderboard(partners_won(), {TEAMS.id: TEAMS}, entrants).overall
    assert [(row.rank, row.bot) for row in rows] == [(1, "a"), (1, "c"), (3, "b"), (3, "d")]


@given(st.permutations("abc"))
def test_results_do_not_depend_on_names(names: list[str]) -> None:
    renamed = dict(zip("abc", names, strict=True))

    def results_of(to: dict[str, str]) -> dict[str, LeaderboardRow]:
        entrants = [to[name] for name in "abc"]
        records = [
            record
            for number, winner in enumerate("aababc", 1)
            for record in board_won_by(to[winner], number, entrants=entrants)
        ]
        return table_of(records, entrants)

    original = results_of({name: name for name in "abc"})
    permuted = results_of(renamed)
    for old, row in original.items():
        new = permuted[renamed[old]]
        certainty = {renamed[other]: value for other, value in row.certainty.items()}
        assert new.certainty == pytest.approx(certainty, abs=1e-12)
        numbers = [
            field for field in LeaderboardRow.__struct_fields__ if field not in ("bot", "certainty")
        ]
        for field in numbers:
            assert getattr(new, field) == pytest.approx(getattr(row, field), abs=1e-12), field


# -- scores --------------------------------------------------------------------------------------


def drawn(variant: Variant, boards: int, seed: int, names: str = "abcde") -> list[list[GameRecord]]:
    """Return boards of `variant` with drawn entrants and ranks."""
    rng = random.Random(seed)
    found = []
    for number in range(1, boards + 1):
        table = rng.sample(names, variant.seats)
        board = []
        for rotation in range(variant.seats):
            ranks = [0] * variant.seats
            for side in variant.sides:
                rank = rng.randint(1, len(variant.sides))
                for seat in side:
                    ranks[seat] = rank
            board.append(
                hand_made(
                    ranks, entrants=table, variant=variant.id, board=number, rotation=rotation
                )
            )
        found.append(board)
    return found


def test_rank_ranges_follow_scores() -> None:
    """The rating takes off three sigmas, so it can differ from the scores."""
    records = [record for number in range(1, 41) for record in board_won_by("b", number)]
    records += [record for number in range(41, 80) for record in board_won_by("a", number)]
    by_name = table_of(records)
    assert [*by_name] == sorted("abc", key=lambda name: -by_name[name].rating)
    assert by_name["b"].score > by_name["a"].score  # type: ignore[operator]
    assert [(by_name[name].best_rank, by_name[name].worst_rank) for name in "abc"] == [
        (1, 2), (1, 2), (3, 3),
    ]  # fmt: skip


def test_result_points_orders_by_points() -> None:
    """On each board a is placed before b, which has more points."""
    records = [
        hand_made(
            (1, 2) if rotation == 0 else (2, 1),
            entrants="ab",
            variant=TWO.id,
            board=board,
            rotation=rotation,
            points=(1, 9) if rotation == 0 else (9, 1),
        )
        for board in range(1, 31)
        for rotation in range(2)
    ]
    for result, order in (("placement", "ab"), ("points", "ba")):
        board = leaderboard(records, {TWO.id: TWO}, "ab", TableSettings(result=result))
        first, second = board.overall
        assert [first.bot, second.bot] == [*order]
        assert first.rating > second.rating
        assert (first.score, second.score) == pytest.approx((1.0, 0.0))
        assert second.tier == 2
        assert (board.result == "points") == (result == "points")


# -- tiers, and tables over several games ----------------------------------------------------------


def won(results: Sequence[str]) -> list[GameRecord]:
    """Return a board for two of each result, such as `ab`: a is placed before b in both games."""
    return [
        hand_made(
            (1, 2)[:: 1 - 2 * rotation], entrants=pair, variant=TWO.id, board=number,
            rotation=rotation,
        )
        for number, pair in enumerate(results, 1)
        for rotation in range(2)
    ]  # fmt: skip


def test_tier_ends_at_certain_order() -> None:
    even = ["ab", "ba"] * 20
    board = leaderboard(won([*even, *["ac", "bc"] * 20]), {TWO.id: TWO}, "abcd")
    assert [(row.tier, row.open_tier, row.outscored_by) for row in board.overall] == [
        (1, True, ()), (1, True, ()), (2, True, ()), (None, False, ()),
    ]  # fmt: skip
    few = leaderboard(won(["ab", "bc", "ac"]), {TWO.id: TWO}, "abc")
    assert {row.tier for row in few.overall} == {1}


def test_misplaced_bot_is_marked() -> None:
    """The ratings of others are sure; a has few boards and a large sigma."""
    field = "bcdefghijklmnopqrstu"
    even = [f"{one}{other}" for one in field for other in field if one != other] * 6
    records = won([*[f"a{name}" for name in field[:8]], *even])
    rows = leaderboard(records, {TWO.id: TWO}, f"a{field}").overall
    *above, last = [row for row in rows if "a" in {row.bot, *row.outscored_by}]
    assert (last.bot, last.outscored_by) == ("a", ())
    assert len(above) > 5
    assert {(row.tier, row.open_tier) for row in rows} == {(1, False)}


GAMES = {TWO.id: TWO, "pot-de-vin/3": THREE, TEAMS.id: TEAMS}


def several_games() -> list[GameRecord]:
    """Return boards of three variants of two games."""
    boards = [*drawn(THREE, 30, 1, "abcd"), *drawn(TEAMS, 20, 2, "abcd")]
    return [
        *won(["ab", "cd", "bc", "ad", "db", "ca", "ba", "dc", "bd"] * 6),
        *chain.from_iterable(boards),
    ]


def test_overall_score_is_mean_over_games() -> None:
    board = leaderboard(several_games(), GAMES, "abcd")
    assert set(board.by_game) == {"bribery", "pot-de-vin"}
    assert board.by_game["bribery"] == board.variants[TWO.id]
    assert list(board.tables) == ["overall", "pot-de-vin", *GAMES]
    games = [{row.bot: row for row in rows} for rows in board.by_game.values()]
    for row in board.overall:
        parts = [own[row.bot] for own in games]
        scores = [part.score or 0.0 for part in parts]
        assert row.score == pytest.approx(sum(scores) / 2)
        halves = [(part.score_high or 0.0) - (part.score_low or 0.0) for part in parts]
        half = (row.score_high or 0.0) - (row.score_low or 0.0)
        assert max(halves) / 2 < half < sum(halves) / 2, "errors of games are independent"
        assert row.games == sum([part.games for part in parts])
        assert row.certainty.keys() == {*"abcd"} - {row.bot}


def test_different_games_have_no_overall_table() -> None:
    """A guest that fills up a game does not count: it has a row there only."""
    records = several_games()
    players = {TWO.id: "abcd", THREE.id: "abcde", TEAMS.id: "abcde"}
    board = leaderboard(records, GAMES, "abcde", TableSettings(players=players))
    assert board.overall == ()
    assert list(board.leading) == ["bribery", "pot-de-vin"]
    assert "overall" not in board.interplay
    assert [row.bot for row in board.by_game["pot-de-vin"]][-1] == "e"
    assert {row.bot for row in board.first_rows} == {*"abcde"}
    settings = TableSettings(players=players, guests="e")
    filled = leaderboard(records, GAMES, "abcde", settings)
    assert {row.bot for row in filled.overall} == {*"abcd"}
    assert {row.bot for row in filled.first_rows} == {*"abcde"}


def test_score_is_clamped() -> None:
    """Least squares credits a bot that wins against strong ones only with more than all."""
    records = won(["ab", "ab", "bc", "bc", "bd", "bd", "cd", "dc"] * 3)
    rows = leaderboard(records, {TWO.id: TWO}, "abcd").overall
    assert max([row.score or 0.0 for row in rows]) == 1.0


def test_withdrawn_bot_is_scored_over_all_games() -> None:
    records = [record for number in range(1, 6) for record in board_won_by("c", number)]
    for number in range(6, 16):
        for record in board_won_by("a", number):
            fault = SeatFault(record.entrants.index("c"), 0, "withdrawn", "three games in a row")
            ranks = tuple([{"a": 1, "b": 2, "c": 3}[name] for name in record.entrants])
            records.append(msgspec.structs.replace(record, ranks=ranks, faults=(fault,)))
    rows = table_of(records)
    assert rows["c"].withdrawn
    assert {name: row.score for name, row in rows.items()} == pytest.approx(
        {"a": (5 * 0.25 + 10) / 15, "b": (5 * 0.25 + 10 * 0.5) / 15, "c": 5 / 15}
    )
    assert rows["b"].certainty["a"] == pytest.approx(1 - rows["a"].certainty["b"])


def test_one_deal_variant_has_no_intervals() -> None:
    records = [record for number in range(1, 41) for record in board_won_by("a", number)]
    sampled = leaderboard(records, {THREE.id: THREE}, "abc")
    only = object.__new__(type(THREE))  # `copy` returns the registered variant itself
    only.__dict__.update(THREE.__dict__, has_one_deal=True)
    copied = leaderboard(records, {THREE.id: only, TEAMS.id: TEAMS}, "abc")
    assert copied.no_intervals == {THREE.id: ONE_DEAL}
    assert not sampled.no_intervals
    for one, other in zip(sampled.overall, copied.overall, strict=True):
        assert (one.bot, one.score, one.rating) == (other.bot, other.score, other.rating)
        assert other.score_low is other.points_low is other.wins_low is None
        assert one.score_low is not None
        assert (other.best_rank, other.worst_rank, other.tier, other.certainty) == (1, 3, 1, {})
    assert sampled.overall[1].tier == 2
    assert copied.duplicate_gain[THREE.id] is None


def test_adaptive_pairings_have_no_intervals() -> None:
    records = [record for number in range(1, 41) for record in board_won_by("a", number)]
    adapted = leaderboard(records, {THREE.id: THREE}, "abc", TableSettings(adapts=True))
    assert adapted.no_intervals == {THREE.id: ADAPTED}
    for row in adapted.overall:
        assert row.score_low is row.points_low is None
        assert (row.best_rank, row.worst_rank, row.tier, row.certainty) == (1, 3, 1, {})
