"""What can be played (sections 7.5 and 7.6): every list that games ask is that of the table."""

from collections import Counter
from typing import Any

from engine import State
from tests.engine.brides_and_bribes.ability_table import (
    Moment,
    expected,
    expected_counters,
    expected_declarations,
    moment_of,
    usable,
)
from tests.engine.brides_and_bribes.play import VARIANTS, random_game
from tests.engine.brides_and_bribes.table import kind_of
from tests.engine.games import as_json

PLAY_WINDOWS = ("order", "react", "before", "wedding", "after")


def test_every_list_that_is_asked_in_a_borough_is_that_of_the_table() -> None:
    asked_in, listed = Counter[str](), Counter[tuple[str, str]]()
    for seed in range(24):
        game = random_game(VARIANTS[seed % 3], seed, lively_share=0.9)
        for state in game.moments():
            m = moment_of(state)
            if m is None:
                continue
            if m.window in PLAY_WINDOWS:
                assert state.legal_actions() == expected(m), (seed, m.window, usable(m))
            elif m.window in ("counter", "save"):
                assert state.legal_actions() == expected_counters(m), (seed, m.window)
            elif m.window == "declare":
                assert state.legal_actions() == expected_declarations(m), seed
            asked_in[m.window] += 1
            for action in state.legal_actions():
                if action.startswith("play "):
                    listed[kind_of(action.split(" ")[1]), m.window] += 1
    assert {*PLAY_WINDOWS, "counter", "save", "declare"} <= set(asked_in)
    assert len(listed) > 45  # of 62 pairs


def test_a_seat_is_passed_over_only_if_it_has_nothing_to_play() -> None:
    """R5: after the last decision of a turn no present seat had a play for the declaration."""
    for seed in range(6):
        game = random_game(VARIANTS[seed % 3], seed)
        for state in game.moments():
            m = moment_of(state)
            if m is None or m.window != "react":
                continue
            first = (m.active or 0) + 1
            n = game.variant.seats
            between = [(first + k) % n for k in range((m.seat - first) % n)]
            for seat in between:  # asked before, or with nothing to play
                if seat in m.rows and m.rows[seat]["guide"]:
                    one = Moment(state, seat, "react", m.view, m.rows, m.hands)
                    assert expected(one) == ["decline"] or was_asked(game, state, seat)


def was_asked(game: Any, state: State, seat: int) -> bool:
    """Whether a seat declined or played since the declaration; then it may have tiles left."""
    told = [event["event"] for event in as_json(state.events(None))]
    since = len(told) - told[::-1].index("declared")
    replay = game.variant.start(game.deal)
    for who, action in zip(game.seats, game.actions, strict=True):
        if len(replay.events(None)) >= since and who == seat:
            return True
        if len(replay.events(None)) > len(told):
            return False
        replay.apply(action)
    return False
