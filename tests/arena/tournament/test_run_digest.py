"""The digest of a run depends on all that was played, and on nothing else."""

from pathlib import Path

import pytest

from arena.base.errors import StoreError
from arena.tournament.store import Store
from arena.tournament.verification import verify_run
from tests.arena.tournament.forgeries import SETTINGS, copy_of, digest_in, play, replace, sql


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
