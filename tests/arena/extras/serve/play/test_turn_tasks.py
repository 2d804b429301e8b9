"""What the seat to act may do, and why, in random games of each variant."""

import random
import re
from types import SimpleNamespace

import pytest

from arena.extras.serve.play.turn_tasks import ANY_TASK, Task, how_a_turn_goes, task_of
from arena.narration.words import Words
from arena.publish.rules_page import rules_of
from engine import State, get_variant, variants
from tests.arena.narration.test_turns import positions
from tests.engine.high_card import HighCard

GAMES = ("bribery", "brides-and-bribes", "pot-de-vin")


def task_in(state: State) -> Task:
    seat = state.seat_to_act
    names = [f"bot {number}" for number in range(state.variant.seats)]
    words = Words(state.variant.game, names, seat)
    return task_of(state.view(seat), state.legal_actions(), words)


@pytest.mark.parametrize("variant_id", [one for one in variants() if one.split("/")[0] in GAMES])
def test_each_decision_of_a_game_is_explained_with_a_section_of_its_rules(variant_id: str) -> None:
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


def test_a_seat_of_pot_de_vin_is_told_whom_it_has_to_follow_and_who_would_win() -> None:
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


def test_the_card_that_would_win_a_trick_is_the_one_that_wins_it() -> None:
    """The forecast of the last seat to act, if that seat passes then."""
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


def test_a_game_of_a_plugin_has_the_plain_task() -> None:
    variant = HighCard()
    state = variant.start(variant.deal(random.Random(1)))
    assert task_in(state) == Task(ANY_TASK)
    assert how_a_turn_goes("high-card") == ()


def test_each_built_in_game_says_how_a_turn_goes() -> None:
    for game in GAMES:
        assert len(how_a_turn_goes(game)) >= 3
