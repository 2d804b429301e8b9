"""Tests of a game's page from one seat's view, and of its explanations."""

import random
import re
from types import SimpleNamespace

import msgspec
import pytest

from arena.extras.serve.play.browser_game import Course, state_of
from arena.extras.serve.play.game_content import GameContent
from arena.extras.serve.play.turn_tasks import ANY_TASK, Task, how_a_turn_goes, task_of
from arena.narration.telling import telling_of
from arena.narration.words import Words
from arena.publish.replays import LEFT_OUT
from arena.publish.rules_page import rules_of
from engine import State, get_variant, variants
from tests.arena.extras.games.test_points import positions
from tests.arena.extras.serve.play.test_browser_game import Breaks, game_of, play_on, seat_bots
from tests.engine.high_card import HighCard

BUILT_IN = [one for one in variants() if "/" in one and not one.startswith("high")]
SLUG = re.compile(r"[a-z]+(?:-[a-z0-9]+)+|(?:10|[2-9akqj])[shdc]")
EACH_GAME = ("pot-de-vin/3", "bribery/3-advanced", "brides-and-bribes/3")


def contents(
    variant_id: str, decisions: int = 10_000, seed: int = 5
) -> list[tuple[GameContent, Course]]:
    """Play a random game, and return its contents."""
    game = game_of(variant_id, seed=seed)
    course = Course(game, seat_bots(game))
    course.begin()
    rng = random.Random(seed)
    seen = [(GameContent(course.game), course)]
    while course.record is None and len(seen) <= decisions:
        play_on(course, rng, 1)
        seen.append((GameContent(course.game), course))
    return seen


def slugs_in(value: object, game: str) -> set[str]:
    """Return the names of cards or tiles in any kind of data."""
    text = msgspec.json.encode(value, enc_hook=str).decode()
    return set(SLUG.findall(text)) & set(telling_of(game).cards)


@pytest.mark.parametrize("variant_id", BUILT_IN)
def test_page_names_only_known_cards(variant_id: str) -> None:
    game = game_of(variant_id)
    course = Course(game, seat_bots(game))
    course.begin()
    rng = random.Random(2)
    hidden_cards = 0
    while course.record is None:
        content = GameContent(course.game)
        state = state_of(course.game)
        view, events = state.view(game.seat), state.events(game.seat)
        known = slugs_in([view, events], content.table.game)
        assert slugs_in(vars(content), content.table.game) <= known
        everybody = slugs_in(course.game.deal, content.table.game)
        hidden_cards += len(everybody - known)
        play_on(course, rng, 1)
    assert hidden_cards > 0


@pytest.mark.parametrize("variant_id", EACH_GAME)
def test_table_contains_only_the_view(variant_id: str) -> None:
    for content, course in contents(variant_id, 5)[-1:]:
        view = msgspec.to_builtins(state_of(course.game).view(course.game.seat))
        assert msgspec.to_builtins(content.table.view) == {
            field: value for field, value in view.items() if field not in LEFT_OUT
        }
        data = msgspec.json.encode(content.table)
        for seed in course.game.seeds:
            assert str(seed).encode() not in data


@pytest.mark.parametrize("variant_id", EACH_GAME)
def test_page_explains_possible_actions(variant_id: str) -> None:
    *before, (end, course) = contents(variant_id)
    for content, _ in before:
        assert content.is_asked
        assert not content.is_over
        assert content.task is not None
        assert content.choices
        assert all(choice.text for choice in content.choices)
        assert len(content.points) == 3
    assert end.is_over
    assert not end.is_asked
    assert not end.choices
    assert course.record is not None
    assert [place.seat for place in end.places if place.rank == 1]
    assert {place.seat: place.points for place in end.places} == dict(
        enumerate(course.record.points)
    )
    assert {place.seat: place.rank for place in end.places} == dict(enumerate(course.record.ranks))
    assert end.accounts


def test_marks_events_since_the_last_decision() -> None:
    (first, _), (second, _), *_ = contents("pot-de-vin/3", 2)
    assert all(told.is_new for told in first.told)
    texts = [told.text for told in second.told if told.is_new]
    assert any(text.startswith("you ") for text in texts)
    assert any("random" in text for text in texts)
    assert second.names[1] == "you"
    assert second.table.names[1] == "person (you)"


def test_names_replaced_bot_without_its_text() -> None:
    game = game_of("pot-de-vin/3", seat=0)
    course = Course(game, seat_bots(game, Breaks))
    course.begin()
    play_on(course, random.Random(3), 6)
    content = GameContent(course.game)
    assert sorted(content.faults) == [
        "random failed (crash), so a stand-in plays on for it",
        "random-2 failed (crash), so a stand-in plays on for it",
    ]
    assert "no idea" not in msgspec.json.encode(vars(content)).decode()


def test_offers_no_actions_while_a_bot_thinks() -> None:
    """The server was killed then: the action is stored, but not the bots' answers."""
    (_, course), *_ = contents("bribery/3", 1)
    game = msgspec.structs.replace(course.game, actions=course.game.actions[:1])
    if state_of(game).seat_to_act == game.seat:
        game = msgspec.structs.replace(game, seat=(game.seat + 1) % 3)
    content = GameContent(game)
    assert (content.is_asked, content.is_over, content.choices) == (False, False, [])
    assert content.table.next is None


# -- what the seat to act may do -----------------------------------------------------------------


GAMES = ("bribery", "brides-and-bribes", "pot-de-vin")


def task_in(state: State) -> Task:
    seat = state.seat_to_act
    names = [f"bot {number}" for number in range(state.variant.seats)]
    words = Words(state.variant.game, names, seat)
    return task_of(state.view(seat), state.legal_actions(), words)


@pytest.mark.parametrize("variant_id", [one for one in variants() if one.split("/")[0] in GAMES])
def test_each_decision_refers_to_the_rules(variant_id: str) -> None:
    rules = rules_of(get_variant(variant_id).game)
    assert rules is not None
    for state in positions(variant_id, 7):
        task = task_in(state)
        assert task.text.endswith(".")
        assert "{" not in task.text + task.why
        assert f'id="{task.place}"' in rules.html


def test_each_window_of_brides_and_bribes_has_a_task() -> None:
    """The windows are those of the table in section 5 of the rules."""
    rules = rules_of("brides-and-bribes")
    assert rules is not None
    table = rules.html.partition('id="s5"')[2].partition('id="s6"')[0]
    rows = [row.partition("</td>")[0] for row in table.split("<tr>")[2:]]
    windows = {window for row in rows for window in re.findall("<code>([a-z-]+)</code>", row)}
    assert len(windows) == 19
    words = Words("brides-and-bribes", ["ann", "bob", "cy"], 0)
    pending = SimpleNamespace(seat=2, tile="thief-1")
    resolution = SimpleNamespace(
        borough="market", active_seat=1, declared="marry first", pending=pending
    )
    for window in windows:
        view = SimpleNamespace(window=window, actions_left=1, resolution=resolution)
        assert "{" not in task_of(view, ["decline"], words).why
    view = SimpleNamespace(window="react", actions_left=None, resolution=resolution)
    assert task_of(view, [], words).why == "bob wants to marry the first bride in the market."


def test_each_phase_of_bribery_has_a_task() -> None:
    games = [("bribery/2-advanced", 29), *[("bribery/4-advanced", seed) for seed in range(4)]]
    sections = {task_in(state).section for game in games for state in positions(*game)}
    assert sections == {"5", "5.2", "5.3", "8.1", "8.3", "8.4"}


def test_explains_following_and_winning_in_pot_de_vin() -> None:
    followed = free = 0
    for state in positions("pot-de-vin/4", 3):
        task, legal = task_in(state), state.legal_actions()
        view = state.view(state.seat_to_act)
        cards = {one.split()[1].split("-")[0] for one in legal if one.startswith("play")}
        if not view.trick:  # type: ignore[attr-defined]
            assert task.text == "You lead: play any card."
            continue
        led = view.led  # type: ignore[attr-defined]
        assert ("pass with a gem" in task.text) == ("pass" in legal)
        if led in cards:
            assert cards == {led}
            assert task.text.startswith(f"Follow {led.capitalize()}")
            followed += 1
        else:
            assert task.text.startswith("Play any card")
            free += 1
        assert "So far" in task.why
    assert followed
    assert free


def test_predicted_winner_of_a_trick_wins_it() -> None:
    """This is the forecast of the last seat to act, if that seat then passes."""
    seen = 0
    for seed in range(5):
        for state in positions("pot-de-vin/3", seed):
            view = state.view(state.seat_to_act)
            last = len(view.trick) == len(view.active) - 1  # type: ignore[attr-defined]
            if last and view.trick and "pass" in state.legal_actions():  # type: ignore[attr-defined]
                told = task_in(state).why
                after = state.clone()
                after.apply("pass")
                past = after.view(None).history[-1]  # type: ignore[attr-defined]
                assert f" of bot {past.winner} would win it" in told
                seen += 1
    assert seen > 10


def test_game_of_plugin_has_plain_task() -> None:
    variant = HighCard()
    state = variant.start(variant.deal(random.Random(1)))
    assert task_in(state) == Task(ANY_TASK)
    assert how_a_turn_goes("high-card") == ()


def test_each_built_in_game_explains_turns() -> None:
    for game in GAMES:
        assert len(how_a_turn_goes(game)) >= 3
