"""The catalogue of a site for programs: its state and its replays, with stable addresses.

It is public as `index.json`, and the next build of the site reads it: replays that have been
published stay.
"""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Literal

import msgspec

from arena.errors import StoreError
from arena.publish.layout import CATALOGUE, game_id, replay_page
from arena.publish.pages import PublishedGame

MAX_KEPT = 1000
"""Replays that stay although they would not be selected again: those published first."""


class CatalogueReplay(msgspec.Struct, frozen=True):
    """A published game."""

    id: str
    title: str
    variant: str
    page: str
    """From the root of the site."""
    bots: tuple[str, ...]
    """By seat, as are points and ranks."""
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[str, ...]
    reasons: tuple[str, ...]
    published: str
    """When it was published first, as ISO 8601 in UTC."""


class SiteState(msgspec.Struct, frozen=True):
    """How far a run is."""

    played: int
    """Published games: those of boards that are over."""
    scheduled: int
    over: bool
    may_end_before: bool
    """Whether fewer games than scheduled may be enough."""
    updated: str
    """The time of the last update, as ISO 8601 in UTC."""


class Catalogue(msgspec.Struct, frozen=True):
    """All of it."""

    run: str
    verdict: str
    state: SiteState
    digest: str
    replays: tuple[CatalogueReplay, ...]
    """In schedule order."""
    version: Literal[1] = 1

    def published(self) -> dict[str, str]:
        """Return when each replay was published first, by id."""
        return {one.id: one.published for one in self.replays}


def read_catalogue(folder: Path) -> Catalogue | None:
    """Return the catalogue of an earlier site in a folder; None if there is none.

    Raises:
        StoreError: it cannot be read.
    """
    path = folder / CATALOGUE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Catalogue)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise StoreError(
            f"cannot read {path}, which lists the replays that stay: {error}; it was changed, or "
            "written by another version: publish to a new folder, or remove this file"
        ) from None


def same_or_new(earlier: Catalogue | None, new: Catalogue) -> Catalogue:
    """Return `earlier` if only the time differs: then nothing has been updated."""
    if earlier is None:
        return new
    state = msgspec.structs.replace(new.state, updated=earlier.state.updated)
    return earlier if msgspec.structs.replace(new, state=state) == earlier else new


def kept_replays(earlier: Catalogue | None) -> frozenset[str]:
    """Return the ids of the replays that stay: the `MAX_KEPT` that were published first."""
    if earlier is None:
        return frozenset()
    oldest = sorted(earlier.replays, key=lambda one: (one.published, one.id))
    return frozenset([one.id for one in oldest[:MAX_KEPT]])


def catalogue_replays(
    games: Iterable[PublishedGame], earlier: Catalogue | None, now: str
) -> tuple[CatalogueReplay, ...]:
    """Return the entries of the published games; `now` is the time of new ones."""
    published = earlier.published() if earlier else {}
    return tuple([_entry(game, published.get(game_id(game.key), now)) for game in games])


def newest(replays: Collection[CatalogueReplay], most: int) -> list[CatalogueReplay]:
    """Return the `most` replays that were published last, the newest first."""
    return sorted(replays, key=lambda one: (one.published, one.id), reverse=True)[:most]


def _entry(game: PublishedGame, published: str) -> CatalogueReplay:
    return CatalogueReplay(
        id=game_id(game.key),
        title=game.title,
        variant=game.variant,
        page=replay_page(game.key),
        bots=game.entrants,
        points=game.points,
        ranks=game.ranks,
        faults=game.faults,
        reasons=game.why,
        published=published,
    )
