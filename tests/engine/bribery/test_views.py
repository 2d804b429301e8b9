"""Who sees what, and what everybody is told (section 10)."""

import random
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bribery.variant import VARIANTS
from tests.engine.bribery.play import SLOT_ORDER, forced_game, random_games
from tests.engine.games import SEEDS, Game, Json, as_json

any_game = st.one_of(random_games(), st.builds(forced_game, st.sampled_from(VARIANTS), SEEDS))
some = settings(max_examples=12)


# -- views ---------------------------------------------------------------------------------------

OWN = ("seat", "side", "hand", "legal")


@some
@given(game=any_game)
def test_a_view_differs_from_a_spectators_by_what_is_its_own(game: Game) -> None:
    hands = dealt_hands(game)
    for state in game.moments():
        public = as_json(state.view(None))
        assert [public[name] for name in OWN] == [None, None, [], []]
        for seat in range(game.variant.seats):
            view = as_json(state.view(seat))
            assert list(view) == list(public)
            assert {**view, **dict.fromkeys(OWN)} == {**public, **dict.fromkeys(OWN)}
            assert (view["seat"], view["side"]) == (seat, seat % len(view["sides"]))
            assert view["legal"] == (state.legal_actions() if seat == state.seat_to_act else [])
            drawn = hands[seat][view["round"] - 1]
            assert view["hand"] == [card for card in drawn if card in view["hand"]]
            assert len(view["hand"]) == view["hand_sizes"][seat]


@some
@given(game=any_game)
def test_the_parts_of_a_view_agree(game: Game) -> None:
    deal = as_json(game.deal)
    for state in game.moments():
        view = as_json(state.view(None))
        assert (view["game"], view["variant"]) == ("bribery", game.variant.id)
        assert view["sides"] == [list(seats) for seats in game.variant.sides]
        assert (view["jokers"], view["start"]) == (deal["jokers"], deal["start"])
        assert view["rounds"] == game.variant.parameters.rounds
        board = [official["card"] for official in view["board"]]
        assert board == [card for card in SLOT_ORDER if card in board]
        assert [row["card"] for row in view["control"]["officials"]] == board
        jokers = [card for card in board if card.startswith("joker")]
        assert [row["country"] for row in view["control"]["countries"]] == [*"shdc", *jokers]
        assert (view["pending"] is None) == (view["phase"] not in ("protect", "swindle"))
        if view["phase"] == "protect":
            assert view["pending"]["to_ask"][0] == view["to_act"] != view["turn_seat"]
        else:
            assert view["to_act"] == view["turn_seat"]
        assert (view["result"] is None) == (view["phase"] != "over")
        by_side = [0] * len(view["sides"])
        for row in view["control"]["countries"]:
            if row["controller"] is not None:
                by_side[row["controller"]] += row["points"]
        assert by_side == view["control"]["points"]


@some
@given(game=any_game)
def test_the_control_that_the_rules_use_is_that_of_the_view(game: Game) -> None:
    """What is kept up to date from play to play agrees with the board evaluated as a whole."""
    for state in game.moments():
        rows = {row.card: row.controller for row in state.view(None).control.officials}
        again = game.variant.imagine(state.view(0), random.Random(0))
        assert again.position.control == state.position.control
        for card, side in rows.items():
            official = sorted(SLOT_ORDER).index(card)
            assert state.position.control[official][0] == (-1 if side is None else side)


# -- events --------------------------------------------------------------------------------------


def dealt_hands(game: Game) -> list[list[list[str]]]:
    """Return the cards that each seat draws, by round."""
    decks = as_json(game.deal)["decks"]
    rounds = range(game.variant.parameters.rounds)
    return [[deck[3 * number : 3 * number + 3] for number in rounds] for deck in decks]


def expected_events(game: Game, seat: int | None) -> Iterator[Json]:
    """Yield what a seat is told of a whole game, as can be told from the views."""
    deal, hands = as_json(game.deal), dealt_hands(game)
    views = [as_json(state.view(None)) for state in game.moments()]
    yield {
        "event": "start",
        "variant": game.variant.id,
        "jokers": deal["jokers"],
        "board": [card for card in SLOT_ORDER if card in deal["board"]],
        "start": deal["start"],
        "deck_sizes": [len(deck) for deck in deal["decks"]],
    }
    told_rounds = 0
    for before, after, action in zip(views, [*views[1:], None], [*game.actions, None], strict=True):
        if before["round"] > told_rounds:
            told_rounds += 1
            fields = ("round", "leader", "hand_sizes", "deck_sizes")
            yield {"event": "round", **{name: before[name] for name in fields}}
            if seat is not None and (cards := hands[seat][told_rounds - 1]):
                yield {"event": "draw", "round": told_rounds, "cards": cards}
        if after is None:
            yield {"event": "over", "result": before["result"]}
            return
        actor, phase = before["to_act"], before["phase"]
        yield {"event": "action", "seat": actor, "phase": phase, "action": action}
        if action.startswith("ability") and after["pending"] is None:
            yield settled(action, before, after, None)
        elif before["pending"] is not None and after["pending"] is None:
            by = actor if action.startswith("protect") else None
            yield settled(None, before, after, by)


KINDS = {"c": "assassinate", "d": "swindle", "s": "bless"}


def settled(action: str | None, before: Json, after: Json, by: int | None) -> Json:
    if action is None:
        pending = before["pending"]
        source, spent, target = pending["source"], pending["spent"], pending["target"]
    else:
        _, source, spent, target = action.split(" ")
    kind = KINDS[source[1]]
    lost = [
        bribe["card"]
        for official in before["board"]
        for bribe in official["bribes"]
        if official["card"] == target
    ]
    return {
        "event": "ability",
        "seat": before["turn_seat"],
        "kind": kind,
        "source": source,
        "spent": spent,
        "target": target,
        "cancelled": by is not None,
        "by": by,
        "discarded": lost if kind == "assassinate" and by is None else [],
    }


@some
@given(game=any_game)
def test_a_whole_game_is_told_in_order(game: Game) -> None:
    end = game.end()
    for seat in (*range(game.variant.seats), None):
        assert as_json(end.events(seat)) == list(expected_events(game, seat))


@some
@given(game=any_game)
def test_everything_is_told_as_soon_as_it_happens(game: Game) -> None:
    everything = list(expected_events(game, 1))
    for done, state in enumerate(game.moments()):
        told = as_json(state.events(1))
        assert told == everything[: len(told)]
        assert sum(event["event"] == "action" for event in told) == done
        following = everything[len(told) : len(told) + 1]
        assert all(event["event"] == "action" for event in following)


@some
@given(game=any_game)
def test_only_the_drawing_seat_is_told_its_cards(game: Game) -> None:
    end = game.end()
    public = as_json(end.events(None))
    assert all(event["event"] != "draw" for event in public)
    for seat, hands in enumerate(dealt_hands(game)):
        told = as_json(end.events(seat))
        drawn = [event["cards"] for event in told if event["event"] == "draw"]
        assert drawn == [hand for hand in hands if hand]
        assert [event for event in told if event["event"] != "draw"] == public
