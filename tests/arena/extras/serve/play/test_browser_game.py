"""Tests of a person's games against bots."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from arena.bot import Bot
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.play.browser_game import (
    PERSON,
    BrowserGame,
    BrowserGameRunner,
    Opponent,
    new_game,
    record_of_finished,
    state_of,
)
from arena.extras.serve.play.game_store import MAX_FINISHED, GameStore, Result
from arena.extras.serve.web.contest_site import ContestSite
from arena.match.referee import start_message
from arena.match.seats import Decision
from arena.publish.replays import make_replay
from arena.tournament.agents import ClassAgent
from arena.tournament.in_process import class_of
from engine import IllegalAction, get_variant, variants
from tests.arena.extras.serve.visiting import Clock

BOTS = {"pot-de-vin": "planner", "bribery": "fixer", "brides-and-bribes": "doge"}


def opponent(name: str) -> Opponent:
    return Opponent(name, name, f"code of {name}")


def game_of(variant_id: str, bot: str = "random", seat: int = 1, seed: int = 5) -> BrowserGame:
    return new_game(get_variant(variant_id), seat, opponent(bot), random.Random(seed))


def seat_bots(
    game: BrowserGame, bot: type[Bot] | None = None
) -> dict[int, Callable[[Decision], str]]:
    """Return new bots for all seats except the person's. Default: the chosen bots."""
    variant = get_variant(game.variant)
    return {
        seat: ClassAgent(bot or class_of(name))
        .sit(start_message(variant, seat, game.seeds[seat]))
        .act
        for seat, name in enumerate(game.bots)
        if name
    }


def play_on(runner: BrowserGameRunner, rng: random.Random, decisions: int = 10_000) -> int:
    """Play random actions for the person, and return their number."""
    for number in range(decisions):
        if runner.record is not None:
            return number
        runner.act(rng.choice(runner.state.legal_actions()))
    return decisions


def test_bot_takes_all_other_seats() -> None:
    variant = get_variant("pot-de-vin/3")
    game = new_game(variant, 1, opponent("greedy"), random.Random(5))
    assert game.names == ("greedy-1", PERSON, "greedy-2")
    assert game.bots == ("greedy", "", "greedy")
    assert len({*game.seeds}) == 3
    other = new_game(variant, 1, opponent("timid"), random.Random(5))
    assert (other.deal, other.seeds) == (game.deal, game.seeds)
    assert other.key != game.key


@pytest.mark.parametrize("variant_id", [one for one in variants() if "/" in one])
def test_plays_each_variant_to_the_end(variant_id: str) -> None:
    game = game_of(variant_id)
    runner = BrowserGameRunner(game, seat_bots(game))
    runner.begin()
    assert play_on(runner, random.Random(1)) > 1
    record = runner.record
    assert record is not None
    assert record.actions == runner.game.actions
    assert record.entrants[game.seat] == PERSON
    assert not record.faults
    assert make_replay(record).points == record.points  # the engine accepts it


@pytest.mark.parametrize(("name", "bot"), BOTS.items())
def test_resumed_game_continues_unchanged(name: str, bot: str) -> None:
    """The server is killed after every 7 decisions; new bots then get all requests again."""
    variant_id = f"{name}/3"
    game = game_of(variant_id, bot)
    whole = BrowserGameRunner(game, seat_bots(game))
    whole.begin()
    play_on(whole, random.Random(9))
    assert whole.record is not None
    rng = random.Random(9)
    stored = game
    record = None
    while record is None:
        runner = BrowserGameRunner(stored, seat_bots(stored))
        runner.begin()
        play_on(runner, rng, 7)
        stored, record = runner.game, runner.record
    assert record == whole.record


def test_illegal_action_changes_nothing() -> None:
    game = game_of("bribery/2")
    runner = BrowserGameRunner(game, seat_bots(game))
    runner.begin()
    before = runner.game
    with pytest.raises(IllegalAction, match="nonsense"):
        runner.act("nonsense")
    assert runner.game == before
    assert state_of(before).legal_actions() == runner.state.legal_actions()
    play_on(runner, random.Random(1))
    with pytest.raises(IllegalAction):
        runner.act("nonsense")


class Breaks(Bot):
    """Plays the last legal action, and crashes at its fourth decision."""

    decisions = 0

    def act(self, view: Any, legal: Sequence[str]) -> str:
        self.decisions += 1
        if self.decisions == 4:
            raise ValueError("no idea")
        return legal[-1]


class Cheats(Bot):
    def act(self, view: Any, legal: Sequence[str]) -> str:
        return "cheat"


@pytest.mark.parametrize(("bot", "kind"), [(Breaks, "crash"), (Cheats, "illegal")])
def test_stand_in_replaces_broken_bot(bot: type[Bot], kind: str) -> None:
    game = game_of("pot-de-vin/3", seat=0)
    runner = BrowserGameRunner(game, seat_bots(game, bot))
    runner.begin()
    play_on(runner, random.Random(3))
    record = runner.record
    assert record is not None
    assert {fault.kind for fault in record.faults} == {kind}
    assert {fault.seat for fault in record.faults} == {1, 2}
    assert record.faults == runner.game.faults
    assert record.ranks[0] == 1


def test_broken_bot_stays_replaced_after_restart() -> None:
    game = game_of("pot-de-vin/3", seat=0)
    runner = BrowserGameRunner(game, seat_bots(game, Breaks))
    runner.begin()
    rng = random.Random(3)
    play_on(runner, rng, 6)
    assert len(runner.game.faults) == 2
    again = BrowserGameRunner(runner.game, seat_bots(game))  # with bots that do not break
    again.begin()
    play_on(runner, random.Random(4))
    play_on(again, random.Random(4))
    assert again.record == runner.record


def test_replaces_bot_that_breaks_when_asked_again() -> None:
    game = game_of("pot-de-vin/3", seat=0)
    runner = BrowserGameRunner(game, seat_bots(game))
    runner.begin()
    play_on(runner, random.Random(3), 6)
    assert not runner.game.faults
    again = BrowserGameRunner(runner.game, seat_bots(game, Breaks))
    again.begin()
    assert again.game.actions[: len(runner.game.actions)] == runner.game.actions
    play_on(again, random.Random(3))
    assert again.record is not None
    played = len(runner.game.actions)
    assert [fault.kind for fault in again.record.faults] == ["crash", "crash"]
    assert all(fault.action >= played for fault in again.record.faults)


def test_finished_game_needs_no_bots() -> None:
    game = game_of("bribery/3")
    runner = BrowserGameRunner(game, seat_bots(game))
    runner.begin()
    play_on(runner, random.Random(3))
    assert record_of_finished(runner.game) == runner.record


# -- games in the database -----------------------------------------------------------------------


@pytest.fixture
def store(site: ContestSite) -> GameStore:
    return site.games


def after(game: BrowserGame, *actions: str) -> BrowserGame:
    return msgspec.structs.replace(game, actions=(*game.actions, *actions))


def test_stores_only_the_faster_page(store: GameStore, ann: ContestPerson, clock: Clock) -> None:
    game = game_of("bribery/3-advanced")
    game_id = store.begin(ann.id, game)
    stored = store.get(game_id)
    assert stored is not None
    assert (stored.person, stored.game, stored.is_over) == (ann.id, game, False)
    clock.now += 60
    assert store.extend(game_id, game, after(game, "one", "two"))
    stored = store.get(game_id)
    assert stored is not None
    assert (stored.game.actions, stored.played) == (("one", "two"), clock.now)
    assert store.get("another") is None
    now = stored.game
    assert not store.extend(game_id, game, after(game, "of a slower page"))
    assert store.extend(game_id, now, now, Result(7, 2))
    assert not store.extend(game_id, now, after(now, "late"))
    stored = store.get(game_id)
    assert stored is not None
    assert (stored.game, stored.result) == (now, Result(7, 2))


def test_new_game_replaces_unfinished_and_oldest_games(
    store: GameStore, ann: ContestPerson, bob: ContestPerson, clock: Clock
) -> None:
    game = game_of("pot-de-vin/3")
    of_bob = store.begin(bob.id, game)
    replaced = store.begin(ann.id, game)
    for _ in range(MAX_FINISHED + 2):
        clock.now += 1
        store.extend(store.begin(ann.id, game), game, game, Result(1, 1))
    under_way = store.begin(ann.id, game)
    assert store.get(replaced) is None
    games = store.of_person(ann.id)
    assert games[0].id == under_way
    assert len(games) == 1 + MAX_FINISHED
    assert games[-1].played == clock.now - MAX_FINISHED + 1
    assert store.get(of_bob) is not None
