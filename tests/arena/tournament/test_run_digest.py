"""The digest of a run depends on all that was played, and on nothing else."""

from pathlib import Path

import pytest

from arena.base.errors import RunStopped, StoreError
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.store import Store
from arena.tournament.verification import verify_run
from tests.arena.command import arena
from tests.arena.runs import FaultyCrewWithEvidence, ignore, silent
from tests.arena.tournament.forgeries import (
    SETTINGS,
    copy_of,
    crashes,
    digest_in,
    play,
    replace,
    sql,
)


def test_the_same_games_have_the_same_digest_in_any_batches_and_after_any_stop(
    seed_run: Path, tmp_path: Path
) -> None:
    for width in (1, 2, 3):
        for stops in (0, 2):
            folder = tmp_path / f"{width}-{stops}"
            for rest in range(stops, -1, -1):
                with open_or_create(folder, SETTINGS, silent) as store:
                    crew = FaultyCrewWithEvidence(crashes, width)
                    if rest:
                        with pytest.raises(RunStopped):
                            play_missing(store, SETTINGS, crew, interrupt)
                    else:
                        play_missing(store, SETTINGS, crew, ignore)
                        finish(store)
            assert digest_in(folder) == digest_in(seed_run)


def interrupt(_: int) -> None:
    """Stop a run as Ctrl-C does."""
    raise KeyboardInterrupt


def test_a_run_that_has_grown_has_the_digest_of_a_fresh_one(seed_run: Path, tmp_path: Path) -> None:
    small = replace(SETTINGS, rounds=9)
    folder = play(tmp_path / "grown", small)
    assert digest_in(folder) != digest_in(seed_run)
    with open_or_create(folder, SETTINGS, silent) as store:
        assert store.noted_digest() is None  # that of the small run no longer holds
    play(folder, replace(SETTINGS, entrants=SETTINGS.entrants[::-1]))
    assert digest_in(folder) == digest_in(seed_run)
    assert arena("verify", folder).exit_code == 0


def test_each_part_of_a_run_changes_its_digest(seed_run: Path, tmp_path: Path) -> None:
    """Also those that change no record."""
    changes: list[dict[str, object]] = [
        {"seed": 8, "secret": None}, {"rounds": 27}, {"withdrawal": False},
        {"entrants": (*SETTINGS.entrants[:3], replace(SETTINGS.entrants[3], author="x"))},
        {"limits": replace(SETTINGS.limits, start_ms=1)},
    ]  # fmt: skip
    digests = {digest_in(seed_run)}
    for number, change in enumerate(changes):
        digests.add(digest_in(play(tmp_path / str(number), replace(SETTINGS, **change))))
    assert len(digests) == 1 + len(changes)


def test_a_broken_digest_is_refused(run: Path, tmp_path: Path) -> None:
    folder = copy_of(run, tmp_path)
    sql("UPDATE run SET digest = x'7b'")(folder)
    with Store.open(folder) as store, pytest.raises(StoreError, match="digest"):
        verify_run(store)
