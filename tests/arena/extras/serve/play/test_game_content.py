"""Tests of a game's page from one seat's view, and of its explanations."""

import random
import re

import msgspec
import pytest

from arena.extras.serve.play.browser_game import BrowserGameRunner, state_of
from arena.extras.serve.play.game_content import GameContent
from arena.narration.telling import telling_of
from arena.publish.replays import LEFT_OUT
from engine import variants
from tests.arena.extras.serve.play.test_browser_game import Breaks, game_of, play_on, seat_bots

BUILT_IN = [one for one in variants() if "/" in one and not one.startswith("high")]
SLUG = re.compile(r"[a-z]+(?:-[a-z0-9]+)+|(?:10|[2-9akqj])[shdc]")
EACH_GAME = ("pot-de-vin/3", "bribery/3-advanced", "brides-and-bribes/3")


def contents(
    variant_id: str, decisions: int = 10_000, seed: int = 5
) -> list[tuple[GameContent, BrowserGameRunner]]:
    """Play a random game, and return its contents."""
    game = game_of(variant_id, seed=seed)
    runner = BrowserGameRunner(game, seat_bots(game))
    runner.begin()
    rng = random.Random(seed)
    seen = [(GameContent(runner.game), runner)]
    while runner.record is None and len(seen) <= decisions:
        play_on(runner, rng, 1)
        seen.append((GameContent(runner.game), runner))
    return seen


def slugs_in(value: object, game: str) -> set[str]:
    """Return the names of cards or tiles in any kind of data."""
    text = msgspec.json.encode(value, enc_hook=str).decode()
    return set(SLUG.findall(text)) & set(telling_of(game).cards)


@pytest.mark.parametrize("variant_id", BUILT_IN)
def test_page_names_only_known_cards(variant_id: str) -> None:
    game = game_of(variant_id)
    runner = BrowserGameRunner(game, seat_bots(game))
    runner.begin()
    rng = random.Random(2)
    hidden_cards = 0
    while runner.record is None:
        content = GameContent(runner.game)
        state = state_of(runner.game)
        view, events = state.view(game.seat), state.events(game.seat)
        known = slugs_in([view, events], content.table.game)
        assert slugs_in(vars(content), content.table.game) <= known
        everybody = slugs_in(runner.game.deal, content.table.game)
        hidden_cards += len(everybody - known)
        play_on(runner, rng, 1)
    assert hidden_cards > 0


@pytest.mark.parametrize("variant_id", EACH_GAME)
def test_table_contains_only_the_view(variant_id: str) -> None:
    for content, runner in contents(variant_id, 5)[-1:]:
        view = msgspec.to_builtins(state_of(runner.game).view(runner.game.seat))
        assert msgspec.to_builtins(content.table.view) == {
            field: value for field, value in view.items() if field not in LEFT_OUT
        }
        data = msgspec.json.encode(content.table)
        for seed in runner.game.seeds:
            assert str(seed).encode() not in data


@pytest.mark.parametrize("variant_id", EACH_GAME)
def test_page_explains_possible_actions(variant_id: str) -> None:
    *before, (end, runner) = contents(variant_id)
    for content, _ in before:
        assert content.is_to_move
        assert not content.is_over
        assert content.choices
        assert all(choice.text for choice in content.choices)
        assert len(content.points) == 3
    assert end.is_over
    assert not end.is_to_move
    assert not end.choices
    assert runner.record is not None
    assert [place.seat for place in end.places if place.rank == 1]
    assert {place.seat: place.points for place in end.places} == dict(
        enumerate(runner.record.points)
    )
    assert {place.seat: place.rank for place in end.places} == dict(enumerate(runner.record.ranks))


def test_marks_events_since_the_last_decision() -> None:
    (first, _), (second, _), *_ = contents("pot-de-vin/3", 2)
    assert all(is_new for _, is_new in first.story)
    texts = [text for text, is_new in second.story if is_new]
    assert any(text.startswith("you ") for text in texts)
    assert any("random" in text for text in texts)
    assert second.names[1] == "you"
    assert second.table.names[1] == "person (you)"


def test_names_replaced_bot_without_its_text() -> None:
    game = game_of("pot-de-vin/3", seat=0)
    runner = BrowserGameRunner(game, seat_bots(game, Breaks))
    runner.begin()
    play_on(runner, random.Random(3), 6)
    content = GameContent(runner.game)
    assert sorted(content.faults) == [
        "random-1 failed (crash), so a stand-in takes its turns from now on",
        "random-2 failed (crash), so a stand-in takes its turns from now on",
    ]
    assert "no idea" not in msgspec.json.encode(vars(content)).decode()


def test_offers_no_actions_while_a_bot_thinks() -> None:
    """The server was killed then: the action is stored, but not the bots' answers."""
    (_, runner), *_ = contents("bribery/3", 1)
    game = msgspec.structs.replace(runner.game, actions=runner.game.actions[:1])
    if state_of(game).seat_to_act == game.seat:
        game = msgspec.structs.replace(game, seat=(game.seat + 1) % 3)
    content = GameContent(game)
    assert (content.is_to_move, content.is_over, content.choices) == (False, False, [])
    assert content.table.next is None
