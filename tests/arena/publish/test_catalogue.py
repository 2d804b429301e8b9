"""Tests of the catalogue, which says what has been published, and of the feed made from it."""

from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from msgspec.structs import replace

from arena.base.errors import StoreError
from arena.publish.data_files import (
    MAX_ENTRIES,
    MAX_KEPT,
    Catalogue,
    SiteState,
    feed_of,
    kept_replays,
    newest,
    read_catalogue,
    same_or_new,
)
from arena.publish.layout import CATALOGUE
from arena.publish.pages import PublishedGame
from arena.publish.render import Banner, Renderer

STATE = SiteState(9, 12, False, False, "2026-01-01T00:00:00Z")
ATOM = "{http://www.w3.org/2005/Atom}"


def replay(number: int, published: str = "2026-01-01T00:00:00Z") -> PublishedGame:
    """Return the entry of a game."""
    name = f"{number:016x}"
    title = f"pot-de-vin/3 board {number} rotation 0"
    results = (("ann", "<b>", "cy"), (1, 2, 3), (3, 2, 1))
    page = f"games/{name}.html"
    return PublishedGame(
        *(name, title, "pot-de-vin/3", page, *results, (), ("sample",), published, "cy beats ann")
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


def test_nothing_is_updated_when_only_time_has_passed() -> None:
    before = catalogue(replay(1))
    later = replace(before, state=replace(STATE, updated="2027-01-01T00:00:00Z"))
    assert same_or_new(before, later) is before
    assert same_or_new(None, later) is later
    more = replace(later, replays=(replay(1), replay(2)))
    assert same_or_new(before, more) is more


@pytest.mark.parametrize("data", [b"", b"[]", b'{"version": 2}', b"[" * 100_000])
def test_a_catalogue_that_cannot_be_read_is_refused_in_a_sentence(
    tmp_path: Path, data: bytes
) -> None:
    assert read_catalogue(tmp_path) is None
    (tmp_path / CATALOGUE).write_bytes(data)
    with pytest.raises(StoreError, match=r"cannot read .*index\.json, which lists the replays"):
        read_catalogue(tmp_path)


def test_a_catalogue_of_another_version_is_refused(tmp_path: Path) -> None:
    told = msgspec.to_builtins(catalogue(replay(1)))
    (tmp_path / CATALOGUE).write_bytes(msgspec.json.encode(told))
    assert read_catalogue(tmp_path) == catalogue(replay(1))
    (tmp_path / CATALOGUE).write_bytes(msgspec.json.encode(told | {"version": 2}))
    with pytest.raises(StoreError, match="written by another version"):
        read_catalogue(tmp_path)


def feed_at(made: Catalogue, address: str = "") -> ElementTree.Element:
    renderer = Renderer("", [], banner=Banner("", "", address))
    return ElementTree.fromstring(feed_of(made, renderer))


def test_the_feed_has_the_standings_and_the_newest_replays() -> None:
    old = [replay(number) for number in range(MAX_ENTRIES)]
    new = replay(99, "2026-03-03T00:00:00Z")
    made = catalogue(*old, new)
    feed = feed_at(made)
    entries = feed.findall(f"{ATOM}entry")
    assert [one.findtext(f"{ATOM}title") for one in entries[:2]] == [
        "Leaderboard",
        f"cy beats ann ({new.title})",
    ]
    assert len(entries) == 1 + MAX_ENTRIES
    assert newest(made.replays, 1) == [new]
    assert entries[0].findtext(f"{ATOM}summary") == "ann leads. 9 of 12 games."
    assert entries[1].findtext(f"{ATOM}summary") == "ann 1, <b> 2, cy 3; sample"
    link = entries[1].find(f"{ATOM}link")
    assert link is not None
    assert link.get("href") == new.page
    address = "https://ai.example.edu/spring/"
    absolute = ElementTree.fromstring(
        feed_of(made, Renderer("", [], banner=Banner("", "", address)))
    )
    assert all(one.get("href", "").startswith(address) for one in absolute.iter(f"{ATOM}link"))
    for element in (feed, *entries):
        for needed in ("id", "title", "updated"):
            assert element.findtext(f"{ATOM}{needed}")


def test_ids_of_a_feed_depend_on_the_run_and_the_game_only() -> None:
    ids = [
        [
            one.text
            for one in ElementTree.fromstring(feed_of(made, Renderer(made.run, []))).iter(
                f"{ATOM}id"
            )
        ]
        for made in (
            catalogue(replay(1)),
            replace(catalogue(replay(1)), verdict="bob leads."),
            catalogue(replay(1), run="autumn"),
        )
    ]
    assert ids[0] == ids[1]
    assert not set(ids[0]) & set(ids[2])
    assert len(set(ids[0])) == 3
