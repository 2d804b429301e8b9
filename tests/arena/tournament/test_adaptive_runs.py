"""Runs whose schedule adapts to results: workers, stops, changes of the field, verification."""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.base.contracts import Batch, Played
from arena.base.errors import RunStopped, SettingsError, StoreError
from arena.rating.certificate import StopRule
from arena.tournament.games import count_games, with_dropped
from arena.tournament.settings import Settings, check_settings
from arena.tournament.store import Row, Store
from arena.tournament.verification import verify
from tests.arena.runs import FaultyCrew, made_up, made_up_settings
from tests.arena.tournament.certain_runs import StoppedCrew, crashes, play, result_of
from tests.arena.tournament.forgeries import copy_of, difference, notices_of, records_of

THREE, TEAMS = "pot-de-vin/3", "pot-de-vin/4-teams"
SETTINGS = replace(made_up_settings(8, THREE, TEAMS, rounds=24, seed=7), schedule="swiss")
GAMES = 24 // 3 * 2 * 3 + 24 // 4 * 2 * 4


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was never stopped."""
    folder = tmp_path_factory.mktemp("swiss") / "whole"
    play(folder, SETTINGS)
    return folder


def settings_in(folder: Path) -> Settings:
    with Store.open(folder) as store:
        return store.settings()


def groups_in(settings: Settings) -> list[tuple[tuple[str, ...], ...]]:
    return [pairing.groups for pairing in settings.paired or ()]


@pytest.mark.parametrize(("width", "stops"), [(1, (1, 50)), (3, (20, 33))])
def test_adaptive_run_ignores_workers_and_interruptions(
    whole: Path, tmp_path: Path, width: int, stops: tuple[int, ...]
) -> None:
    for games in stops:
        with pytest.raises(RunStopped):
            play(tmp_path / "run", SETTINGS, StoppedCrew(games, width))
    play(tmp_path / "run", SETTINGS, FaultyCrew(crashes, width))
    assert result_of(tmp_path / "run") == result_of(whole)


class EagerCrew(FaultyCrew):
    """A crew whose bots crash at random, and that takes a batch before the last one is stored."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        super().__init__(lambda name, game: rng.random() < 0.4)

    def play_batches(self, take: Callable[[], Batch | None]) -> Iterator[list[Played]]:
        self.take, self.taken = take, list[Batch | None]()
        yield from super().play_batches(lambda: self.taken.pop() if self.taken else take())

    def hand_out(self) -> None:
        self.taken.append(self.take())


def test_stores_pairing_after_its_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store_rows = Store.add_rows

    def fail_after_four_pairings(store: Store, rows: Sequence[Row]) -> None:
        if len(store.settings().paired or ()) == 4:
            raise StoreError("killed")
        store_rows(store, rows)

    settings = replace(SETTINGS, variants=(THREE,), withdrawal=False)
    monkeypatch.setattr(Store, "add_rows", fail_after_four_pairings)
    with pytest.raises(StoreError, match="killed"):
        play(tmp_path / "run", settings, EagerCrew(seed=1))
    monkeypatch.undo()
    play(tmp_path / "run", settings_in(tmp_path / "run"), EagerCrew(seed=2))
    assert notices_of(tmp_path / "run") == []


def stopped(folder: Path) -> Settings:
    """Stop a run half way, and return its settings."""
    with pytest.raises(RunStopped):
        play(folder, SETTINGS, StoppedCrew(GAMES // 2))
    return settings_in(folder)


def test_games_count_after_a_bot_leaves(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    before = stopped(folder)
    paired = len(before.paired or ())
    now = with_dropped(before, ["e1"], before.chance())
    play(folder, now)
    after = settings_in(folder)
    assert groups_in(after)[:paired] == groups_in(before)
    entrants = [set(record.entrants) for record in records_of(folder)]
    assert all("e1" not in names for names in entrants)
    assert len(entrants) == count_games(after) < GAMES
    (notice,) = notices_of(folder)
    assert notice == (
        f"{paired} pairings were not checked, because they were made before bots joined, left or "
        "changed"
    )


def test_joining_bot_is_in_the_next_pairings(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    before = stopped(folder)
    bigger = replace(SETTINGS, entrants=(*SETTINGS.entrants, made_up(9)[-1])).joining(before)
    play(folder, bigger)
    assert {name for record in records_of(folder) for name in record.entrants} >= {"e9"}
    assert len(notices_of(folder)) == 1


def test_returning_bot_keeps_last_pairings_verified(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    play(folder, replace(SETTINGS, rounds=12))
    early = settings_in(folder)
    without = replace(with_dropped(early, ["e1"], early.chance()), rounds=18)
    play(folder, without)
    later = settings_in(folder)
    play(folder, replace(SETTINGS, rounds=18).joining(later))
    assert notices_of(folder)[0].startswith(f"{len(later.paired or ())} pairings were not checked")
    play(folder, SETTINGS.joining(later))
    assert notices_of(folder)[0].startswith(f"{len(later.paired or ())} pairings were not checked")


@pytest.mark.parametrize("field", [None, "0" * 64, ""])
def test_finds_forged_pairing(whole: Path, tmp_path: Path, field: str | None) -> None:
    """Even if the pairing claims that other bots played."""
    folder = copy_of(whole, tmp_path)
    settings = settings_in(folder)
    last = (settings.paired or ())[-1]
    group = last.groups[0]
    forged = replace(last, groups=((*group[1:], group[0]), *last.groups[1:]))
    if field is not None:
        forged = replace(forged, field=field)
    with Store.own(folder) as store:
        store.note_settings(replace(settings, paired=(*(settings.paired or ())[:-1], forged)))
    assert f"pairing of {last.variant} in round {last.round}" in difference(folder)


def test_rejects_damaged_pairing(whole: Path, tmp_path: Path) -> None:
    folder = copy_of(whole, tmp_path)
    settings = settings_in(folder)
    damaged = replace((settings.paired or ())[0], groups=(("e1", "e1", "e2"),))
    with Store.own(folder) as store:
        store.note_settings(replace(settings, paired=(damaged,)))
        with pytest.raises(Exception, match="is damaged"):
            verify(store)


def test_rejects_until_with_adaptive_schedule() -> None:
    with pytest.raises(SettingsError, match="`until` cannot end a run with the schedule 'swiss'"):
        check_settings(replace(SETTINGS, stop_rule=StopRule()))
