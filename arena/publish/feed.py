"""The Atom feed of a site: its standings and its newest replays."""

import uuid
from collections.abc import Iterator
from xml.etree import ElementTree

from arena import __version__
from arena.protocol import printable
from arena.publish.catalogue import Catalogue, CatalogueReplay, newest
from arena.publish.layout import FEED, INDEX

MAX_ENTRIES = 40
_ATOM = "http://www.w3.org/2005/Atom"
_IDS = uuid.UUID("2a1be5fe-4d4a-5c52-9a3f-0d6a3f1f7a11")
"""The namespace of the ids, which depend on the run and the game only."""


def feed_of(catalogue: Catalogue) -> str:
    """Return the feed: an entry for the standings, then one for each of the newest replays."""
    feed = ElementTree.Element("feed", xmlns=_ATOM)
    _add(feed, "title", catalogue.run)
    _add(feed, "id", _id(catalogue.run))
    _add(feed, "updated", catalogue.state.updated)
    _add(feed, "generator", "bribe-arena", version=__version__)
    _add(ElementTree.SubElement(feed, "author"), "name", catalogue.run)
    ElementTree.SubElement(feed, "link", rel="self", href=FEED, type="application/atom+xml")
    ElementTree.SubElement(feed, "link", rel="alternate", href=INDEX, type="text/html")
    for entry in _entries(catalogue):
        feed.append(entry)
    ElementTree.indent(feed)
    text = ElementTree.tostring(feed, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def _entries(catalogue: Catalogue) -> Iterator[ElementTree.Element]:
    state = catalogue.state
    standings = f"{catalogue.verdict} {state.played:,} of {state.scheduled:,} games."
    yield _entry("Leaderboard", (catalogue.run, catalogue.digest), state.updated, INDEX, standings)
    for one in newest(catalogue.replays, MAX_ENTRIES):
        yield _entry(one.title, (catalogue.run, one.id), one.published, one.page, _summary(one))


def _entry(
    title: str, name: tuple[str, str], updated: str, page: str, summary: str
) -> ElementTree.Element:
    entry = ElementTree.Element("entry")
    _add(entry, "title", title)
    _add(entry, "id", _id("\n".join(name)))
    _add(entry, "updated", updated)
    ElementTree.SubElement(entry, "link", rel="alternate", href=page, type="text/html")
    _add(entry, "summary", summary)
    return entry


def _summary(replay: CatalogueReplay) -> str:
    results = ", ".join(
        [f"{bot} {points}" for bot, points in zip(replay.bots, replay.points, strict=True)]
    )
    return "; ".join(filter(None, [results, *replay.reasons, *replay.faults]))


def _add(parent: ElementTree.Element, tag: str, text: str, **attributes: str) -> None:
    ElementTree.SubElement(parent, tag, attributes).text = printable(text)


def _id(name: str) -> str:
    return f"urn:uuid:{uuid.uuid5(_IDS, name)}"
