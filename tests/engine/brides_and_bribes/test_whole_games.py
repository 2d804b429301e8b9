"""Whole games: played again (I8), how rounds and games end, and the figures of random play."""

from collections import Counter

from hypothesis import given, settings

from tests.engine.brides_and_bribes.play import public, random_games
from tests.engine.games import SEEDS, Game, Json, as_json

some = settings(max_examples=12)


# -- I8 ------------------------------------------------------------------------------------------


def rotate(deal: Json, r: int) -> Json:
    n = len(deal["families"])
    return deal | {
        "families": [deal["families"][(seat - r) % n] for seat in range(n)],
        "favor": [(seat + r) % n for seat in deal["favor"]],
    }


def rename(action: str, r: int, n: int) -> str:
    head, mark, seat = action.partition("seat-")
    return f"{head}{mark}{(int(seat) + r) % n}" if mark else action


@some
@given(game=random_games(), seed=SEEDS)
def test_i8_rotating_the_deal_renames_the_seats(game: Game, seed: int) -> None:
    n = game.variant.seats
    r = 1 + seed % (n - 1)
    state = game.variant.start(game.variant.read_deal(rotate(as_json(game.deal), r)))
    for original, action in zip(game.moments(), [*game.actions, ""], strict=True):
        legal = sorted(rename(each, r, n) for each in original.legal_actions())
        assert state.legal_actions() == legal
        if original.seat_to_act is None:
            break
        assert state.seat_to_act == (original.seat_to_act + r) % n
        state.apply(rename(action, r, n))
    assert state.seat_to_act is None
    points, ranks = original.outcome().points, original.outcome().ranks
    assert state.outcome().points == tuple(points[(seat - r) % n] for seat in range(n))
    assert state.outcome().ranks == tuple(ranks[(seat - r) % n] for seat in range(n))


# -- the end of a round --------------------------------------------------------------------------


def check_that_a_seat_builds_once_a_round_at_most(game: Game) -> None:
    built: Counter[int] = Counter()
    for event in as_json(game.end().events(None)):
        if event["event"] == "round":
            built = Counter()
        elif event["event"] == "built":
            built[event["seat"]] += 1
            assert built[event["seat"]] == 1


@settings(max_examples=20)
@given(game=random_games())
def test_the_ranks_are_those_of_the_keys(game: Game) -> None:
    """[9]: married seats first, then influence, first brides, second brides, workshops."""
    check_that_a_seat_builds_once_a_round_at_most(game)
    state = game.end()
    view = public(state)
    keys = []
    for player in view["players"]:
        places = [marriage["place"] for marriage in player["marriages"]]
        keys.append(
            [
                int(bool(places)),
                player["influence"],
                places.count("first"),
                places.count("second"),
                len(player["workshops"]),
            ]
        )
    assert view["result"]["keys"] == keys
    ranks = [1 + sum(other > key for other in keys) for key in keys]
    assert view["result"]["ranks"] == ranks
    (over,) = [event for event in as_json(state.events(None)) if event["event"] == "over"]
    for seat, player in enumerate(view["players"]):
        assert player["influence"] == over["influence_before"][seat] + player["coins"] // 5
