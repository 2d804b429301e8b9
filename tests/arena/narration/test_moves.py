"""Moves in sentences: a person hears of everything, and a part that ended is told again."""

import random
import re
from collections.abc import Iterator

import msgspec
import pytest

from arena.narration.moves import describe_moves, story
from arena.narration.telling import kind_of
from arena.narration.words import Words
from engine import State, variants
from tests.engine.high_card import HighCard

NAMES = ("ann", "bob", "cy", "dee", "eve", "flo")
SILENT = {"start", "draw"}
"""Kinds of events that a table shows; `draw` is told by some games."""


def stories(variant: str, seat: int) -> Iterator[tuple[list[msgspec.Struct], int]]:
    """Yield all events of a seat at each of its turns in a random game, and the first new one."""
    rng, one = random.Random(11), variants()[variant]
    state, since = one.start(one.deal(rng)), 0
    while True:
        if state.seat_to_act in (seat, None):
            events = list(state.events(seat, 0))
            yield events, since
            since = len(events)
        if state.seat_to_act is None:
            return
        state.apply(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("variant", list(variants()))
def test_describes_each_event_in_a_sentence(variant: str) -> None:
    game = variants()[variant].game
    words = Words(game, NAMES[: variants()[variant].seats], 1)
    for events, since in stories(variant, 1):
        for event in events[since:]:
            text = words.event(event)
            assert text or kind_of(event) in SILENT, event
            assert not any(sign in text for sign in '{}["]')
        texts = [text for text, is_new in story(events, since, words) if is_new]
        assert texts == [text for text in map(words.event, events[since:]) if text]


def test_describes_the_whole_finished_trick() -> None:
    words = Words("pot-de-vin", NAMES[:3], 1)
    ended = 0
    for events, since in stories("pot-de-vin/3", 1):
        kinds = [kind_of(event) for event in events]
        if "round_end" not in kinds[since:]:
            continue
        ended += 1
        end = kinds.index("round_end", since)
        begin = max(at for at in range(end) if kinds[at] == "trump")
        trick = [words.event(event) for event in events[begin : end + 1]]
        assert [text for text, _ in story(events, since, words)][: len(trick)] == trick
    assert ended >= 10


def test_summarizes_a_finished_fight_for_a_borough() -> None:
    words = Words("brides-and-bribes", NAMES[:3], 1)
    again = [
        text
        for events, since in stories("brides-and-bribes/3", 1)
        for text, is_new in story(events, since, words)
        if not is_new
    ]
    assert again
    assert all("has a tile more" not in text for text in again)


def finish(state: State, seed: int) -> list[str]:
    """Return the actions of a random game from this state on."""
    rng, played = random.Random(seed), state.clone()
    actions = []
    while played.seat_to_act is not None:
        actions.append(rng.choice(played.legal_actions()))
        played.apply(actions[-1])
    return actions


def test_moves_show_each_seat_only_its_knowledge() -> None:
    one = variants()["brides-and-bribes/3"]
    state = one.start(one.deal(random.Random(3)))
    moves = list(describe_moves(state, finish(state, 3), Words(one.game, NAMES[:3])))
    secrets = [
        move for move in moves if move.text_for_others != move.text and move.seat is not None
    ]
    assert secrets
    for move in secrets:
        assert move.to(None) == move.to(move.seat) == move.text
        assert move.seat is not None
        assert move.to((move.seat + 1) % 3) == move.text_for_others


def test_game_without_words_is_described_by_events() -> None:
    game = HighCard()
    state = game.start(game.deal(random.Random(1)))
    for action in finish(state, 1):
        state.apply(action)
    events = state.events(0, 0)
    texts = [text for text, _ in story(events, 0, Words(game.game, NAMES[: game.seats], 0))]
    assert len(texts) == len(events) > 0
    card = msgspec.to_builtins(events[0])["card"]
    assert texts[:3] == [f"you: hide; card {card}", "bob: hide", "cy: hide"]
    assert re.fullmatch(r"show; cards \d+, \d+, \d+", texts[3])
