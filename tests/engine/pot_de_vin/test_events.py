"""What seats and spectators are told, in order of occurrence (section 9)."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings

from engine import State
from tests.engine.games import Game, as_json
from tests.engine.pot_de_vin.play import RECORDS, in_order, random_games, replay, table_of

Event = dict[str, Any]


def dealt_hands(game: Game) -> list[list[str]]:
    """Return the hands of a deal, by seat [3]."""
    raw, n = as_json(game.deal), game.variant.seats
    hands: list[list[str]] = [[]] * n
    table = table_of(game)
    first = 1 if table.recycled else table.rounds
    for offset in range(n):
        size = table.hand + (table.recycled and offset >= 3)
        hands[(raw["start"] + offset) % n] = in_order(raw["cards"][first : first + size])
        first += size
    return hands


def expected_events(game: Game, seat: int | None, deck: dict[str, str]) -> Iterator[Event]:
    """Yield what a seat is told of a whole game, from what lies open when it is over."""
    end = as_json(game.end().view(None))
    n, table = game.variant.seats, table_of(game)
    yield {
        "event": "start",
        "variant": game.variant.id,
        "seat": seat,
        "n": n,
        "teams": end["teams"],
        "start": end["start"],
        "rounds": table.rounds,
        "gems": table.gems,
        "deck": deck,
        "hand": None if seat is None else dealt_hands(game)[seat],
    }
    turns = zip(game.seats, game.actions, strict=True)
    for who, action in islice(turns, 3 * table.recycled):
        card = action.removeprefix("discard ")
        yield {"event": "discard", "seat": who, "card": card if who == seat else None}
    held, gems = [table.hand] * n, [table.gems] * n
    for number, past in enumerate(end["history"], 1):
        if table.recycled and number in (5, 9):
            yield {"event": "reshuffle"}
        pile = 3 - (number - 1) % 4 if table.recycled else table.rounds - number
        yield {"event": "trump", "round": number, "trump": past["trump"], "trump_pile": pile}
        for turn in past["trick"]:
            who, (verb, _, card) = turn["seat"], turn["action"].partition(" ")
            if verb == "play":
                held[who] -= 1
                yield {"event": "play", "seat": who, "card": card}
            else:
                gems[who] -= 1
                yield {"event": "pass", "seat": who, "gems": gems[who]}
        taken = {key: past[key] for key in ("winner", "cards", "gems")}
        yield {"event": "round_end", "round": number, **taken}
        for turn in past["trick"]:
            who = turn["seat"]
            if not held[who] and gems[who]:
                yield {"event": "gems_removed", "seat": who, "gems": gems[who]}
                gems[who] = 0
    yield {"event": "over", "result": end["result"]}


def deck_of(state: State) -> dict[str, str]:
    deck: dict[str, str] = as_json(state.events(None)[0])["deck"]
    return deck


@settings(max_examples=40)
@given(game=random_games())
def test_a_whole_game_is_told_in_order(game: Game) -> None:
    end = game.end()
    for seat in (*range(game.variant.seats), None):
        told = as_json(end.events(seat))
        assert told == list(expected_events(game, seat, deck_of(end)))


@settings(max_examples=30)
@given(game=random_games())
def test_everything_is_told_as_soon_as_it_happens(game: Game) -> None:
    """The last event that is told is what has just happened to the table."""
    everything = list(expected_events(game, None, deck_of(game.end())))
    told_before = 0
    for number, state in enumerate(game.moments()):
        told = as_json(state.events(None))
        assert told == everything[: len(told)]
        assert len(told) > told_before
        told_before = len(told)
        view = state.view(None)
        last = {
            "discard": ["start"] if number == 0 else ["discard"],
            "play": ["play", "pass"] if view.trick else ["trump"],
            "over": ["over"],
        }[view.phase]
        assert told[-1]["event"] in last
        if view.trick:
            assert told[-1]["seat"] == view.trick[-1].seat


@settings(max_examples=30)
@given(game=random_games())
def test_seats_are_told_the_same_but_for_their_own_cards(game: Game) -> None:
    for state in game.moments():
        public = as_json(state.events(None))
        assert public[0]["seat"] is public[0]["hand"] is None
        for seat, hand in enumerate(dealt_hands(game)):
            told = as_json(state.events(seat))
            assert (told[0].pop("seat"), told[0].pop("hand")) == (seat, hand)
            assert told[0] == {k: v for k, v in public[0].items() if k not in ("seat", "hand")}
            for ours, theirs in zip(told[1:], public[1:], strict=True):
                if theirs["event"] == "discard":
                    assert theirs["card"] is None
                    discarded = state.view(seat).discarded if theirs["seat"] == seat else None
                    theirs = theirs | {"card": discarded}
                assert ours == theirs


@pytest.mark.parametrize("name", list(RECORDS))
def test_events_of_the_golden_records(name: str) -> None:
    game = replay(RECORDS[name])
    end = game.end()
    told = as_json(end.events(0))
    assert told == list(expected_events(game, 0, deck_of(end)))
    winners = [event["winner"] for event in told if event["event"] == "round_end"]
    assert winners == RECORDS[name]["winners"]
    removed = [0] * game.variant.seats
    for event in told:
        if event["event"] == "gems_removed":
            removed[event["seat"]] += event["gems"]
    assert removed == RECORDS[name]["gems_removed"]


def test_the_beginning_of_a_game_as_one_seat_is_told_it() -> None:
    """G5, seat 2: its own hand and discard, then the first round."""
    told = as_json(replay(RECORDS["G5"]).end().events(2))
    deck = told[0].pop("deck")
    assert (len(deck), deck["aldo-4"], deck["ugo-12"]) == (36, "nobles", "nobles")
    assert told[:12] == [
        {
            "event": "start",
            "variant": "pot-de-vin/6-teams",
            "seat": 2,
            "n": 6,
            "teams": [[0, 3], [1, 4], [2, 5]],
            "start": 4,
            "rounds": 12,
            "gems": 4,
            "hand": [
                *("aldo-5", "aldo-12", "pietra-1", "pietra-2", "pietra-7", "pietra-10"),
                *("enzo-2", "ugo-4", "ugo-8"),
            ],
        },
        {"event": "discard", "seat": 1, "card": None},
        {"event": "discard", "seat": 2, "card": "pietra-10"},
        {"event": "discard", "seat": 3, "card": None},
        {"event": "trump", "round": 1, "trump": "pietra-10", "trump_pile": 3},
        {"event": "play", "seat": 4, "card": "pietra-12"},
        {"event": "play", "seat": 5, "card": "aldo-11"},
        {"event": "pass", "seat": 0, "gems": 3},
        {"event": "play", "seat": 1, "card": "pietra-11"},
        {"event": "play", "seat": 2, "card": "pietra-2"},
        {"event": "pass", "seat": 3, "gems": 3},
        {
            "event": "round_end",
            "round": 1,
            "winner": 4,
            "cards": ["aldo-11", "pietra-2", "pietra-11", "pietra-12"],
            "gems": 2,
        },
    ]
