"""Decisions are judged by what the bot knew, and a worse bot is told of more mistakes."""

import json
import random

import msgspec
import pytest

import arena as interface
from arena import Run
from arena.base.record import GameRecord
from arena.extras.review.review import (
    EVEN,
    GameReview,
    guide_of,
    judged_decisions,
    review_game,
    seat_of,
)
from arena.match.referee import start_game
from arena.sdk.search import Guide
from engine import get_variant
from tests.arena.command import arena, refused

BOTS = ["planner", "collector", "random"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return interface.run(
        "pot-de-vin/3", BOTS, rounds=6, seed=1, in_process=True, workers=1, name="x",
        results=tmp_path_factory.mktemp("review"),
    )  # fmt: skip


def lost(records: list[GameRecord], bot: str) -> float:
    """Return what the mistakes of a bot cost it in games, in shares."""
    return sum([review_game(one, seat_of(one, bot), random.Random(1)).lost for one in records])


def test_a_bot_that_plays_by_chance_loses_more_than_one_that_plans(played: Run) -> None:
    records = list(played.games())
    assert lost(records, "random") > 2 * lost(records, "planner")


def test_a_decision_is_judged_by_what_the_bot_knew(played: Run) -> None:
    """With other cards in the hands that it did not see, its first decision is judged alike."""
    record = next(iter(played.games()))
    seat = start_game(record.variant, record.deal).seat_to_act
    assert seat is not None
    deal = json.loads(bytes(record.deal))
    judged = next(judged_decisions(record, seat, random.Random(1)))
    others = 0
    for place in range(len(deal["cards"]) - 1):
        cards = [*deal["cards"]]
        cards[place], cards[place + 1] = cards[place + 1], cards[place]
        raw = msgspec.Raw(json.dumps(deal | {"cards": cards}).encode())
        other = msgspec.structs.replace(record, deal=raw)
        views = [start_game(one.variant, one.deal).view(seat) for one in (record, other)]
        if views[0] == views[1]:
            others += 1
            assert next(judged_decisions(other, seat, random.Random(1))) == judged
    assert others


def test_a_game_without_a_guide_is_judged_by_chance() -> None:
    assert type(guide_of(get_variant("pot-de-vin/3"))) is not Guide
    from tests.engine.high_card import HighCard, HighCardState

    assert type(guide_of(HighCard(HighCardState))) is Guide


def test_the_command_shows_the_heaviest_defeat(played: Run) -> None:
    results = played.source.parent
    shown = arena("review", "x", "--bot", "random", "--results", results)
    assert shown.exit_code == 0, shown.stderr
    assert "random, seat" in shown.stdout
    assert "decisions" in shown.stdout
    listed = json.loads(
        arena("review", "x", "--bot", "random", "--json", "--results", results).stdout
    )
    review = msgspec.convert(listed, GameReview)
    parts = review.luck + review.others - review.lost
    assert review.result - EVEN == pytest.approx(parts)
    assert review.lost == pytest.approx(sum([one.loss for one in review.mistakes]))
    assert "randon" in refused("review", "x", "--bot", "randon", "--results", results)
