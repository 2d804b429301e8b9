"""What a search knows of Brides & Bribes: how seats play, and what a position is worth."""

import random
from collections.abc import Iterator, Sequence

import msgspec
import pytest

from arena.match.in_process import class_of, play_in_process
from arena.race import Race
from arena.search import Budget
from benchmarks.brides_forecast import SLOPE, Branch, Row, fit, rows_of
from bots.brides_and_bribes.doge import DogeBot
from bots.brides_and_bribes.forecast import (
    GOODS,
    PAUSES,
    WEIGHTS,
    Holdings,
    chances,
    expect_gains,
    goods_of,
)
from bots.brides_and_bribes.guide import BridesGuide, actions_in, make_guide
from bots.brides_and_bribes.model import USUAL_PRICE, Model
from bots.brides_and_bribes.view import View
from bots.champion.champion import from_command_line
from engine import get_variant
from engine.brides_and_bribes.state import BridesAndBribesState
from engine.brides_and_bribes.tiles import BOROUGHS, SEATS
from tests.bots.boards import PATIENT, make_game

VARIANTS = ["brides-and-bribes/3", "brides-and-bribes/4", "brides-and-bribes/5"]
each_variant = pytest.mark.parametrize("variant_id", VARIANTS)


def start(variant_id: str, seed: int) -> BridesAndBribesState:
    """Return the state before the first decision of the game of this number."""
    variant = get_variant(variant_id)
    state = variant.start(variant.deal(random.Random(seed)))
    assert isinstance(state, BridesAndBribesState)
    return state


def game(variant_id: str, seed: int, errors: float = 0.1) -> Iterator[BridesAndBribesState]:
    """Yield the states of a game of `doge`, with a part of random actions."""
    rng, state = random.Random(seed), start(variant_id, seed)
    model = Model(state.variant.seats)
    while state.seat_to_act is not None:
        yield state
        legal = state.legal_actions()
        state.apply(rng.choice(legal) if rng.random() < errors else best(model, state, legal))
    yield state


def best(model: Model, state: BridesAndBribesState, legal: Sequence[str]) -> str:
    """Return the action with the highest value."""
    values = list(model.values(state, legal))
    return legal[values.index(max(values))]


# -- how seats play -----------------------------------------------------------------------------


@each_variant
def test_the_model_values_actions_exactly_as_doge_does(variant_id: str) -> None:
    doges = [DogeBot() for _ in range(get_variant(variant_id).seats)]
    for doge in doges:
        doge.price = USUAL_PRICE
    model = Model(len(doges))
    for state in game(variant_id, 5):
        seat = state.seat_to_act
        if seat is not None:
            legal = state.legal_actions()
            view = msgspec.json.decode(msgspec.json.encode(state.view(seat)), type=View)
            expected = doges[seat].values(view, legal)
            assert list(model.values(state, legal)) == pytest.approx(expected)
            assert list(model.values(state, legal)) == pytest.approx(expected)  # those it kept


@each_variant
def test_values_that_were_kept_hold_in_other_worlds(variant_id: str) -> None:
    rng = random.Random(2)
    kept = Model(get_variant(variant_id).seats)
    for number, state in enumerate(game(variant_id, 6)):
        seat = state.seat_to_act
        if seat is None or number % 17:
            continue
        for _ in range(3):
            world = state.determinize(seat, rng)
            while world.seat_to_act is not None and world.position.window in ("place", "tile"):
                legal = world.legal_actions()
                fresh = Model(world.variant.seats).values(world, legal)
                assert list(kept.values(world, legal)) == pytest.approx(list(fresh))
                world.apply(rng.choice(legal))


def test_priors_prefer_the_best_action_and_leave_none_out() -> None:
    guide = make_guide(get_variant("brides-and-bribes/3"))
    rng = random.Random(0)
    for state in game("brides-and-bribes/3", 1):
        if state.seat_to_act is not None:
            legal = state.legal_actions()
            priors = list(guide.priors(state, legal))
            assert max(priors) == 1
            assert min(priors) > 0
            assert guide.play(state, legal, rng) == legal[priors.index(1)]


# -- what a position is worth -------------------------------------------------------------------


@each_variant
def test_chances_add_up_and_equals_have_the_same(variant_id: str) -> None:
    for state in game(variant_id, 3):
        found = chances(state.position)
        assert sum(found) == pytest.approx(len(found) / 2)
        assert all(0 < one < 1 for one in found)


def test_a_seat_with_more_goods_has_the_better_chance() -> None:
    for number, state in enumerate(game("brides-and-bribes/4", 4)):
        if number % 40 == 20:
            before = chances(state.position)
            state.position.influence[2] += 4
            assert chances(state.position)[2] > before[2]
            state.position.influence[2] -= 4
            state.position.coins[2] += 4
            assert chances(state.position)[2] > before[2]
            state.position.coins[2] -= 4


def test_a_delegation_that_waits_takes_what_its_borough_has() -> None:
    state = start("brides-and-bribes/3", 8)
    position = state.position
    while position.window != "place":
        state.apply(state.legal_actions()[0])
    borough, seat = position.in_play[0], state.seat_to_act
    assert seat is not None
    position.tokens[borough] = 9
    loyal = position.hands[seat][0]
    position.delegations[borough * SEATS + seat] = (loyal,)
    before, holdings = Holdings(position), Holdings(position)
    expect_gains(position, holdings)
    assert holdings.influence[seat] == before.influence[seat] + 9
    others = [other for other in range(3) if other != seat]
    assert [holdings.influence[one] for one in others] == [before.influence[one] for one in others]


def test_a_delegation_whose_borough_is_resolved_takes_nothing_more() -> None:
    state = start("brides-and-bribes/3", 8)
    position = state.position
    while position.window != "place":
        state.apply(state.legal_actions()[0])
    for borough in position.in_play:
        position.delegations[borough * SEATS] = (position.hands[0][0],)
    assert goods_of(position)[0] != Holdings(position).goods(position, 0)
    position.resolved = position.in_play
    assert goods_of(position)[0] == Holdings(position).goods(position, 0)


def test_only_the_first_guide_in_order_gets_what_is_there_once() -> None:
    state = start("brides-and-bribes/3", 8)
    position = state.position
    while position.window != "place":
        state.apply(state.legal_actions()[0])
    borough = position.in_play[0]
    position.tokens[borough] = 9
    for seat in range(3):
        position.delegations[borough * SEATS + seat] = (position.hands[seat][0],)
    before, after = Holdings(position), Holdings(position)
    expect_gains(position, after)
    gains = [now - then for now, then in zip(after.influence, before.influence, strict=True)]
    assert sorted(gains)[-1] == 9
    assert sorted(gains)[-2] < 9


def test_all_tiles_of_a_seat_are_counted_wherever_they_are() -> None:
    for state in game("brides-and-bribes/3", 9):
        holdings = Holdings(state.position)
        for seat, player in enumerate(state.view(None).players):
            assert len(holdings.goods(state.position, seat)) == len(GOODS)
            used = len(player.used_objects)
            counted = holdings.characters[seat] + holdings.objects[seat]
            assert counted == len(player.tiles) + used / 2


def test_chances_tell_more_of_the_end_than_influence_alone() -> None:
    right = by_influence = 0.0
    for number in range(6):
        told = []
        for state in game("brides-and-bribes/3", 100 + number, errors=0.0):
            if state.position.window in PAUSES:
                told.append((chances(state.position), list(state.position.influence)))
        ranks = state.outcome().ranks
        for expected, influence in told:
            right += pairs_in_order(expected, ranks)
            by_influence += pairs_in_order(influence, ranks)
    assert right > by_influence


def pairs_in_order(values: Sequence[float], ranks: Sequence[int]) -> float:
    """Return in how many pairs of seats the better one has the higher value."""
    found = 0.0
    for one, value in enumerate(values):
        for other in range(len(values)):
            if ranks[one] < ranks[other]:
                found += (value > values[other]) + (value == values[other]) / 2
    return found


# -- the guide in a search ----------------------------------------------------------------------


@each_variant
def test_simulated_games_end_where_the_next_round_begins(variant_id: str) -> None:
    guide = BridesGuide(get_variant(variant_id))
    ends, last = [], 0
    for state in game(variant_id, 2):
        if state.seat_to_act is not None and state.position.window != "opening":
            expected = guide.estimate(state, 0)
            assert (expected is not None) == (state.position.round > last)
            last = state.position.round
            if expected is not None:
                assert sum(expected) == pytest.approx(len(expected) / 2)
                ends.append(last)
    assert ends == list(range(1, last + 1))


@each_variant
def test_actions_are_tried_only_in_rounds_that_may_be_the_last(variant_id: str) -> None:
    guide = BridesGuide(get_variant(variant_id))
    rounds: dict[int, bool] = {}
    for state in game(variant_id, 3):
        if state.seat_to_act is not None:
            rounds[state.position.round] = guide.is_worth_a_race(state)
    assert not rounds[1]
    assert rounds[max(rounds)]


def test_a_race_in_the_last_round_finds_what_wins() -> None:
    state = next(state for state in game("brides-and-bribes/3", 8) if state.position.round == 6)
    position, seat = state.position, state.seat_to_act
    assert seat is not None
    guide = make_guide(state.variant)
    choice = Race(seat, guide, random.Random(1)).choose(state, Budget(40))
    assert 8 <= choice.iterations <= 40
    poor = state.clone()
    poor.position.influence[seat] -= 8
    worse = Race(seat, guide, random.Random(1)).choose(poor, Budget(40))
    assert worse.best(1)[0].value < choice.best(1)[0].value
    rich = position.in_play[1]
    position.tokens[rich] = 12
    best = Race(seat, guide, random.Random(1)).choose(state, Budget(40))
    assert best.action == f"place {BOROUGHS[rich]}"


@pytest.mark.parametrize(
    "variant_id",
    [VARIANTS[0], *[pytest.param(one, marks=[pytest.mark.slow]) for one in VARIANTS[1:]]],
)
def test_champion_plays_it_without_fault(variant_id: str) -> None:
    hasty = from_command_line(["--iterations", "8"])
    seats = get_variant(variant_id).seats
    bots = [hasty, *[class_of("doge")] * (seats - 1)]
    record = play_in_process(make_game(variant_id, 1), bots, PATIENT)
    assert record.faults == ()
    notes = [note.text for note in record.notes]
    assert any(note.endswith("without search") for note in notes)
    assert any(" in 4; " in note for note in notes)  # two actions, each in four worlds


def test_no_actions_are_followed_since_most_are_hidden() -> None:
    assert actions_in([{"event": "pass", "seat": 1}]) is None


# -- how its weights are measured ---------------------------------------------------------------


def test_weights_are_recovered_from_differences_that_they_made() -> None:
    rng = random.Random(4)
    now = [0.4, 0.0, 0.1, 0.0, 0.2, 0.0, 0.0, -0.1]
    more = [0.0, 0.3, 0.0, 0.2, 0.0, 0.0, 0.1, 0.0]
    rows = []
    for _ in range(4_000):
        left, goods = rng.random(), [rng.gauss(0, 1) for _ in GOODS]
        terms = zip(now, more, goods, strict=True)
        place = SLOPE * sum([(one + left * two) * good for one, two, good in terms])
        rows.append(Row(left, goods, place + rng.gauss(0, 0.05)))
    found_now, found_more, errors = fit(rows, ridge=0.0)
    assert found_now == pytest.approx(now, abs=0.03)
    assert found_more == pytest.approx(more, abs=0.05)
    assert all(0 < error < 0.05 for error in errors)


def test_the_ridge_draws_weights_towards_those_of_the_forecast() -> None:
    rng = random.Random(5)
    rows = [Row(rng.random(), [rng.gauss(0, 1) for _ in GOODS], 0.0) for _ in range(500)]
    free, _, _ = fit(rows, ridge=0.0)
    bound, _, _ = fit(rows, ridge=1e6)
    assert free == pytest.approx([0.0] * len(GOODS), abs=1e-6)
    assert bound == pytest.approx(WEIGHTS, abs=1e-3)


def test_both_branches_of_a_pair_are_compared_seat_by_seat() -> None:
    one = Branch(0.5, [[3.0, 1.0], [0.0, 0.0], [0.0, 2.0]], [1.0, 0.0, 0.5])
    other = Branch(0.5, [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]], [0.5, 0.5, 0.5])
    rows = list(rows_of(one, other))
    assert [row.place for row in rows] == [0.5, -0.5, 0.0]
    assert [list(row.goods) for row in rows] == [[2.0, -1.0], [-1.0, -1.0], [-1.0, 2.0]]
