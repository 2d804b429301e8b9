"""Invariant 6 of section 13: what a board is worth."""

import random
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bribery.cards import BRIBES as BRIBE_NAMES
from engine.bribery.cards import JOKER_1, JOKER_2, OFFICIALS, SEATS, VALUE_OF
from engine.bribery.control import Controller
from engine.bribery.position import empty_position
from engine.bribery.rules.board import refresh
from engine.bribery.scoring import evaluate, votes_of
from tests.engine.bribery.play import BY_ID
from tests.engine.games import SEEDS, Json


@st.composite
def boards(draw: st.DrawFn) -> tuple[int, list[tuple[int, ...]]]:
    count = draw(st.integers(2, 4))
    rng = random.Random(draw(SEEDS))
    piles: list[list[int]] = [[] for _ in OFFICIALS]
    share = rng.random()
    for card in range(len(BRIBE_NAMES)):
        if rng.random() < share:
            piles[rng.choice((rng.randrange(20), JOKER_1))].append(
                card * SEATS + rng.randrange(count)
            )
    return count, [tuple(pile) for pile in piles]


def reference(count: int, piles: list[tuple[int, ...]]) -> Json:
    """The pseudocode of section 6, as it stands there; for four seats with a side each or teams."""
    side = {bribe: bribe % SEATS % count for pile in piles for bribe in pile}
    board = {OFFICIALS[number]: list(pile) for number, pile in enumerate(piles)}

    def top(values: list[int]) -> int | None:
        best = max(values)
        return values.index(best) if best > 0 and values.count(best) == 1 else None

    def dom(name: str) -> bool:
        return len({side[bribe] for bribe in board[name]}) == 1

    def printed(name: str) -> list[int]:
        return [
            sum(VALUE_OF[bribe] for bribe in board[name] if side[bribe] == each)
            for each in range(count)
        ]

    c1 = top(printed("joker-1"))
    b1 = 0 if c1 is None else 2 if dom("joker-1") else 1

    def total(name: str) -> list[int]:
        totals = printed(name)
        if name != "joker-1" and c1 is not None:
            totals[c1] += b1 * sum(side[bribe] == c1 for bribe in board[name])
        return totals

    ctl = {name: top(total(name)) for name in board}
    c2 = ctl["joker-2"]
    b2 = 0 if c2 is None else 2 if dom("joker-2") else 1
    points = [0] * count
    country = {suit: [0] * count for suit in "shdc"}
    votes = dict.fromkeys(board, 0)
    for name, who in ctl.items():
        if who is None:
            continue
        if name.startswith("joker"):
            points[who] += (2 if dom(name) else 1) * (2 if name == "joker-3" else 1)
        else:
            rank = {"a": 5, "k": 4, "q": 3, "j": 2}[name[0]]
            votes[name] = rank * (2 if dom(name) else 1) + (b2 if who == c2 else 0)
            country[name[1]][who] += votes[name]
    for suit, worth in {"s": 5, "h": 4, "d": 3, "c": 2}.items():
        winner = top(country[suit])
        if winner is not None:
            alone = sum(each > 0 for each in country[suit]) == 1
            points[winner] += worth * (2 if alone else 1)
    return {"points": points, "votes": votes, "controllers": ctl}


def control_of(piles: list[tuple[int, ...]], count: int) -> list[Controller]:
    position = empty_position(BY_ID[f"bribery/{count}"].parameters)
    position.piles = list(piles)
    refresh(position)
    return position.control


@settings(max_examples=150)
@given(board=boards())
def test_invariant_6_evaluation_matches_the_rules(board: tuple[int, list[tuple[int, ...]]]) -> None:
    count, piles = board
    control = control_of(piles, count)
    found, expected = evaluate(control, count), reference(count, piles)
    assert found.points == expected["points"]
    for number, name in enumerate(OFFICIALS):
        side = control[number][0]
        assert (None if side < 0 else side) == expected["controllers"][name]
        assert votes_of(number, control[number], control[JOKER_2]) == expected["votes"][name]


@settings(max_examples=100)
@given(board=boards(), seed=SEEDS)
def test_invariant_6_order_does_not_matter(
    board: tuple[int, list[tuple[int, ...]]], seed: int
) -> None:
    """The order of bribes changes nothing; permuting the sides permutes what comes out."""
    count, piles = board
    rng = random.Random(seed)
    before = evaluate(control_of(piles, count), count)
    shuffled = [tuple(rng.sample(pile, len(pile))) for pile in piles]
    assert evaluate(control_of(shuffled, count), count) == before
    moved_to = rng.choice(list(permutations(range(count))))
    moved = [
        tuple(bribe // SEATS * SEATS + moved_to[bribe % SEATS] for bribe in pile) for pile in piles
    ]
    after = evaluate(control_of(moved, count), count)
    assert [after.points[moved_to[side]] for side in range(count)] == before.points
