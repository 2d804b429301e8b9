"""Games of people against bots in the database."""

import msgspec
import pytest

from arena.errors import ServeError
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.play.browser_game import BrowserGame
from arena.extras.serve.play.game_store import MAX_FINISHED, MAX_UNFINISHED, GameStore, Result
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.extras.serve.play.test_browser_game import game_of
from tests.arena.extras.serve.visiting import Clock


@pytest.fixture
def store(site: ContestSite) -> GameStore:
    return site.games


def after(game: BrowserGame, *actions: str) -> BrowserGame:
    return msgspec.structs.replace(game, actions=(*game.actions, *actions))


def test_a_game_comes_back_as_it_was_stored(
    store: GameStore, ann: ContestPerson, clock: Clock
) -> None:
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


def test_of_two_pages_only_the_quicker_one_plays(store: GameStore, ann: ContestPerson) -> None:
    game = game_of("pot-de-vin/3")
    game_id = store.begin(ann.id, game)
    assert store.extend(game_id, game, after(game, "of the one"))
    assert not store.extend(game_id, game, after(game, "of the other"))
    stored = store.get(game_id)
    assert stored is not None
    assert stored.game.actions == ("of the one",)


def test_a_finished_game_does_not_go_on(store: GameStore, ann: ContestPerson) -> None:
    game = game_of("pot-de-vin/3")
    game_id = store.begin(ann.id, game)
    assert store.extend(game_id, game, game, Result(7, 2))
    assert not store.extend(game_id, game, after(game, "late"))
    stored = store.get(game_id)
    assert stored is not None
    assert stored.result == Result(7, 2)


def test_a_person_has_few_games_under_way_and_others_are_not_in_the_way(
    store: GameStore, ann: ContestPerson, bob: ContestPerson
) -> None:
    game = game_of("pot-de-vin/3")
    begun = [store.begin(ann.id, game) for _ in range(MAX_UNFINISHED)]
    with pytest.raises(ServeError, match=f"you have {MAX_UNFINISHED} games under way"):
        store.begin(ann.id, game)
    store.begin(bob.id, game)
    store.extend(begun[0], game, game, Result(1, 1))
    store.begin(ann.id, game)
    store.leave(begun[1])
    store.begin(ann.id, game)
    assert store.get(begun[1]) is None
    assert len(store.of_person(bob.id)) == 1


def test_the_newest_finished_games_are_kept(
    store: GameStore, ann: ContestPerson, bob: ContestPerson, clock: Clock
) -> None:
    game = game_of("pot-de-vin/3")
    of_bob = store.begin(bob.id, game)
    store.extend(of_bob, game, game, Result(1, 1))
    for _ in range(MAX_FINISHED + 2):
        clock.now += 1
        store.extend(store.begin(ann.id, game), game, game, Result(1, 1))
    under_way = store.begin(ann.id, game)
    games = store.of_person(ann.id)
    assert games[0].id == under_way
    assert len(games) == 1 + MAX_FINISHED
    assert games[-1].played == clock.now - MAX_FINISHED + 1
    assert store.get(of_bob) is not None
