"""Games in a notebook: one seat is the reader's, and bots sit in the others."""

import re
from pathlib import Path
from typing import Any

import pytest

import arena.extras.learn
from arena.base.errors import ArenaError, BotError, SettingsError
from arena.bot import Bot
from arena.extras.learn import Environment, Step
from engine import variants
from engine.errors import IllegalAction
from tests.arena.playing import First

PAGE = Path(__file__).parents[4] / "docs" / "environments.md"


def play_out(env: Environment, seed: int = 1) -> list[Step]:
    """Play a game in which you take the last legal action, and return what you saw."""
    seen = [env.reset(seed)]
    while not seen[-1].is_over:
        seen.append(env.step(seen[-1].legal[-1]))
    return seen


@pytest.mark.parametrize("variant_id", variants())
def test_a_game_of_every_variant_is_played_to_its_end(variant_id: str) -> None:
    *before, last = play_out(arena.extras.learn.make(variant_id))
    assert all(step.legal and step.points is None and step.ranks is None for step in before)
    assert last.legal == []
    assert last.points is not None
    assert last.ranks is not None
    assert len(last.points) == len(last.ranks) == variants()[variant_id].seats
    assert min(last.ranks) == 1


def test_the_same_seed_gives_the_same_game() -> None:
    env = arena.extras.learn.make("pot-de-vin/3", opponents=["planner", "greedy"])
    first, other = play_out(env, 1), play_out(env, 2)
    assert play_out(env, 1) == first != other


def test_you_see_what_a_bot_sees() -> None:
    heard: list[tuple[Any, ...]] = []

    class Last(Bot):
        def events(self, events: list[Any]) -> None:
            self.heard = events

        def act(self, view: Any, legal: list[str]) -> str:
            heard.append((view, legal, self.heard))
            return legal[-1]

    class Idle(First):
        pass

    env = arena.extras.learn.make("bribery/2", opponents=[Last], seat=1)
    env.reset(3)
    while not (env.step(env.state.legal_actions()[0])).is_over:
        pass
    mirrored = arena.extras.learn.make("bribery/2", opponents=[Idle], seat=0)
    seen = play_out(mirrored, 3)
    assert [step[:3] for step in seen[:-1]] == heard


def test_an_illegal_action_leaves_the_game_as_it_was() -> None:
    env = arena.extras.learn.make("pot-de-vin/3")
    step = env.reset(1)
    with pytest.raises(IllegalAction):
        env.step("no action")
    assert env.step(step.legal[0]).view != step.view


def test_a_game_that_is_over_or_not_begun_takes_no_action() -> None:
    env = arena.extras.learn.make("pot-de-vin/3")
    with pytest.raises(ArenaError, match=re.escape("call `reset()`")):
        env.step("pass")
    play_out(env)
    with pytest.raises(ArenaError, match=re.escape("call `reset()`")):
        env.step("pass")


def test_an_opponent_that_breaks_raises_its_own_error() -> None:
    class Breaks(Bot):
        def act(self, view: Any, legal: list[str]) -> str:
            raise KeyError("my mistake")

    env = arena.extras.learn.make("bribery/2", opponents=[Breaks])
    with pytest.raises(KeyError, match="my mistake"):
        play_out(env)
    with pytest.raises(ArenaError, match="no game is under way"):
        env.step("pass")


@pytest.mark.parametrize(
    ("arguments", "error", "named"),
    [
        ({"seat": 3}, SettingsError, "got seat=3, expected 0 to 2"),
        ({"opponents": "planner"}, SettingsError, "expected a list of bots"),
        ({"opponents": []}, SettingsError, "expected a list of bots"),
        ({"opponents": {1: "greedy"}}, SettingsError, "at the seats 1, expected 1, 2"),
        ({"opponents": ["plonner"]}, BotError, "unknown bot 'plonner'"),
        ({"opponents": ["fixer"]}, SettingsError, "fixer does not play pot-de-vin, only bribery"),
    ],
)
def test_what_cannot_be_made_is_refused(
    arguments: dict[str, Any], error: type[Exception], named: str
) -> None:
    with pytest.raises(error, match=re.escape(named)):
        arena.extras.learn.make("pot-de-vin/3", **arguments)


def test_the_examples_of_the_page_run() -> None:
    examples = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert examples
    names: dict[str, Any] = {}
    for example in examples:
        exec(example, names)
