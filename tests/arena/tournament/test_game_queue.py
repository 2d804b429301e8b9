"""The queue of a run: batches of missing games, and withdrawals between blocks."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from arena.base.contracts import Batch, Played
from arena.base.protocol import FaultKind, SeatFault
from arena.base.record import NO_OBSERVATIONS, Game, write_record
from arena.tournament.game_queue import MAX_BATCH_S, GameQueue
from arena.tournament.settings import Settings
from arena.tournament.store import Store
from tests.arena.runs import (
    hand_made,
    in_blocks,
    made_up_settings,
    schedule_of,
    versions_settings,
)

VARIANT = "pot-de-vin/3"
SETTINGS = in_blocks(made_up_settings(3, VARIANT, rounds=15), 1, 1)  # five boards of three games
REASON = "it had faults in 3 games in a row"
SCHEDULE = [game.key for game in schedule_of(SETTINGS)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The store of a run whose blocks have one board each."""
    with Store.create(tmp_path / "run", SETTINGS) as created:
        yield created


def end(game: Game, faulty: str = "", kind: FaultKind = "crash") -> Played:
    """Return a game that has ended, with a fault of the entrant `faulty`."""
    record = replace(
        hand_made((1, 2, 3), entrants=game.entrants), key=game.key, entrants=game.entrants
    )
    if faulty:
        fault = SeatFault(
            game.entrants.index(faulty), 0, kind, REASON if kind == "withdrawn" else ""
        )
        record = replace(record, faults=(fault,))
    return Played(game.key, msgspec.Raw(write_record(record)))


def keys(batches: list[Batch]) -> list[str]:
    """Return the keys of the games of some batches."""
    return [game.key for batch in batches for game in batch.games]


def finish(queue: GameQueue, batches: list[Batch]) -> None:
    """End all games of some batches."""
    for game in [game for batch in batches for game in batch.games]:
        queue.finish(end(game))


def play_games(queue: GameQueue, games: int) -> list[Batch]:
    """Play batches one after the other until `games` are over, and return them."""
    found: list[Batch] = []
    while len(keys(found)) < games:
        batch = queue.take()
        assert batch
        finish(queue, [batch])
        found.append(batch)
    return found


def begun(queue: GameQueue) -> list[Batch]:
    """Begin all batches that may begin now, and return them."""
    return [*iter(queue.take, None)]


def boards(batch: Batch) -> list[int]:
    """Return the boards of the games of a batch."""
    return [game.board for game in batch.games]


# -- batches -----------------------------------------------------------------------------------

RUNS = {
    "three bots": made_up_settings(3, VARIANT, rounds=60),
    "small blocks": in_blocks(made_up_settings(5, VARIANT, rounds=30), 2),
    "two variants": made_up_settings(6, VARIANT, "bribery/4-teams", rounds=24),
    "boards that share deals": in_blocks(versions_settings(9), 3, 3),
}


class Machine:
    """A made-up machine: it notes what its workers and their kept processes would meet."""

    def __init__(self, settings: Settings, queue: GameQueue, workers: int) -> None:
        self.settings, self.queue, self.workers = settings, queue, workers
        self.under_way: list[Batch] = []
        self.left = Counter(map(deal_of, schedule_of(settings)))
        """By deal, the games of it that are not over."""
        self.met: dict[object, set[object]] = defaultdict(set)
        """By worker and rotation, the deals that its kept processes have met."""
        self.ended: list[str] = []

    def begin(self) -> None:
        for batch in begun(self.queue):
            deals = [*map(deal_of, batch.games)]
            others = [deal_of(game) for other in self.under_way for game in other.games]
            assert len({game.rotation for game in batch.games}) == 1
            assert len({*deals}) == len(deals)
            assert not {*deals} & {*others}, "a deal is under way twice"
            if batch.rotation is not None:
                met = self.met[batch.worker, batch.rotation]
                assert not met & {*deals}, "a process meets a deal again"
                assert not any(self.left[deal] for deal in met), "a board that it met is not over"
                met.update(deals)
            self.under_way.append(batch)
            assert len(self.under_way) <= self.workers

    def end(self, batch: Batch) -> None:
        self.under_way.remove(batch)
        self.ended += [game.key for game in batch.games]
        self.left -= Counter(map(deal_of, batch.games))
        finish(self.queue, [batch])


def deal_of(game: Game) -> tuple[str, bytes]:
    """Return what identifies the deal of a game."""
    return game.variant, bytes(game.deal)


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("run", RUNS)
def test_process_never_plays_a_deal_twice(run: str, workers: int, tmp_path: Path) -> None:
    settings, dice = RUNS[run], random.Random(workers)
    with Store.create(tmp_path / "run", settings) as created:
        queue = GameQueue(created, settings, workers)
        queue.clock = map(float, count()).__next__
        queue.comparison = None  # the games below are made up, and have no verdict
        machine = Machine(settings, queue, workers)
        machine.begin()
        while machine.under_way:
            machine.end(dice.choice(machine.under_way))
            machine.begin()
    assert sorted(machine.ended) == sorted([game.key for game in schedule_of(settings)])


def sizes_of(settings: Settings, folder: Path, game_s: float, at_once: int = 1) -> list[int]:
    """Return the number of games of each batch of a worker whose games take `game_s`."""
    now, found = 0.0, []
    with Store.create(folder, settings) as created:
        queue = GameQueue(created, settings, 1, at_once)
        queue.clock = lambda: now
        while batch := queue.take():
            now += game_s * len(batch.games)
            finish(queue, [batch])
            found.append(len(batch.games))
    return found


LONG = in_blocks(made_up_settings(3, VARIANT, rounds=96), 16, 16)  # 16 boards twice
WAITS = replace(LONG, entrants=tuple([replace(bot, waits=True) for bot in LONG.entrants]))


@pytest.mark.parametrize(
    ("settings", "game_s", "at_once", "boards"),
    [
        (LONG, 2 * MAX_BATCH_S, 1, [1] * 32),
        (LONG, MAX_BATCH_S / 2, 1, [1, *[2] * 7, 1, *[2] * 8]),
        (LONG, MAX_BATCH_S / 99, 1, [1, 2, 4, 8, 1, 16]),
        (LONG, 2 * MAX_BATCH_S, 8, [1] * 32),
        (WAITS, 2 * MAX_BATCH_S, 8, [8] * 4),
        (WAITS, MAX_BATCH_S / 99, 8, [8, 8, 16]),
    ],
)
def test_expensive_boards_finish_one_by_one(
    settings: Settings, game_s: float, at_once: int, boards: list[int], tmp_path: Path
) -> None:
    """All rotations of some boards are played, then more boards at a time while that is quick."""
    expected = [size for size in boards for _ in range(3)]
    assert sizes_of(settings, tmp_path / "run", game_s, at_once) == expected


def test_finished_game_has_schedule_position(store: Store) -> None:
    queue = GameQueue(store, SETTINGS)
    for batch in iter(queue.take, None):
        for game in batch.games:
            assert queue.finish(end(game)).position == SCHEDULE.index(game.key)


@pytest.mark.parametrize("ahead", [1, 99])
def test_planning_ahead_keeps_boards(store: Store, ahead: int) -> None:
    queue = GameQueue(store, SETTINGS)
    positions = []
    for batch in iter(queue.take, None):
        for game in batch.games:
            positions.append(queue.finish(end(game)).position)
            assert SCHEDULE[positions[-1]] == game.key
            queue.plan_ahead(ahead)
    assert sorted(positions) == [*range(len(SCHEDULE))]


def test_stored_games_are_not_played_again(store: Store) -> None:
    games = schedule_of(SETTINGS)
    store.add(
        [
            (game.key, position, bytes(end(game, "e2", kind).record), NO_OBSERVATIONS)
            for position, game in enumerate(games[:8])
            for kind in ["crash" if position < 3 else "withdrawn"]
        ]
    )
    batch = GameQueue(store, SETTINGS).take()
    assert batch
    assert keys([batch]) == [SCHEDULE[8]]
    assert batch.withdrawn == {"e2": REASON}


def test_replays_game_with_other_withdrawals(store: Store) -> None:
    """As in a run that has grown."""
    games = schedule_of(SETTINGS)
    store.add(
        [
            (game.key, position, bytes(end(game, "e2").record), NO_OBSERVATIONS)
            for position, game in enumerate(games[:8])
        ]
    )
    changes: list[int] = []
    queue = GameQueue(store, SETTINGS)
    queue.on_recount = changes.append
    given = play_games(queue, len(SCHEDULE) - 3)
    assert sorted(keys(given)) == sorted(SCHEDULE[3:])
    assert all(batch.withdrawn == {"e2": REASON} for batch in given)
    assert sum(changes) == -5
    assert (store.count(), store.count_aside()) == (3, 5)


def withdrawn_by_board(settings: Settings, store: Store) -> dict[int, list[str]]:
    """Play a run in which `e2` crashes in every game, and return the withdrawn bots by board."""
    queue = GameQueue(store, settings)
    found = {}
    for batch in iter(queue.take, None):
        for game in batch.games:
            found[game.board] = sorted(batch.withdrawn)
            queue.finish(end(game, "e2"))
    return found


def test_withdraws_bot_from_the_second_block(store: Store) -> None:
    assert withdrawn_by_board(SETTINGS, store) == {
        1: [], 2: ["e2"], 3: ["e2"], 4: ["e2"], 5: ["e2"]
    }  # fmt: skip


def test_withdrawal_can_be_disabled(store: Store) -> None:
    settings = replace(SETTINGS, withdrawal=False)
    assert set(map(tuple, withdrawn_by_board(settings, store).values())) == {()}


def test_blocks_wait_for_earlier_blocks(store: Store) -> None:
    queue = GameQueue(store, SETTINGS, 2)
    play_games(queue, 2)
    (last,) = begun(queue)
    assert boards(last) == [1]
    finish(queue, [last])
    quick, slow = begun(queue)
    assert [boards(quick), boards(slow)] == [[2], [3]]
    now = [quick]
    for _ in range(3):
        finish(queue, now)
        now = begun(queue)
    assert [*map(boards, now)] == [[4]]


def test_batch_has_entrants_and_settings(store: Store) -> None:
    settings = in_blocks(made_up_settings(5, VARIANT, rounds=3), 1, 1)
    queue = GameQueue(store, settings)
    for batch in iter(queue.take, None):
        finish(queue, [batch])
        names = {name for game in batch.games for name in game.entrants}
        assert {entrant.name for entrant in batch.entrants} == names
        assert (batch.limits, batch.sandbox) == (settings.limits, settings.sandbox)
