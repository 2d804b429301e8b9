"""Tests of the Bribery bots: styles, knowledge of the rules, and strength."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest

from arena.base.protocol import Turn, raw
from arena.bot import Bot, Start
from arena.sdk.games import ask, new_bot
from bots.bribery.banker import BankerBot
from bots.bribery.board import board_of
from bots.bribery.cards import BRIBES, VOTES
from bots.bribery.control import Future
from bots.bribery.evaluation import Evaluation
from bots.bribery.fixer import FixerBot
from bots.bribery.spoiler import SpoilerBot
from bots.bribery.view import View
from engine import State, get_variant, variants
from engine.bribery import cards
from engine.bribery.view import View as EngineView

BRIBERY = [variant.id for variant in variants().values() if variant.game == "bribery"]
STYLES = (SpoilerBot, BankerBot, FixerBot)
"""Weakest first."""
each_variant = pytest.mark.parametrize("variant_id", BRIBERY)

# -- styles --------------------------------------------------------------------------------------


def position(
    board: str, *, hand: str = "", late: bool = False, pending: str = ""
) -> dict[str, Any]:
    """Return the parts of a view that the bots read, for seat 0 of two, without jokers.

    `board` is written as on the rules page: `ks: 9h@0 4c@1 | as:`. If `late`, all other bribes
    are in the discard pile, as many of each seat as necessary. `pending` is the ability of seat 1
    that seat 0 may protect against.
    """
    officials = []
    played = [0, 0]
    for row in board.split("|"):
        card, _, pile = row.replace(":", "").strip().partition(" ")
        bribes: list[dict[str, Any]] = []
        for bribe, _, owner in [word.partition("@") for word in pile.split()]:
            bribes.append({"card": bribe, "seat": int(owner)})
            played[int(owner)] += 1
        officials.append({"card": card, "face_down": False, "bribes": bribes})
    held = hand.split()
    gone = [card for card in cards.BRIBES if card not in [*board.replace("@", " ").split(), *held]]
    own = len(cards.BRIBES) // 2 - played[0] - len(held)
    discards = [{"card": card, "seat": int(place >= own)} for place, card in enumerate(gone)]
    words = pending.split()
    return {
        "side": 0,
        "sides": [[0], [1]],
        "jokers": [],
        "phase": "play" if hand else "protect",
        "pending": dict(zip(("seat", "source", "spent", "target"), (1, *words[1:]), strict=True))
        if pending
        else None,
        "hand": held,
        "board": officials,
        "discards": discards if late else [],
    }


def choice(bot_class: type[Bot], view: dict[str, Any], legal: Sequence[str]) -> str:
    bot = new_bot(bot_class, Start(0, "bribery", "bribery/2-advanced", 0, 2, None, seed=1))
    return ask(bot, Turn(0, 1, raw(view), raw([]), list(legal), 0)).action


def bribes(hand: str, officials: str) -> list[str]:
    """Return the actions that place each bribe in `hand` on each of the officials."""
    return [f"bribe {card} {place}" for card in hand.split() for place in officials.split()]


@pytest.mark.parametrize(
    ("board", "hand", "officials", "expected"),
    [
        # An ace that is free against a rival on another: who builds, and who spoils?
        ("as: | ac: 4d@1", "6h", "as ac", ["bribe 6h ac", "bribe 6h as", "bribe 6h as"]),
        # A firm rival: blocked at least cost, or left alone, with a hold elsewhere; who plans for
        # the whole hand blocks it with what is worth little, and keeps the rest.
        ("as: 9d@1 9c@1 | jc:", "2h 10h", "as jc", ["bribe 2h as", "bribe 2h jc", "bribe 2h as"]),
        # A rival dominates the country: to break that gently, to take it over, or to do so later.
        ("as: 9d@1 | ks: 9d@0", "2h 10h", "as ks", ["bribe 2h as", "bribe 10h as", "bribe 2h ks"]),
        # What leads already leads on; only the far-sighted make the weaker lead firm.
        ("ac: 9d@0 | ah: 3d@0", "9s", "ac ah", ["bribe 9s ac", "bribe 9s ac", "bribe 9s ah"]),
    ],
)
def test_each_style_chooses_its_own_action(
    board: str, hand: str, officials: str, expected: list[str]
) -> None:
    view = position(board, hand=hand)
    legal = sorted(bribes(hand, officials))
    assert [choice(style, view, legal) for style in STYLES] == expected


def test_uses_ability_if_it_pays_off() -> None:
    legal = ["ability jc 3d js", "ability jc 4h js", "no-ability"]
    for bot_class in (BankerBot, FixerBot):
        board = position("jc: 3d@0 4h@0 | js: 9d@1", late=True)
        assert choice(bot_class, board, legal) == "ability jc 3d js"
        # The last bribe of a country is not spent on an official that nobody holds.
        board = position("ac: 3d@0 | ad:")
        assert choice(bot_class, board, ["ability ac 3d ad", "no-ability"]) == "no-ability"


def test_protects_valuable_officials() -> None:
    legal = ["allow", "protect 9c", "protect 3s"]
    for bot_class in (BankerBot, FixerBot):
        board = position("jc: 4h@1 | js: 9d@0 | jh: 9c@0 3s@0", pending="ability jc 3d js")
        assert choice(bot_class, board, legal) == "protect 3s"
        board = position("jc: 4h@1 | js: | jh: 9c@0", pending="ability jc 3d js")
        assert choice(bot_class, board, legal[:2]) == "allow"


# -- what the bots know of the rules -------------------------------------------------------------


def test_cards_match_the_engine() -> None:
    assert sorted(BRIBES) == list(cards.BRIBES)
    assert VOTES == {"a": 5, "k": 4, "q": 3, "j": 2}


def positions(variant_id: str, games: int) -> Iterator[State]:
    """Yield the positions of some random games, including the last ones."""
    variant = get_variant(variant_id)
    for number in range(games):
        rng = random.Random(number)
        state = variant.start(variant.deal(rng))
        while state.seat_to_act is not None:
            yield state
            state.apply(rng.choice(state.legal_actions()))
        yield state


@each_variant
def test_evaluation_without_future_bribes_is_exact(variant_id: str) -> None:
    for state in positions(variant_id, games=3):
        seen = state.view(0)
        assert isinstance(seen, EngineView)
        view = msgspec.convert(seen, View, from_attributes=True)
        board = board_of(view)
        present = Evaluation(Future(0.0, (0.0,) * len(view.sides)))
        assert present.points(board) == list(seen.control.points)
        for official in seen.control.officials:
            assert present.controller(board, official.card) == official.controller
