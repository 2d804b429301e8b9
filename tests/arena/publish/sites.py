"""Runs for the tests of sites, played in this process, and pages as they can be asked about."""

from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import msgspec

from arena.base.contracts import Batch, Played, SandboxSettings
from arena.base.record import Entrant, Evidence, Game, Observations, Timing, write_record
from arena.bot import Bot
from arena.publish.build import Published, publish
from arena.publish.site_folder import Site
from arena.tournament.in_process import play_in_process
from arena.tournament.run import play_missing
from arena.tournament.settings import Settings
from arena.tournament.store import Store
from tests.arena.playing import PATIENT
from tests.arena.runs import Crew, ignore, silent

HOSTILE = "<script>alert(1)</script>"
STEERING = "\x1b[31mred\x1b[0m \u202egnp.exe"
NAMES = ("plain", HOSTILE, STEERING, "Dürer & sons", "dice $x_1$")
VARIANTS = ("bribery/2", "pot-de-vin/3", "brides-and-bribes/3")


class Talks(Bot):
    """Plays with the dice of its seed, says hostile things, and raises an exception at times."""

    def act(self, view: object, legal: list[str]) -> str:
        self.note = f"</script>{HOSTILE} {STEERING}"
        if self.rng.random() < 0.01:
            raise ValueError(f"{HOSTILE}{STEERING}")
        return self.rng.choice(legal)


class Talkers(Crew):
    """An executor that plays in this process, and has seen something of each game."""

    def play_batches(self, take: Callable[[], Batch | None]) -> Iterator[list[Played]]:
        for batch in iter(take, None):
            yield [_played(game) for game in batch.games]


def _played(game: Game) -> Played:
    seats = len(game.entrants)
    record = play_in_process(game, [Talks] * seats)
    evidence = [
        Evidence(fault.seat, f'{{"asked": "{HOSTILE}"}}', "came", f"{HOSTILE}\n{STEERING}", 12)
        for fault in record.faults
    ]
    timings = tuple([Timing(7, 1_000 * (seat + 1), 900 * (seat + 1)) for seat in range(seats)])
    seen = Observations(tuple(evidence), timings)
    return Played(record.key, msgspec.Raw(write_record(record)), seen)


def hostile_settings(
    rounds: int = 6, variants: Sequence[str] = VARIANTS, names: Sequence[str] = NAMES
) -> Settings:
    """Return the settings of a run whose bots and authors are called as no one should be."""
    entrants = [
        Entrant(
            name,
            ("none",),
            "/home/teacher",
            f"code of {name}",
            author=f"by {HOSTILE}",
            description=f"plays like {HOSTILE}",
        )
        for name in names
    ]
    sandbox = SandboxSettings(readable=("/home/teacher/opening-book",))
    return Settings(rounds, 0, tuple(variants), tuple(entrants), PATIENT, sandbox=sandbox)


def play_run(folder: Path, settings: Settings, crew: Crew | None = None) -> None:
    """Play a run in this process; without a `crew` the bots are `Talkers`."""
    with Store.create(folder, settings) as store:
        play_missing(store, settings, crew or Talkers(), ignore)


def publish_run(run: Path, folder: Path, *, all_games: bool = False) -> Published | None:
    with Store.open(run) as store, Site(folder, clock=lambda: 0.0) as site:
        return publish(store, site, silent, all_games=all_games)


def make_hostile_site(parent: Path) -> None:
    """Play the run of `hostile_settings` in a folder, and publish it."""
    play_run(parent / "results" / "autumn", hostile_settings())
    published = publish_run(parent / "results" / "autumn", parent / "site")
    (parent / "published.json").write_bytes(msgspec.json.encode(published))


class Made:
    """A run and its site, as `make_hostile_site` leaves them."""

    def __init__(self, parent: Path) -> None:
        self.run = parent / "results" / "autumn"
        self.folder = parent / "site"
        self.settings = hostile_settings()
        self.published = msgspec.json.decode(
            (parent / "published.json").read_bytes(), type=Published
        )
        self.pages = pages_of(self.folder)


def bytes_in(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


class Element(msgspec.Struct):
    """A start tag of a page, and the text up to the next tag."""

    tag: str
    attributes: dict[str, str | None]
    inside: tuple[str, ...]
    """The tags round it, the outermost first."""
    text: str = ""


class Page(HTMLParser):
    """A page of a site, read strictly: each tag is closed where it should be."""

    VOID = ("meta", "link", "br", "img", "input", "hr", "wbr")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open, f"never closed: {self._open}"

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), f"{tag} has an attribute twice: {names}"
        self.elements.append(Element(tag, dict(attributes), tuple(self._open)))
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, dict(attributes), tuple(self._open)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> too many"
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.elements:
            self.elements[-1].text += data

    def all(self, *tags: str) -> list[Element]:
        """Return the elements with one of these tags."""
        return [one for one in self.elements if one.tag in tags]

    def links(self) -> list[str]:
        """Return what the page refers to."""
        found = [
            one.attributes.get(name)
            for one in self.elements
            for name in ("href", "src", "xlink:href", "action", "data")
        ]
        return [link for link in found if link]


def pages_of(folder: Path) -> dict[str, Page]:
    """Return the pages of a site by their path."""
    return {
        str(path.relative_to(folder)): Page(path.read_text("utf-8"))
        for path in sorted(folder.rglob("*.html"))
    }


def target(folder: Path, page: str, link: str) -> tuple[Path, str]:
    """Return the file that a link of a page leads to, and the place in it."""
    path, _, place = link.partition("#")
    path = path.removesuffix("?present")
    here = folder / page
    return ((here.parent / unquote(path)).resolve() if path else here.resolve()), place
