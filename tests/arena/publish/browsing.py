"""A small site and its server, and what is watched while a browser shows its pages.

The browser is Debian's Chromium; where there is none, its tests are skipped and say so. The
fixtures are in `conftest.py`.
"""

import functools
import http.server
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)

from arena.base.contracts import Batch, Played
from arena.base.record import (
    NO_OBSERVATIONS,
    Entrant,
    Game,
    GameRecord,
    Observations,
    Timing,
    write_record,
)
from arena.bot import Bot
from arena.publish.build import publish
from arena.publish.layout import replay_page
from arena.publish.render import Renderer
from arena.publish.replays import files_of
from arena.publish.site_folder import Site as SiteFolder
from arena.tournament.in_process import play_in_process
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.store import Store
from tests.arena.playing import PATIENT
from tests.arena.runs import Crew, ignore, silent
from tests.needs import need

CHROMIUM = shutil.which("chromium-browser") or "chromium"
needs_chromium = need(CHROMIUM)

FLAGS = """--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync""".split()
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)
VARIANTS = ("pot-de-vin/3", "bribery/3-advanced", "brides-and-bribes/3")
HOSTILE = "<img src=x onerror=alert(1)>"
NAMES = ("ann", "bob", HOSTILE)
BLUNDER = 4
"""The decision at which a bot at seat 0 answers nonsense."""
PATHS = "class/of-2026"
"""Where the site lies on the server."""

PHONE = ViewportSize(width=390, height=844)

each_variant = pytest.mark.parametrize(
    "variant",
    [VARIANTS[0], *[pytest.param(variant, marks=pytest.mark.slow) for variant in VARIANTS[1:]]],
)


class Talker(Bot):
    """Plays with dice, remarks on what it does, and blunders at seat 0."""

    def start(self, table: object) -> None:
        self.decisions = 0

    def act(self, view: object, legal: list[str]) -> str:
        self.decisions += 1
        if self.decisions % 3 == 0:
            self.note = f"<b>seat {self.table.seat}</b> \x1b[2J of {len(legal)}"
        blunders = self.table.seat == 0 and self.decisions == BLUNDER
        return "nonsense" if blunders else self.rng.choice(legal)


class TalkingCrew(Crew):
    """An executor whose bots talk, and take a while for it."""

    def play_batches(self, take: Callable[[], Batch | None]) -> Iterator[list[Played]]:
        for batch in iter(take, None):
            yield [talked(game) for game in batch.games]


def talked(game: Game) -> Played:
    """Play a game with bots that talk."""
    record = play_in_process(game, [Talker] * len(game.entrants))
    seen = Observations(timings=(Timing(20, 5_000, 900),) * len(game.entrants))
    return Played(game.key, msgspec.Raw(write_record(record)), seen)


class Site(NamedTuple):
    """A site, where a browser finds it, and the records that it was made from."""

    folder: Path
    address: str
    records: Sequence[GameRecord]

    def at(self, way: str, page: str) -> str:
        """Return the address of a page, as a file or from the server."""
        return f"{self.folder.as_uri()}/{page}" if way == "file" else f"{self.address}/{page}"

    def game(self, variant: str) -> GameRecord:
        """Return the first game of a variant."""
        return next(record for record in self.records if record.variant == variant)


class Silent(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and logs nothing."""

    def log_message(self, format: str, *args: object) -> None:
        pass


def make_site(top: Path) -> None:
    """Play a small run, and publish it, in a folder."""
    entrants = [Entrant(name, ("none",), ".", f"code of {name}") for name in NAMES]
    settings = Settings(1, 0, VARIANTS, tuple(entrants), PATIENT)
    with open_or_create(top / "spring", settings, silent) as store:
        play_missing(store, settings, TalkingCrew(), ignore)
        with SiteFolder(top / PATHS) as site:
            publish(store, site, silent, all_games=True)


@contextmanager
def serving(top: Path) -> Iterator[Site]:
    """Serve the site of such a folder below a path of a server."""
    with Store.open(top / "spring") as store:
        records = list(store.records())
    handler = functools.partial(Silent, directory=str(top))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield Site(top / PATHS, f"http://127.0.0.1:{server.server_port}/{PATHS}", records)
        server.shutdown()
        thread.join()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium with a temporary folder of its own, in which it leaves files."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=shutil.which(CHROMIUM), args=FLAGS, env={**os.environ, "TMPDIR": folder}
        )
        yield started
        started.close()


def watch(context: BrowserContext, site: Site, wrong: list[str]) -> None:
    """Note each error, each dialog, and each request that leaves the site."""
    context.set_default_timeout(PATIENCE_MS)
    homes = (site.folder.as_uri(), site.address)
    context.on("console", lambda result: wrong.append(f"console {result.type}: {result.text}"))
    context.on("weberror", lambda error: wrong.append(f"error: {error.error}"))
    context.on(
        "dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss())
    )
    context.on("requestfailed", lambda request: wrong.extend(failure_of(request)))
    context.on(
        "request",
        lambda request: None if request.url.startswith(homes) else wrong.append(request.url),
    )
    context.on(
        "response",
        lambda answer: (
            wrong.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None
        ),
    )


def failure_of(request: Request) -> list[str]:
    """Return why a request failed; nothing if the page was left before it was answered."""
    left = request.failure == "net::ERR_ABORTED"
    return [] if left else [f"failed: {request.url}: {request.failure}"]


def open_replay(page: Page, site: Site, variant: str, way: str = "file", at: int = 0) -> GameRecord:
    """Open the replay of a game at a step, and return its record."""
    record = site.game(variant)
    page.goto(site.at(way, replay_page(record.key)) + (f"#{at}" if at else ""))
    assert step_of(page) == at
    return record


def write_replay(site: Site, record: GameRecord) -> None:
    """Add the replay of a game to the site."""
    for path, content in files_of(record, NO_OBSERVATIONS, Renderer("spring", [])):
        data = content.encode() if isinstance(content, str) else content
        (site.folder / path).write_bytes(data)


def step_of(page: Page) -> int:
    """Return the number of actions up to the step that a page shows."""
    return int(page.inner_text("#count").split()[0])


def go_to(page: Page, at: int) -> None:
    """Go to the step of an action."""
    page.evaluate(f"location.hash = '#{at}'")
    expect(page.locator("#count")).to_have_text(re.compile(rf"^{at} /"))


def show_step(page: Page, step: int) -> None:
    """Show a step by its number, as beats after a move have no action of their own."""
    page.evaluate("step => document.querySelectorAll('#moves button')[step].click()", step)


def pieces(page: Page) -> list[list[str]]:
    """Return the pieces on the table from below to above: their identities and places."""
    found = page.locator("#table .piece")
    return list(found.evaluate_all("all => all.map(one => [one.dataset.id, one.style.transform])"))


def click_until_disabled(page: Page, button: str) -> int:
    """Click a button until it can't be clicked any more, and return how often."""
    return int(
        page.evaluate(
            """id => {
                const button = document.getElementById(id);
                let clicks = 0;
                while (!button.disabled && clicks < 5000) { button.click(); clicks += 1; }
                return clicks;
            }""",
            button,
        )
    )
