"""The backlog of a run: batches of missing games, and withdrawals between portions."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from arena.base.contracts import Batch, Played
from arena.base.protocol import FaultKind, SeatFault
from arena.base.record import NO_OBSERVATIONS, Game, write_record
from arena.tournament.backlog import Backlog
from arena.tournament.portions import PlannedBoards
from arena.tournament.settings import Settings
from arena.tournament.store import Store
from tests.arena.runs import hand_made, in_portions, made_up_settings, schedule_of

VARIANT = "pot-de-vin/3"
SETTINGS = in_portions(made_up_settings(3, VARIANT, rounds=15), 1)  # five boards of three games
REASON = "it had faults in 3 games in a row"
SCHEDULE = [game.key for game in schedule_of(SETTINGS)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The store of a run whose portions have one board, then two boards."""
    with Store.create(tmp_path / "run", SETTINGS) as created:
        yield created


def end(game: Game, faulty: str = "", kind: FaultKind = "crash") -> Played:
    """Return a game that has ended, with a fault of the entrant `faulty`."""
    record = msgspec.structs.replace(
        hand_made((1, 2, 3), entrants=game.entrants), key=game.key, entrants=game.entrants
    )
    if faulty:
        fault = SeatFault(
            game.entrants.index(faulty), 0, kind, REASON if kind == "withdrawn" else ""
        )
        record = msgspec.structs.replace(record, faults=(fault,))
    return Played(game.key, msgspec.Raw(write_record(record)))


def batches_of_portion(batches: Iterator[Batch | None]) -> list[Batch]:
    """Return the batches up to the next pause."""
    found: list[Batch] = []
    while (batch := next(batches, None)) is not None:
        found.append(batch)
    return found


def keys(batches: list[Batch]) -> list[str]:
    """Return the keys of the games of some batches."""
    return [game.key for batch in batches for game in batch.games]


def finish(backlog: Backlog, batches: list[Batch]) -> None:
    """End all games of some batches."""
    for game in [game for batch in batches for game in batch.games]:
        backlog.finish(end(game))


@pytest.mark.parametrize(("workers", "sizes"), [(1, [2]), (2, [1, 1]), (3, [1, 1]), (99, [1, 1])])
def test_a_portion_gives_a_batch_to_each_worker_in_one_rotation(
    store: Store, workers: int, sizes: list[int]
) -> None:
    backlog = Backlog(store, SETTINGS)
    batches = backlog.batches(workers)
    first = play_portion(backlog, batches, 3)
    assert sorted(keys(first)) == sorted(SCHEDULE[:3])
    second = [next(batches) for _ in sizes]
    assert [len(batch.games) for batch in second if batch] == sizes
    assert all(len({game.rotation for game in batch.games}) == 1 for batch in second if batch)


def play_portion(backlog: Backlog, batches: Iterator[Batch | None], games: int) -> list[Batch]:
    """Play batches one after the other until `games` are over, and return them."""
    found: list[Batch] = []
    while len(keys(found)) < games:
        batch = next(batches)
        assert batch
        finish(backlog, [batch])
        found.append(batch)
    return found


def test_rotations_of_a_board_are_never_under_way_at_the_same_time(store: Store) -> None:
    backlog = Backlog(store, SETTINGS)
    batches = backlog.batches(2)
    (first,) = batches_of_portion(batches)
    finish(backlog, [first])
    (second,) = batches_of_portion(batches)
    assert {game.board for batch in (first, second) for game in batch.games} == {1}
    assert {game.rotation for batch in (first, second) for game in batch.games} == {0, 1}


def test_other_boards_are_played_while_a_rotation_waits(store: Store) -> None:
    backlog = Backlog(store, SETTINGS)
    batches = backlog.batches(2)
    play_portion(backlog, batches, 3)
    under_way = batches_of_portion(batches)
    assert [{game.board for game in batch.games} for batch in under_way] == [{2}, {3}]
    finish(backlog, under_way[:1])
    (more,) = batches_of_portion(batches)
    assert {game.board for game in more.games} == {2}


def test_a_finished_game_has_its_position_in_the_schedule(store: Store) -> None:
    backlog = Backlog(store, SETTINGS)
    for batch in backlog.batches(1):
        assert batch
        for game in batch.games:
            assert backlog.finish(end(game)).position == SCHEDULE.index(game.key)


@pytest.mark.parametrize("ahead", [1, 2, 99])
def test_boards_that_are_planned_ahead_are_the_same(store: Store, ahead: int) -> None:
    backlog = Backlog(store, SETTINGS)
    backlog.plan_ahead(ahead)
    positions = []
    for batch in backlog.batches(1):
        assert batch
        for game in batch.games:
            positions.append(backlog.finish(end(game)).position)
            assert SCHEDULE[positions[-1]] == game.key
            backlog.plan_ahead(ahead)
    assert sorted(positions) == [*range(len(SCHEDULE))]


def test_no_more_boards_are_planned_ahead_than_the_largest_portion_has() -> None:
    asked = 0

    def boards() -> Iterator[tuple[Game, ...]]:
        nonlocal asked
        for _ in range(100):
            asked += 1
            yield ()

    planned = PlannedBoards(boards(), most=5)
    planned.plan(3)
    assert asked == 3
    planned.plan(99)
    assert asked == 5
    next(planned)
    assert asked == 5
    assert len([*planned]) == 99


def test_stored_games_are_not_missing_but_count(store: Store) -> None:
    games = schedule_of(SETTINGS)
    store.add(
        [
            (game.key, position, bytes(end(game, "e2", kind).record), NO_OBSERVATIONS)
            for position, game in enumerate(games[:8])
            for kind in ["crash" if position < 3 else "withdrawn"]
        ]
    )
    (batch, *_) = batches_of_portion(Backlog(store, SETTINGS).batches(1))
    assert keys([batch]) == [SCHEDULE[8]]
    assert batch.withdrawn == {"e2": REASON}


def test_a_game_with_other_withdrawn_bots_is_set_aside_and_played_again(store: Store) -> None:
    """As in a run that has grown."""
    games = schedule_of(SETTINGS)
    store.add(
        [
            (game.key, position, bytes(end(game, "e2").record), NO_OBSERVATIONS)
            for position, game in enumerate(games[:8])
        ]
    )
    told: list[int] = []
    backlog = Backlog(store, SETTINGS, told.append)
    given = play_portion(backlog, backlog.batches(1), len(SCHEDULE) - 3)
    assert sorted(keys(given)) == sorted(SCHEDULE[3:])
    assert all(batch.withdrawn == {"e2": REASON} for batch in given)
    assert told == [-5]
    assert (store.count(), store.count_aside()) == (3, 5)


def withdrawn_by_board(settings: Settings, store: Store) -> dict[int, list[str]]:
    """Play a run in which `e2` crashes in every game, and return the withdrawn bots by board."""
    backlog = Backlog(store, settings)
    found = {}
    for batch in backlog.batches(1):
        assert batch
        for game in batch.games:
            found[game.board] = sorted(batch.withdrawn)
            backlog.finish(end(game, "e2"))
    return found


def test_a_bot_is_withdrawn_from_the_second_portion_on(store: Store) -> None:
    assert withdrawn_by_board(SETTINGS, store) == {
        1: [], 2: ["e2"], 3: ["e2"], 4: ["e2"], 5: ["e2"]
    }  # fmt: skip


def test_no_bot_is_withdrawn_without_withdrawal(store: Store) -> None:
    settings = msgspec.structs.replace(SETTINGS, withdrawal=False)
    assert set(map(tuple, withdrawn_by_board(settings, store).values())) == {()}


def test_the_second_portion_waits_for_the_first_and_the_third_does_not_wait(store: Store) -> None:
    backlog = Backlog(store, SETTINGS)
    batches = backlog.batches(2)
    play_portion(backlog, batches, 2)
    (last,) = batches_of_portion(batches)
    assert last.games[0].board == 1
    finish(backlog, [last])
    quick, slow = batches_of_portion(batches)
    assert [game.board for batch in (quick, slow) for game in batch.games] == [2, 3]
    begun = [quick]
    for _ in range(3):
        finish(backlog, begun)
        begun = batches_of_portion(batches)
    assert [game.board for batch in begun for game in batch.games] == [4]


def test_a_batch_has_the_entrants_of_its_games_and_the_settings_of_the_run(store: Store) -> None:
    settings = in_portions(made_up_settings(5, VARIANT, rounds=3), 1)
    backlog = Backlog(store, settings)
    for batch in backlog.batches(1):
        assert batch
        finish(backlog, [batch])
        names = {name for game in batch.games for name in game.entrants}
        assert {entrant.name for entrant in batch.entrants} == names
        assert (batch.limits, batch.sandbox) == (settings.limits, settings.sandbox)
