"""The invariants of section 13 of the rules page, under their numbers."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import State
from engine.bribery.cards import BRIBES as BRIBE_NAMES
from engine.bribery.cards import COUNTRY, JOKER_1, OFFICIALS, SEATS, SUIT_OF, VALUE_OF
from engine.bribery.control import Sides, evaluate, strongest
from engine.bribery.variant import Bribery
from tests.engine.bribery.play import (
    ADVANCED,
    BASIC,
    BRIBES,
    BY_ID,
    SLOT_ORDER,
    SUITED,
    VARIANTS,
    basic_id,
    forced_game,
    pattern,
    random_game,
    random_games,
)
from tests.engine.games import SEEDS, Game, as_json

Json = dict[str, Any]

any_game = st.one_of(random_games(), st.builds(forced_game, st.sampled_from(VARIANTS), SEEDS))
some = settings(max_examples=15)


def views(game: Game) -> Iterator[tuple[State, Json, list[Json]]]:
    """Yield each state with the spectator's view and those of all seats, as JSON."""
    for state in game.moments():
        seats = range(game.variant.seats)
        yield state, as_json(state.view(None)), [as_json(state.view(seat)) for seat in seats]


def side_of(game: Game, seat: int) -> int:
    return seat % len(game.variant.sides)


@some
@given(game=any_game)
def test_invariant_1_conservation(game: Game) -> None:
    """What is nowhere to be seen lies in the decks, in dealt order."""
    deal = as_json(game.deal)
    cards = {card for deck in deal["decks"] for card in deck} | set(deal["board"])
    for _, public, seats in views(game):
        seen = [card for view in seats for card in view["hand"]]
        seen += [official["card"] for official in public["board"]]
        bribes = [bribe["card"] for each in public["board"] for bribe in each["bribes"]]
        bribes += [discard["card"] for discard in public["discards"]]
        assert set(bribes) <= set(BRIBES)
        seen += bribes
        for deck, size in zip(deal["decks"], public["deck_sizes"], strict=True):
            seen += deck[len(deck) - size :]
        assert len(seen) == len(set(seen))
        assert set(seen) == cards


@some
@given(game=any_game)
def test_invariant_2_sizes(game: Game) -> None:
    dealt = [len(deck) for deck in as_json(game.deal)["decks"]]
    before: Json | None = None
    for state, view, _ in views(game):
        done = view["round"]
        assert view["deck_sizes"] == [max(0, size - 3 * done) for size in dealt]
        if before is None or before["round"] != done:
            assert view["hand_sizes"] == [min(3, max(0, size - 3 * (done - 1))) for size in dealt]
        elif before["turn"] != view["turn"]:
            fallen = [
                old - new for old, new in zip(before["hand_sizes"], view["hand_sizes"], strict=True)
            ]
            assert fallen == [seat == before["turn_seat"] for seat in range(len(dealt))]
        else:
            assert before["hand_sizes"] == view["hand_sizes"]
        before = view
        assert state.seat_to_act == view["to_act"]


LEADERS = {
    "bribery/2": [0, 1, 0, 1, 0, 1, 0, 1],
    "bribery/3": [0, 2, 1, 0, 2, 1],
    "bribery/4": [0, 3, 2, 1],
    "bribery/4-teams": [0, 3, 2, 1],
}
LAST_ROUND = {
    "bribery/2": [1, 0, 1, 0, 1, 0],
    "bribery/3": [1, 0],
    "bribery/4": [1, 2, 3, 0, 1, 2, 3, 0, 1, 0],
    "bribery/4-teams": [1, 2, 3, 0, 1, 2, 3, 0],
}
PLAYS = {"bribery/2": 48, "bribery/3": 47, "bribery/4": 46, "bribery/4-teams": 44}


@some
@given(game=any_game)
def test_invariant_3_turns(game: Game) -> None:
    """Leaders and turns are those of section 4, counted from the starting seat."""
    name, n, start = basic_id(game.variant), game.variant.seats, as_json(game.deal)["start"]
    played: dict[int, list[int]] = {}
    for (state, view, _), action in zip(views(game), [*game.actions, ""], strict=True):
        if action.split(" ")[0] in ("bribe", "official", "discard"):
            assert view["turn_seat"] == state.seat_to_act
            played.setdefault(view["round"], []).append((view["turn_seat"] - start) % n)
    assert [turns[0] for turns in played.values()] == LEADERS[name]
    assert played[len(played)] == LAST_ROUND[name]
    assert sum(map(len, played.values())) == PLAYS[name]


LONGEST = {
    "play": {"bribery/2": 54, "bribery/3": 51, "bribery/4": 60, "bribery/4-teams": 36},
    "ability": {"bribery/2": 55, "bribery/3": 37, "bribery/4": 28, "bribery/4-teams": 55},
    "protect": dict.fromkeys(PLAYS, 4),
    "swindle": {"bribery/2": 39, "bribery/3": 42, "bribery/4": 45, "bribery/4-teams": 39},
}


@some
@given(game=any_game)
def test_invariant_4_legal_lists(game: Game) -> None:
    with_joker_4 = "joker-4" in as_json(game.deal)["jokers"]
    for state, view, _ in views(game):
        legal = state.legal_actions()
        assert legal == sorted(set(legal))
        if state.seat_to_act is None:
            assert legal == []
            continue
        assert legal
        if not (with_joker_4 and view["phase"] in ("protect", "swindle")):
            assert len(legal) <= LONGEST[view["phase"]][basic_id(game.variant)]
        verbs = {action.split(" ")[0] for action in legal}
        assert "discard" not in verbs or verbs == {"discard"}


@some
@given(game=any_game)
def test_invariant_5_placement(game: Game) -> None:
    """An official with two bribes of a suit, or one of its own, was overfilled through Joker #4."""
    freed: set[str] = set()
    before: Json | None = None
    for _, view, _ in views(game):
        if before is not None:  # also at `allow`, by which a blessing is settled
            free = before["control"]["effects"]["free_placement"]
            for official in view["board"]:
                card = official["card"]
                known = next((o["bribes"] for o in before["board"] if o["card"] == card), [])
                for bribe in official["bribes"]:
                    if bribe not in known and not fits(bribe["card"], card, known):
                        assert side_of(game, bribe["seat"]) == free
                        freed.add(card)
        for official in view["board"]:
            suits = [bribe["card"][-1] for bribe in official["bribes"]]
            card = official["card"]
            if card not in freed:
                assert len(set(suits)) == len(suits) <= (4 if card.startswith("joker") else 3)
                assert card.startswith("joker") or card[-1] not in suits
        before = view
    assert not freed or "joker-4" in as_json(game.deal)["jokers"]


def fits(bribe: str, official: str, known: list[Json]) -> bool:
    """The suit rule of section 5.2, without Joker #4."""
    if not official.startswith("joker") and official[-1] == bribe[-1]:
        return False
    return all(other["card"][-1] != bribe[-1] for other in known)


# -- 6: evaluate ---------------------------------------------------------------------------------


@st.composite
def boards(draw: st.DrawFn) -> tuple[int, list[tuple[int, ...]]]:
    """Draw a number of sides and a board, any bribes on any officials."""
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


@settings(max_examples=150)
@given(board=boards())
def test_invariant_6_evaluate_is_that_of_the_page(board: tuple[int, list[tuple[int, ...]]]) -> None:
    count, piles = board
    found = evaluate(piles, Sides(count))
    expected = reference(count, piles)
    assert found.points == expected["points"]
    for number, name in enumerate(OFFICIALS):
        side = found.grips[number].side
        assert (None if side < 0 else side) == expected["controllers"][name]
        assert found.votes[number] == expected["votes"][name]


@settings(max_examples=100)
@given(board=boards(), seed=SEEDS)
def test_invariant_6_order_does_not_matter(
    board: tuple[int, list[tuple[int, ...]]], seed: int
) -> None:
    """The order of bribes changes nothing; permuting the sides permutes what comes out."""
    count, piles = board
    rng, sides = random.Random(seed), Sides(count)
    before = evaluate(piles, sides)
    shuffled = [tuple(rng.sample(pile, len(pile))) for pile in piles]
    assert evaluate(shuffled, sides) == before
    moved_to = rng.choice(list(permutations(range(count))))
    moved = [
        tuple(bribe // SEATS * SEATS + moved_to[bribe % SEATS] for bribe in pile) for pile in piles
    ]
    after = evaluate(moved, sides)
    assert [after.points[moved_to[side]] for side in range(count)] == before.points


@settings(max_examples=100)
@given(board=boards())
def test_invariant_6_control_and_domination(board: tuple[int, list[tuple[int, ...]]]) -> None:
    """Who controls is there; and a bonus on Joker #1 itself would not change who has it."""
    count, piles = board
    sides = Sides(count)
    found = evaluate(piles, sides)
    for pile, (side, factor) in zip(piles, found.grips, strict=True):
        present = {sides.of[bribe] for bribe in pile}
        assert factor == 0 or side in present
        assert (factor == 2) == (len(present) == 1)
    for (side, factor), votes in zip(found.countries, found.country_votes, strict=True):
        assert (factor == 2) == (sum(each > 0 for each in votes) == 1)
        assert factor == 0 or votes[side] == max(votes)
    with_bonus = sides.totals(piles[JOKER_1], found.worth)
    assert strongest(with_bonus).side == found.grips[JOKER_1].side


# -- 7: scores -----------------------------------------------------------------------------------


@some
@given(game=any_game)
def test_invariant_7_scores(game: Game) -> None:
    deal = as_json(game.deal)
    most = 28 + 2 * len(deal["jokers"]) + 2 * ("joker-3" in deal["jokers"])
    for _, view, _ in views(game):
        points = view["control"]["points"]
        assert min(points) >= 0
        assert sum(points) <= most
    result = as_json(game.end().outcome().detail)
    assert result["points"] == points


Plan = dict[str, list[tuple[str, int]]]
"""By official: the bribes that end there, with their sides."""


def plan_nothing(count: int, jokers: list[str], rng: random.Random) -> Plan:
    """Plan a game in which nobody gets a point: 18 officials with two equal bribes each."""
    pairs = [
        pair for i, one in enumerate(range(count)) for pair in [(one, two) for two in range(i)]
    ]
    pairs = [pairs[number % len(pairs)] for number in range(18)]
    plan: Plan = {official: [] for official in SUITED + jokers}
    for value in range(2, 11):
        suits = rng.sample("shdc", 4)
        for two in (suits[:2], suits[2:]):
            free = [o for o in plan if not plan[o] and (o in jokers or o[-1] not in two)]
            cards = [f"{value}{suit}" for suit in two]
            plan[rng.choice(free)] = list(zip(cards, pairs.pop(), strict=True))
    return plan


def plan_everything(count: int, jokers: list[str], rng: random.Random) -> Plan:
    """Plan a game in which side 0 dominates all countries, and so has all points.

    The bribes of the others lie under greater ones or tie one another.
    """
    plan: Plan = {official: [] for official in SUITED + jokers}
    if count == 4:  # one bribe of each value is mine, the others' three tie
        mine = []
        for value in range(2, 11):
            suit = "shdc"[value % 4]
            mine.append(f"{value}{suit}")
            official = ("j" if value < 6 else "q" if value < 10 else "k") + suit
            plan[official] = [
                (f"{value}{other}", 1 + number)
                for number, other in enumerate(each for each in "shdc" if each != suit)
            ]
        for joker in jokers:
            plan[joker].append((mine.pop(0), 0))
    elif count == 3:  # all bribes of three values are mine, the others' two tie
        mine = [f"{value}{suit}" for value in (2, 3, 4) for suit in "shdc"]
        ties = [official for official in SUITED if official[0] != "a"]
        for value in range(5, 11):
            for two in ("sh", "dc"):
                official = next(each for each in ties if each[1] not in two)
                ties.remove(official)
                plan[official] = [(f"{value}{suit}", 1 + i) for i, suit in enumerate(two)]
        for joker in jokers:
            plan[joker].append((mine.pop(), 0))
    else:  # the highest bribes are mine, on every official
        mine = sorted(BRIBES, key=lambda card: -int(card[:-1]))[:18]
        theirs = [card for card in BRIBES if card not in mine]
        targets = SUITED + jokers
        rng.shuffle(mine)
        for official, card in zip(targets, mine, strict=True):
            plan[official].append((card, 0))
        rng.shuffle(theirs)
        for card in theirs:
            room = [
                official
                for official in SUITED
                if int(plan[official][0][0][:-1])
                > int(card[:-1]) + sum(int(c[:-1]) for c, _ in plan[official][1:])
                and may_lie(card, official, plan)
            ]
            plan[rng.choice(room)].append((card, 1))
        mine = []
    for card in mine:
        room = [
            official
            for official in (each for each in SUITED if all(s == 0 for _, s in plan[each]))
            if may_lie(card, official, plan)
        ]
        empty = [
            o for o in room if not any(plan[p] for p in SUITED if p[1] == o[1] and mine_on(plan[p]))
        ]
        plan[rng.choice(empty or room)].append((card, 0))
    return plan


def mine_on(bribes: list[tuple[str, int]]) -> bool:
    return any(side == 0 for _, side in bribes)


def may_lie(card: str, official: str, plan: Plan) -> bool:
    suits = [other[-1] for other, _ in plan[official]]
    return card[-1] not in suits and (official not in SUITED or official[-1] != card[-1])


def carry_out(variant: Bribery, jokers: list[str], plan: Plan, rng: random.Random) -> Game:
    """Return a game that ends as planned: its decks are dealt as the cards are played."""
    n, count = variant.seats, len(variant.sides)
    plans: list[list[tuple[str, str]]] = [[] for _ in range(n)]  # by seat: bribe and official
    need = [pattern(variant, seat, 0).count("B") for seat in range(n)]
    for official, bribes in plan.items():
        for card, side in bribes:
            seats = [seat for seat in range(side, n, count) if len(plans[seat]) < need[seat]]
            plans[rng.choice(seats)].append((card, official))
    officials = sorted(plan, key=lambda official: (-len(plan[official]), rng.random()))
    board, coming = officials[: variant.board_size], officials[variant.board_size :]
    shown, played, actions = set(board), [list[str]() for _ in range(n)], []
    for turn, seat in enumerate(variant.orders[0][:-1]):
        assert seat is not None
        first = (variant.round_of[turn] - 1) * 3
        kinds = pattern(variant, seat, 0)[first : first + 3]
        if "O" in kinds and len(played[seat]) == first:  # the official first
            card = coming.pop(0)
            shown.add(card)
            actions.append(f"official {card}")
        else:
            ready = [each for each in plans[seat] if each[1] in shown]
            card, official = rng.choice(ready)
            plans[seat].remove((card, official))
            actions.append(f"bribe {card} {official}")
        played[seat].append(card)
    decks = []
    for seat in range(n):
        kinds = pattern(variant, seat, 0)
        cards = {"B": [c for c in played[seat] if c in BRIBES]}
        cards["O"] = [c for c in played[seat] if c not in BRIBES]
        decks.append([cards[kind].pop(0) for kind in kinds])
    deal = variant.read_deal({"jokers": jokers, "board": board, "decks": decks, "start": 0})
    state, seats = variant.start(deal), []
    for action in actions:
        assert action in state.legal_actions(), action
        seats.append(state.seat_to_act or 0)
        state.apply(action)
    return Game(variant, deal, tuple(actions), tuple(seats))


@pytest.mark.parametrize(
    ("variant", "with_joker_3"),
    [(variant, yes) for variant in BASIC for yes in (True, False) if yes or variant.jokers < 4],
    ids=lambda value: value.id if isinstance(value, Bribery) else ("without", "with")[value],
)
@pytest.mark.parametrize("everything", [True, False], ids=["everything", "nothing"])
def test_invariant_7_the_bounds_are_reached(
    variant: Bribery, with_joker_3: bool, everything: bool
) -> None:
    numbers = ("3124" if with_joker_3 else "124")[: variant.jokers]
    jokers = sorted(f"joker-{number}" for number in numbers)
    count, plan = len(variant.sides), plan_everything if everything else plan_nothing
    most = 28 + 2 * len(jokers) + 2 * with_joker_3
    for seed in range(500):
        rng = random.Random(seed)
        try:
            game = carry_out(variant, jokers, plan(count, jokers, rng), rng)
        except (IndexError, AssertionError):  # a plan that cannot be carried out in this order
            continue
        break
    result = as_json(game.end().outcome().detail)
    assert result["points"] == [most * everything] + [0] * (count - 1)
    assert result["win_weight"] == (2 if everything else 1)
    check_as_basic_in_advanced(game)


# -- 8 to 13 -------------------------------------------------------------------------------------


@some
@given(game=any_game)
def test_invariant_8_end(game: Game) -> None:
    end = as_json(game.end().view(None))
    assert end["hand_sizes"] == end["deck_sizes"] == [0] * game.variant.seats
    assert [each["card"] for each in end["board"]] == [
        card for card in SLOT_ORDER if card in SUITED + as_json(game.deal)["jokers"]
    ]
    lying = sum(len(official["bribes"]) for official in end["board"])
    assert lying + len(end["discards"]) == 36
    assert (end["phase"], end["to_act"], end["turn_seat"]) == ("over", None, None)
    assert end["turn"] == game.variant.plays + 1


@some
@given(variant=st.sampled_from(BASIC), seed=SEEDS, forced=st.booleans())
def test_invariant_9_basic_game(variant: Bribery, seed: int, forced: bool) -> None:
    game = forced_game(variant, seed) if forced else random_game(variant, seed)
    assert len(game.actions) == PLAYS[variant.id]
    end = as_json(game.end().view(None))
    assert {discard["why"] for discard in end["discards"]} <= {"forced"}
    assert not any(official["face_down"] for official in end["board"])


@settings(max_examples=15)
@given(game=random_games(ADVANCED))
def test_invariant_10_advanced_game(game: Game) -> None:
    told = as_json(game.end().events(None))
    turns = [0]
    for event in told:
        if event["event"] == "action":
            turns[-1] += event["phase"] == "ability" and event["action"] != "no-ability"
            if event["phase"] == "play":
                turns.append(0)
    assert max(turns) <= 1
    discarded: list[Json] = []
    for state, view, _ in views(game):
        new = view["discards"][len(discarded) :]
        if view["pending"] is not None:
            spent = view["discards"][-1]
            assert (spent["card"], spent["why"]) == (view["pending"]["spent"], "spent")
            assert spent["seat"] % len(view["sides"]) == side_of(game, view["pending"]["seat"])
        elif new or len(view["discards"]) < len(discarded):
            check_discards(new, len(view["discards"]) - len(discarded), state)
        down = [each for each in view["board"] if each["face_down"]]
        assert len(down) <= 12
        assert all(not each["bribes"] and each["card"][1] in "shd" for each in down)
        if view["phase"] == "protect":
            heart = view["pending"]["source"][0] + "h"
            rows = {row["card"]: row["controller"] for row in view["control"]["officials"]}
            assert rows[heart] == side_of(game, view["to_act"])
            assert rows[heart] != side_of(game, view["pending"]["seat"])
        discarded = view["discards"]


def check_discards(new: list[Json], more: int, state: State) -> None:
    """What an ability that is settled now leaves in the discards, besides its cost before."""
    whys = [discard["why"] for discard in new]
    if whys == ["forced"]:
        return
    event = [each for each in as_json(state.events(None)) if each["event"] != "draw"][-1]
    assert event["event"] == "ability"
    if event["cancelled"]:
        assert whys in (["spent"], ["spent", "spent"])
        assert event["discarded"] == []
    elif event["kind"] == "assassinate":
        assert [discard["card"] for discard in new if discard["why"] == "assassinated"] == (
            event["discarded"]
        )
        assert whys.count("spent") <= 1
    elif event["kind"] == "bless":
        assert more in (0, -1)
    else:
        assert whys in ([], ["spent"])


@settings(max_examples=10)
@given(game=any_game, seed=SEEDS)
def test_invariant_11_information(game: Game, seed: int) -> None:
    """Two positions that differ only in hidden cards give a seat equal views."""
    rng = random.Random(seed)
    for number, state in enumerate(game.moments()):
        if number % 5 == 0:
            for seat in range(game.variant.seats):
                assert state.determinize(seat, rng).view(seat) == state.view(seat)


def rotated(thing: Any, r: int, n: int, sides: int) -> Any:
    """Return a view or result as it is when every seat has moved by r."""
    seats = {"seat", "turn_seat", "to_act", "leader", "start"}
    by_seat = {"hand_sizes", "deck_sizes", "seat_points", "places"}
    side, by_side = {"side", "controller", "free_placement"}, {"totals", "points"}

    def turn(key: str, value: Any) -> Any:
        if value is None:
            return None
        if key in seats:
            return (value + r) % n
        if key in side:
            return (value + r) % sides
        if key in by_seat:
            return [value[(seat - r) % n] for seat in range(n)]
        if key in by_side or (key == "votes" and isinstance(value, list)):
            return (
                [value[(each - r) % sides] for each in range(sides)]
                if isinstance(value, list)
                else value
            )
        if key == "winners":
            return sorted((seat + r) % n for seat in value)
        if key == "to_ask":
            return [(seat + r) % n for seat in value]
        if isinstance(value, dict):
            return {name: turn(name, each) for name, each in value.items()}
        if isinstance(value, list):
            return [turn("", each) for each in value]
        return value

    return turn("", thing)


@settings(max_examples=10)
@given(game=any_game, r=st.integers(1, 3))
def test_invariant_12_replay_and_rotation(game: Game, r: int) -> None:
    """The same deal and actions give the same game; with seats moved, the same moved."""
    variant, raw = game.variant, as_json(game.deal)
    n, sides = variant.seats, len(variant.sides)
    again = variant.start(variant.read_deal(raw))
    decks = [raw["decks"][(seat - r) % n] for seat in range(n)]
    turned = raw | {"decks": decks, "start": (raw["start"] + r) % n}
    moved = variant.start(variant.read_deal(turned))
    for state, action in zip(game.moments(), [*game.actions, None], strict=True):
        assert again.view(0) == state.view(0)
        assert as_json(moved.view(r % n)) == rotated(as_json(state.view(0)), r, n, sides)
        if action is not None:
            again.apply(action)
            moved.apply(action)
    assert again.outcome().detail == game.end().outcome().detail
    assert as_json(moved.outcome().detail) == rotated(
        as_json(game.end().outcome().detail), r, n, sides
    )


def check_as_basic_in_advanced(game: Game) -> None:
    """The game's actions are legal in the twin, where all decline abilities."""
    twin = BY_ID[f"{game.variant.id}-advanced"]
    state = twin.start(twin.read_deal(as_json(game.deal)))
    for action in game.actions:
        if "no-ability" in state.legal_actions():
            state.apply("no-ability")
        state.apply(action)
    assert state.seat_to_act is None
    assert state.outcome().detail == game.end().outcome().detail


@some
@given(variant=st.sampled_from(BASIC), seed=SEEDS, forced=st.booleans())
def test_invariant_13_basic_in_advanced(variant: Bribery, seed: int, forced: bool) -> None:
    check_as_basic_in_advanced(forced_game(variant, seed) if forced else random_game(variant, seed))


def test_the_games_of_these_tests_have_forced_discards_in_every_variant() -> None:
    counts = Counter(
        variant.id
        for variant in VARIANTS
        for seed in range(6)
        for action in forced_game(variant, seed).actions
        if action.startswith("discard")
    )
    assert counts.keys() == {variant.id for variant in VARIANTS}


def test_numbers_of_cards_agree_with_their_names() -> None:
    for card, name in enumerate(BRIBE_NAMES):
        assert VALUE_OF[card * SEATS] == int(name[:-1])
        assert "cdhs"[SUIT_OF[card * SEATS]] == name[-1]
    for number, name in enumerate(OFFICIALS):
        assert (COUNTRY[number] < 0) == name.startswith("joker")
