"""The parts of the audit: gains, gifts, openings, copies, on made-up values and kept games."""

import math
import random
from itertools import combinations, permutations

import msgspec
import pytest

from arena.base.errors import StoreError
from arena.base.record import GameRecord
from arena.extras.audit.gains import BoardPoints, board_points, excesses, gains
from arena.extras.audit.gifts import affordable_boards, gift, given_on
from arena.extras.audit.openings import Opening, opening_p_value
from arena.extras.audit.situations import (
    Decision,
    Situation,
    agreements,
    decisions,
    like_situations,
    positions,
)
from engine import get_variant
from tests.arena.extras.audit.test_audit import COLLUDERS
from tests.arena.rating.made_boards import TEAMS, faulted, partners_won
from tests.arena.runs import hand_made

BOTS = "abcdefg"
BRIBERY = get_variant("bribery/4")


def kept_board(number: int) -> list[GameRecord]:
    """Return the games of a board of the colluders."""
    return [game for game in COLLUDERS.kept("colluders") if game.board == number]


# -- gains -----------------------------------------------------------------------------------------


def made_scores(noise: float, extra: dict[tuple[str, str], float]) -> list[BoardPoints]:
    """Return boards of all tables of four, on which strengths are additive except for `extra`."""
    rng = random.Random(5)
    scores = []
    for table in [*combinations(BOTS, 4)] * 3:
        for bot in table:
            others = tuple([other for other in table if other != bot])
            points = 10.0 + 2 * BOTS.index(bot) - sum([BOTS.index(other) for other in others])
            points += sum([extra.get((bot, other), 0.0) for other in others])
            scores.append(BoardPoints(bot, others, (), points + rng.gauss(0, noise)))
    return scores


def test_a_gain_is_found_as_large_as_it_is() -> None:
    extra = {("a", "f"): 4.0, ("a", "g"): 3.0}
    cells = excesses(gains(made_scores(0, extra))["opponent"])
    assert set(cells) == set(permutations(BOTS, 2))
    for pair, cell in cells.items():
        assert cell.value == pytest.approx(extra.get(pair, 0.0), abs=1e-9)
        assert cell.boards == 3 * math.comb(5, 2)


def test_the_errors_of_gains_are_those_of_their_differences() -> None:
    cells = excesses(gains(made_scores(1.0, {}))["opponent"]).values()
    scores = [cell.value / cell.error for cell in cells]
    assert 0.7 < math.sqrt(sum(score * score for score in scores) / len(scores)) < 1.2


def test_partners_and_opponents_are_told_apart() -> None:
    found = board_points(partners_won(), TEAMS)
    assert {(points.bot, points.opponents, points.partners) for points in found} == {
        ("a", ("b", "d"), ("c",)),
        ("b", ("a", "c"), ("d",)),
        ("c", ("b", "d"), ("a",)),
        ("d", ("a", "c"), ("b",)),
    }


def test_bots_that_always_meet_are_not_compared() -> None:
    scores = [BoardPoints(bot, tuple(set("abc") - {bot}), (), 1.0) for bot in "abc"] * 30
    assert gains(scores) == {"opponent": {}, "partner": {}}


# -- gifts -----------------------------------------------------------------------------------------


def test_a_gift_is_what_one_bot_gets_more_from_one_than_from_others() -> None:
    given = dict.fromkeys(permutations("abcd", 2), 1.0)
    given |= {("b", "a"): 6.0, ("c", "a"): 2.0}
    found = gift("b", "a", [given, given])
    assert found.value == pytest.approx(5.0 - (1.0 + 0.0) / 2)
    assert (found.error, found.degrees, found.boards) == (0.0, 1, 2)
    to_all = {(giver, taker): 5.0 * (giver == "b") for giver, taker in permutations("abcd", 2)}
    assert gift("b", "a", [to_all, to_all]).value == 0


def test_what_is_given_adds_up_to_the_points() -> None:
    board = kept_board(1)
    given = given_on(board, BRIBERY, random.Random(2))
    assert set(given) == set(permutations(board[0].entrants, 2))
    assert given == given_on(board, BRIBERY, random.Random(2))
    mean = sum(given.values()) / len(given)
    assert mean != 0
    assert abs(mean) < 5, "points of a game"


def test_long_games_cannot_be_afforded() -> None:
    board = [hand_made((1, 2, 3), rotation=rotation) for rotation in range(3)]
    short, long = [
        [msgspec.structs.replace(game, actions=("x",) * length) for game in board]
        for length in (50, 400)
    ]
    assert affordable_boards(short) == 83
    assert affordable_boards(long) == 0


# -- situations ------------------------------------------------------------------------------------


def test_decisions_are_choices_of_bots() -> None:
    (record, *_) = kept_board(1)
    found = list(decisions(record, BRIBERY))
    assert [decision.number for decision in found] == sorted(
        {decision.number for decision in found}
    )
    for decision in found:
        assert decision.action == record.actions[decision.number]
        assert decision.action in decision.legal
        assert len(decision.legal) > 1
    assert {decision.bot for decision in found if decision.own_number == 0} == set(record.entrants)
    after_fault = faulted(record, 0)
    assert {decision.bot for decision in decisions(after_fault, BRIBERY)} == set(
        record.entrants[1:]
    )


def test_all_bots_of_a_board_open_in_the_same_situation() -> None:
    board = kept_board(1)
    opened = next(
        situation
        for situation in like_situations(
            [each for game in board for each in decisions(game, BRIBERY)]
        )
        if len(situation.actions) == 4
    )
    assert opened.is_first
    assert opened.actions == {next(decisions(game, BRIBERY)).bot: game.actions[0] for game in board}


def test_actions_after_the_end_are_refused() -> None:
    (record, *_) = kept_board(1)
    longer = msgspec.structs.replace(record, actions=(*record.actions, "pass"))
    with pytest.raises(StoreError, match=r"has actions after its end: .* `arena verify`"):
        list(positions(longer, BRIBERY))


# -- openings --------------------------------------------------------------------------------------


def openings_of(knows: float) -> list[Opening]:
    """Return 80 openings of a bot. In a share `knows` of them it shows whether b is there."""
    rng = random.Random(3)
    found = []
    for number in range(80):
        others = frozenset(rng.sample("bcdef", 3))
        kind = ("b" in others) if rng.random() < knows else rng.random() < 0.5
        legal = ("play x", "play y", "play z", "wait")
        action = "play x" if kind else "wait"
        found.append(Opening(Decision("a", 0, 0, bytes(number), legal, action), others))
    return found


def test_an_opening_that_depends_on_another_bot_is_found() -> None:
    found = openings_of(0.8)
    assert opening_p_value(found, "b", 1e-4, random.Random(1)) < 1e-4
    assert opening_p_value(found, "c", 1e-4, random.Random(1)) > 0.01
    for other in "bcdef":
        assert opening_p_value(openings_of(0.0), other, 1e-4, random.Random(1)) > 0.01


def test_the_place_of_an_action_counts_too() -> None:
    legal = tuple([f"play {card}" for card in "abcdef"])
    found = [
        Opening(
            Decision("a", 0, 0, b"", legal, legal[0 if number % 2 else 5]),
            frozenset("b" if number % 2 else "c"),
        )
        for number in range(40)
    ]
    assert opening_p_value(found, "b", 1e-3, random.Random(1)) < 1e-3


# -- copies ----------------------------------------------------------------------------------------


def test_a_pair_that_agrees_where_others_do_not_stands_out() -> None:
    rng = random.Random(4)
    situations = []
    for number in range(40):
        actions = {name: str(rng.randrange(3)) for name in "abcd"}
        actions["e"] = actions["d"]
        situations.append(Situation(number < 20, actions))
    found = agreements(situations)
    own = found["d", "e"]
    assert own.alike == own.situations
    assert (own.later_alike, own.later) == (20, 20)
    assert own.usual == pytest.approx(1 / 3, abs=0.1)
    assert own.p_value < 1e-9
    assert min(one.p_value for pair, one in found.items() if pair != ("d", "e")) > 0.001
    alike = [Situation(True, dict.fromkeys("abc", "x")), Situation(True, dict.fromkeys("ab", "x"))]
    assert agreements(alike * 50) == {}, "all agree"
