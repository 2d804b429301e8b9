"""Tests of the catalogue, which says what has been published."""

from pathlib import Path

import msgspec
import pytest

from arena.base.errors import StoreError
from arena.publish.data_files import (
    MAX_KEPT,
    Catalogue,
    SiteState,
    kept_replays,
    read_catalogue,
)
from arena.publish.layout import CATALOGUE
from arena.publish.pages import PublishedGame

STATE = SiteState(9, 12, False, False, "2026-01-01T00:00:00Z")


def replay(number: int, published: str = "2026-01-01T00:00:00Z") -> PublishedGame:
    """Return the entry of a game."""
    name = f"{number:016x}"
    title = f"pot-de-vin/3 board {number} rotation 0"
    results = (("ann", "<b>", "cy"), (1, 2, 3), (3, 2, 1))
    page = f"games/{name}.html"
    return PublishedGame(
        *(
            name,
            title,
            "pot-de-vin/3",
            page,
            *results,
            (),
            ("published before",),
            published,
            "cy beats ann",
        )
    )


def catalogue(*replays: PublishedGame, run: str = "spring") -> Catalogue:
    return Catalogue(run, "ann leads.", STATE, "digest", replays)


def test_the_replays_that_were_published_first_are_kept() -> None:
    late = [replay(number, "2026-02-02T00:00:00Z") for number in range(5)]
    early = [replay(number) for number in range(5, MAX_KEPT + 3)]
    kept = kept_replays(catalogue(*late, *early))
    assert len(kept) == MAX_KEPT
    assert {one.id for one in early} <= kept
    assert kept_replays(None) == frozenset()


@pytest.mark.parametrize("data", [b"", b"[]", b'{"version": 2}', b"[" * 100_000])
def test_a_catalogue_that_cannot_be_read_is_refused(tmp_path: Path, data: bytes) -> None:
    assert read_catalogue(tmp_path) is None
    (tmp_path / CATALOGUE).write_bytes(data)
    with pytest.raises(StoreError, match=r"cannot read .*index\.json, which lists the replays"):
        read_catalogue(tmp_path)
    told = msgspec.to_builtins(catalogue(replay(1)))
    (tmp_path / CATALOGUE).write_bytes(msgspec.json.encode(told))
    assert read_catalogue(tmp_path) == catalogue(replay(1))
    (tmp_path / CATALOGUE).write_bytes(msgspec.json.encode(told | {"version": 2}))
    with pytest.raises(StoreError, match="written by another version"):
        read_catalogue(tmp_path)
