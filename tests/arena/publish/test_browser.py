"""The site of a run in a real browser, opened as files and from a server, without a word of wrong.

The browser is Debian's Chromium; where there is none, these tests are skipped and say so.
"""

import functools
import http.server
import re
import shutil
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Request,
    Route,
    ViewportSize,
    expect,
    sync_playwright,
)

from arena.bot import Bot
from arena.contracts import Batch, Played
from arena.match.in_process import play_in_process
from arena.match.referee import start_game
from arena.publish.audit_page import write_audit_page
from arena.publish.build import publish
from arena.publish.choice import Choice
from arena.publish.layout import bot_page, replay_page
from arena.publish.render import Renderer
from arena.publish.replays import LEFT_OUT, files_of
from arena.rating.audit.report import Kind, Paragraph, Report, Section
from arena.record import (
    NO_OBSERVATIONS,
    Entrant,
    Game,
    GameRecord,
    Observations,
    Timing,
    write_record,
)
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.settings import Settings
from tests.arena.playing import PATIENT, make_game
from tests.arena.runs import Crew, ignore, play_out, silent

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="the tests in a browser need Chromium: `apt-get install chromium`"
)

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

each_variant = pytest.mark.parametrize("variant", VARIANTS)
a_variant = pytest.mark.parametrize(
    "variant", [VARIANTS[0], *[pytest.param(one, marks=pytest.mark.slow) for one in VARIANTS[1:]]]
)
"""For what does not depend on how a game is drawn."""
each_way = pytest.mark.parametrize("way", ["file", "http"])


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

    def play_batches(self, batches: Iterable[Batch | None]) -> Iterator[list[Played]]:
        for batch in batches:
            assert batch is not None, "all games that were given are over"
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


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Publish a small run, and serve it below a path of a server."""
    top = tmp_path_factory.mktemp("site")
    entrants = [Entrant(name, ("none",), ".", f"code of {name}") for name in NAMES]
    settings = Settings(1, 0, VARIANTS, tuple(entrants), PATIENT)
    with open_or_create(top / "spring", settings, silent) as store:
        play_missing(store, settings, TalkingCrew(), ignore)
        publish(store, top / PATHS, Choice("all", 0), silent)
        records = list(store.records())
    handler = functools.partial(Silent, directory=str(top))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield Site(top / PATHS, f"http://127.0.0.1:{server.server_port}/{PATHS}", records)
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def wrong() -> list[str]:
    """Return what the pages complain of; see `watched`."""
    return []


@pytest.fixture
def context(browser: Browser, site: Site, wrong: list[str]) -> Iterator[BrowserContext]:
    """Return a new profile; at its end, nothing may have gone wrong in it."""
    with browser.new_context(viewport={"width": 1280, "height": 800}) as fresh:
        watch(fresh, site, wrong)
        yield fresh
    assert wrong == []


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def watch(context: BrowserContext, site: Site, wrong: list[str]) -> None:
    """Note each error, each dialog, and each request that leaves the site."""
    context.set_default_timeout(PATIENCE_MS)
    homes = (site.folder.as_uri(), site.address)
    context.on("console", lambda said: wrong.append(f"console {said.type}: {said.text}"))
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
    return int(page.input_value("#step"))


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


# -- the whole site ------------------------------------------------------------------------------


def test_every_link_leads_to_a_page_of_the_site_that_fits_a_phone(page: Page, site: Site) -> None:
    """Tables that are wider than the phone scroll in their own box."""
    page.set_viewport_size(PHONE)
    wide = []
    home = site.at("file", "")
    waiting, seen = [site.at("file", "index.html")], set[str]()
    while waiting:
        address = waiting.pop()
        if address in seen:
            continue
        seen.add(address)
        path = site.folder / address.removeprefix(home)
        assert path.is_file(), f"{address} is linked and not there"
        if path.suffix != ".html":
            continue
        page.goto(address)
        assert page.locator("h1").count() == 1
        if page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
            wide.append(address)
        links = page.evaluate("[...document.links].map(link => link.href)")
        for link in links:
            assert link.startswith(home), f"{address} links to {link}"
            target, _, mark = link.partition("#")
            waiting.append(target)
            if mark and target == address and not mark.isdecimal() and "=" not in mark:
                assert page.locator(f'[id="{mark}"]').count() == 1
    written = {
        site.at("file", str(path.relative_to(site.folder))) for path in site.folder.rglob("*.html")
    }
    assert written <= seen
    assert wide == []


@each_way
def test_a_table_is_sorted_by_a_click(page: Page, site: Site, way: str) -> None:
    page.goto(site.at(way, "index.html"))
    table = page.locator("table.leaderboard").first
    names = table.locator("tbody th")
    heading = table.locator("thead button", has_text="Bot")
    heading.click()
    assert table.locator("[aria-sort=ascending]").inner_text().startswith("Bot")
    rising = names.all_inner_texts()
    heading.click()
    assert names.all_inner_texts() == rising[::-1]
    assert sorted(rising) == sorted(NAMES)


# -- replays -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "way"), [*[(variant, "file") for variant in VARIANTS], (VARIANTS[0], "http")]
)
def test_a_replay_goes_to_its_end_and_back(page: Page, site: Site, variant: str, way: str) -> None:
    record = open_replay(page, site, variant, way)
    start = page.inner_html("#table")
    assert page.locator("#ending").is_hidden()
    assert click_until_disabled(page, "next") == len(record.actions)
    assert page.locator("#ending").is_visible()
    ends = page.locator("#ending li").all_inner_texts()
    assert len(ends) == len(record.entrants)
    for seat, (name, points) in enumerate(zip(record.entrants, record.points, strict=True)):
        (line,) = [end for end in ends if end.startswith(str(seat))]
        assert line.partition("\n")[0].endswith(f"{name} {points} points")
    ranks = page.evaluate("[...document.querySelectorAll('#ending li')].map(one => one.value)")
    assert ranks == sorted(record.ranks)
    assert click_until_disabled(page, "back") == len(record.actions)
    assert page.inner_html("#table") == start
    assert page.locator("#ending").is_hidden()


@each_variant
def test_the_browser_sees_what_the_engine_shows(page: Page, site: Site, variant: str) -> None:
    record = open_replay(page, site, variant)
    state = start_game(record.variant, record.deal)
    for number, action in enumerate(record.actions):
        if number % 40 == 7:
            for seat in (None, *range(len(record.entrants))):
                view = msgspec.json.decode(msgspec.json.encode(state.view(seat)))
                shown = page.evaluate(
                    "([step, seat]) => arena.seen(arena.tables(window.replay)[step], seat).view",
                    [number, seat],
                )
                assert shown == {key: view[key] for key in view if key not in LEFT_OUT}
        state.apply(action)


def test_keys_step_and_the_address_keeps_the_step(page: Page, site: Site) -> None:
    record = open_replay(page, site, "bribery/3-advanced", at=12)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert step_of(page) == 13
    page.wait_for_url("**#13")
    page.keyboard.press("End")
    assert step_of(page) == len(record.actions)
    page.keyboard.press("Home")
    assert step_of(page) == 0
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.locator("#seat").focus()
    page.keyboard.press("End")  # is the list's own
    assert step_of(page) == 0
    page.evaluate("location.hash = '#9999'")
    expect(page.locator("#step")).to_have_value(str(len(record.actions)))


def test_a_seat_is_chosen_and_kept_in_the_address_and_arrows_step_on(
    page: Page, site: Site
) -> None:
    record = open_replay(page, site, "bribery/3-advanced", at=12)
    page.select_option("#seat", "1")
    page.wait_for_url("**#12&seat=1")
    page.focus("#seat")
    page.keyboard.press("ArrowRight")
    assert (step_of(page), page.input_value("#seat")) == (13, "1")
    page.wait_for_url("**#13&seat=1")
    page.goto(site.at("file", "index.html"))
    page.goto(site.at("file", replay_page(record.key)) + "#9&seat=2")
    assert (step_of(page), page.input_value("#seat")) == (9, "2")
    assert page.locator('[aria-label="hand of seat 1"] b').count() == 0
    page.evaluate("location.hash = '#7&seat=9'")  # there is no such seat
    expect(page.locator("#step")).to_have_value("7")
    assert page.input_value("#seat") == "2"


def test_the_key_for_faults_does_nothing_in_a_game_without_faults(page: Page, site: Site) -> None:
    record = play_out(make_game("pot-de-vin/3", 7, NAMES))
    assert not record.faults
    write_replay(site, record)
    page.goto(site.at("file", replay_page(record.key)) + "#5")
    page.keyboard.press("f")
    assert step_of(page) == 5
    assert page.inner_text("#count") == f"5 / {len(record.actions)}"
    page.keyboard.press("ArrowRight")
    assert step_of(page) == 6


@each_variant
def test_the_moves_are_one_tab_stop(page: Page, site: Site, variant: str) -> None:
    open_replay(page, site, variant, at=5)
    stops = page.evaluate(
        """[...document.querySelectorAll("a, button, input, select, summary, [tabindex]")].filter(
            one => one.tabIndex >= 0 && !one.disabled && one.offsetParent).length"""
    )
    assert stops < 40
    move = page.locator("#moves [tabindex='0']")
    assert move.count() == 1
    move.focus()
    for key, step in (("ArrowDown", 6), ("ArrowRight", 7), ("ArrowUp", 6)):
        page.keyboard.press(key)
        assert step_of(page) == step
        assert page.evaluate("document.activeElement.querySelector('.at').textContent") == str(step)


@each_variant
@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_what_changed_is_on_the_screen(
    page: Page, site: Site, variant: str, size: tuple[int, int]
) -> None:
    """At the end, the ending is on the screen instead: see the test of it."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_replay(page, site, variant)
    unseen = page.evaluate(
        """() => {
            const unseen = [];
            const next = document.getElementById("next");
            while (!next.disabled) {
                next.click();
                const fresh = document.querySelector("#table .fresh");
                const box = fresh && fresh.getBoundingClientRect();
                const now = document.getElementById("now").getBoundingClientRect();
                const hidden = box && (box.top < now.bottom || box.top > innerHeight);
                if (!next.disabled && (hidden || now.top < 0)) {
                    unseen.push(document.getElementById("step").value);
                }
            }
            return unseen;
        }"""
    )
    assert unseen == []


def test_brides_and_bribes_fits_one_screen_with_families_beside_boroughs(
    page: Page, site: Site
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    record = open_replay(page, site, "brides-and-bribes/3", at=40)
    page.evaluate("document.getElementById('replay').scrollIntoView()")
    for step in (40, 60, 80):
        page.evaluate(f"location.hash = '#{min(step, len(record.actions) - 1)}'")
        expect(page.locator("#step")).to_have_value(str(step))
        boxes = page.evaluate(
            "['.boroughs', '.of-families'].map(one => document.querySelector(one)).map("
            "one => { const box = one.getBoundingClientRect(); return [box.left, box.bottom]; })"
        )
        (left, bottom), (beside, lowest) = boxes
        assert beside > left + 500
        assert max(bottom, lowest) <= 900


def test_tiles_have_pictures_and_say_what_they_do(page: Page, site: Site) -> None:
    open_replay(page, site, "brides-and-bribes/3", at=30)
    tiles = page.locator("#table .tile:not(.back)")
    assert tiles.count() > 8
    assert page.locator("#table .tile:not(.back) > svg.icon path").count() == tiles.count()
    for title in tiles.evaluate_all("all => all.map(one => one.title)"):
        assert len(title.partition(": ")[2]) > 20
    kinds = page.evaluate("Object.values(window.replay.facts.kind)")
    assert set(kinds) == set(page.evaluate("Object.keys(arena.ICON_OF)"))
    assert page.evaluate("Object.values(arena.ICON_OF).every(sort => arena.ICONS[sort])")


@each_variant
def test_text_on_cards_is_at_least_12_pixels_high(page: Page, site: Site, variant: str) -> None:
    record = open_replay(page, site, variant)
    for step in (3, len(record.actions) // 2, len(record.actions)):
        page.evaluate(f"location.hash = '#{step}'")
        expect(page.locator("#step")).to_have_value(str(step))
        small = page.evaluate(
            """[...document.querySelectorAll("#replay *")].filter(one =>
                [...one.childNodes].some(text => text.nodeType === 3 && text.data.trim())
                && parseFloat(getComputedStyle(one).fontSize) < 12).map(one => one.outerHTML)"""
        )
        assert small == []


def test_six_seats_fit_a_small_screen(page: Page, site: Site) -> None:
    names = ("ann", "bob", "cy", "dee", "eve", "a-longer-name")
    record = play_out(make_game("pot-de-vin/6-teams", 7, names))
    write_replay(site, record)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(site.at("file", replay_page(record.key)))
    page.evaluate("document.getElementById('replay').scrollIntoView()")
    for step in range(0, len(record.actions), 8):
        page.evaluate(f"location.hash = '#{step}'")
        expect(page.locator("#step")).to_have_value(str(step))
        bottoms = page.locator("#table .area").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().bottom)"
        )
        assert len(bottoms) == 6
        assert max(bottoms) <= 720, step


@a_variant
def test_the_end_says_why_points_and_ranks_came_about(page: Page, site: Site, variant: str) -> None:
    record = open_replay(page, site, variant)
    page.keyboard.press("End")
    ending = page.inner_text("#ending")
    assert "How the points came about" in ending
    assert "last because of its fault" in ending
    assert page.locator("#ending .accounts dt").count() == len(record.entrants)
    box = page.evaluate("document.getElementById('ending').getBoundingClientRect().top")
    assert 0 <= box < 400


@each_variant
def test_a_replay_leads_to_the_rules_of_what_it_shows(page: Page, site: Site, variant: str) -> None:
    open_replay(page, site, variant)
    page.click("#legend summary")
    link = page.locator("#legend dd a").first
    section = link.inner_text().removeprefix("Rules, ")
    link.click()
    page.wait_for_url(f"**/rules/*.html#s{section.replace('.', '-')}")
    assert page.locator(":target").inner_text().startswith(section)


@each_variant
def test_whose_turn_is_next_is_marked(page: Page, site: Site, variant: str) -> None:
    record = open_replay(page, site, variant, at=3)
    state = start_game(record.variant, record.deal)
    for action in record.actions[:3]:
        state.apply(action)
    marked = page.locator("#table .is-next")
    assert marked.count() == 1
    assert f"seat-{state.seat_to_act}" in str(marked.get_attribute("class"))
    assert f"next: {state.seat_to_act}" in page.inner_text("#now .next")
    page.keyboard.press("End")
    assert marked.count() == 0


@pytest.mark.parametrize("variant", VARIANTS[:2])
def test_each_step_shows_how_much_it_has_changed_the_points(
    page: Page, site: Site, variant: str
) -> None:
    record = open_replay(page, site, variant)
    points = "#table .area .figure[data-name=points]"
    sums = [0] * len(record.entrants)
    shown = {}
    while page.locator("#next").is_enabled():
        page.locator("#next").click()
        for seat, text in enumerate(page.locator(points).all_inner_texts()):
            _, value, *change = text.replace("\u2212", "-").split()
            sums[seat] += int(*change or ["0"])
            shown[seat] = int(value)
    assert sums == list(shown.values())
    assert any(sums)


def test_on_paper_a_replay_has_the_table_and_all_moves(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 718, "height": 1000})
    page.emulate_media(media="print")
    record = open_replay(page, site, "pot-de-vin/3", at=5)
    assert page.locator("#replay button:visible").count() == len(record.actions) + 1
    assert not page.locator("#replay select").first.is_visible()
    is_whole = "list => list.scrollHeight <= list.clientHeight + 1"
    assert page.locator("#moves").evaluate(is_whole)
    assert "5 /" in page.inner_text("#count")
    assert page.locator("#table .area").first.is_visible()


def test_numbers_stay_behind_names_that_are_written_from_right_to_left(
    page: Page, site: Site
) -> None:
    page.goto(site.at("file", "games/index.html"))
    gap = page.locator(".seats li:visible").first.evaluate(
        """item => {
            const name = item.querySelector("a");
            name.textContent = "\u0645\u062d\u0645\u062f";
            name.nextSibling?.remove();
            item.querySelector("b")?.remove();
            item.append(" 17");
            const range = document.createRange();
            range.selectNodeContents(item.lastChild);
            return range.getBoundingClientRect().left - name.getBoundingClientRect().right;
        }"""
    )
    assert gap >= -1


def test_it_plays_by_itself_until_it_is_stopped(page: Page, site: Site) -> None:
    page.clock.install(time=0)
    record = open_replay(page, site, "pot-de-vin/3")
    page.clock.pause_at(3_600_000)  # time goes on only when the test says so
    page.select_option("#speed", label="very fast")
    page.locator("#speed").blur()
    page.keyboard.press(" ")
    page.clock.run_for(1000)
    assert step_of(page) == 4
    assert page.get_attribute("#play", "aria-pressed") == "true"
    page.keyboard.press(" ")
    page.clock.run_for(1000)
    assert step_of(page) == 4
    page.click("#play")
    page.clock.run_for(250 * len(record.actions))
    assert step_of(page) == len(record.actions)
    assert page.get_attribute("#play", "aria-pressed") == "false"


@a_variant
def test_a_fault_is_jumped_to(page: Page, site: Site, variant: str) -> None:
    record = open_replay(page, site, variant)
    (fault,) = record.faults
    page.click("#fault")
    assert step_of(page) == fault.action + 1
    assert "Fault (illegal): answered 'nonsense'" in page.inner_text("#now")
    assert "stand-in" in page.inner_text("#now")
    page.keyboard.press("Home")
    page.wait_for_url("**#0")  # a click on the address that is there changes nothing
    page.click("#result a[href^='#']")
    expect(page.locator("#step")).to_have_value(str(fault.action + 1))


def test_a_click_on_a_move_and_a_chapter_go_there(page: Page, site: Site) -> None:
    open_replay(page, site, "brides-and-bribes/3")
    page.locator("#moves button").nth(5).click()
    assert step_of(page) == 5
    assert page.locator("#moves [aria-current=step]").inner_text().startswith("5")
    page.select_option("#chapter", label="Round 2, placement")
    replay = page.evaluate("window.replay.chapters")
    (step,) = [one["step"] for one in replay if one["title"] == "Round 2, placement"]
    assert step_of(page) == step


@pytest.mark.usefixtures("toys")
def test_a_game_without_a_drawing_is_shown_field_by_field(page: Page, site: Site) -> None:
    record = play_out(make_game("high-card/3", 7, NAMES))
    write_replay(site, record)
    page.goto(site.at("file", replay_page(record.key)))
    assert "hand of seat 2" in page.inner_text("#table")
    page.select_option("#seat", "1")
    assert "hand of seat 2" not in page.inner_text("#table")
    assert click_until_disabled(page, "next") == len(record.actions)


# -- what a seat sees ------------------------------------------------------------------------------


def test_one_seat_sees_its_own_hand_and_the_backs_of_all_others(page: Page, site: Site) -> None:
    record = open_replay(page, site, "pot-de-vin/3", at=20)
    state = start_game(record.variant, record.deal)
    for action in record.actions[:20]:
        state.apply(action)
    page.select_option("#seat", "1")
    view = msgspec.json.decode(msgspec.json.encode(state.view(1)))
    hands = [page.locator(f'[aria-label="hand of seat {seat}"] .deck-card') for seat in range(3)]
    values = [hand.locator("b").all_inner_texts() for hand in hands]
    assert values == [[], [card.rpartition("-")[2] for card in view["hand"]], []]
    assert [hand.count() for hand in hands] == view["hand_sizes"]
    page.select_option("#seat", "")
    assert all(hand.locator("b").count() == hand.count() for hand in hands)


def test_one_seat_reads_its_own_notes_and_no_secret_of_others(page: Page, site: Site) -> None:
    record = open_replay(page, site, "brides-and-bribes/3")
    everything = page.inner_text("#moves")
    assert {f"seat {seat}" for seat in range(3)} <= set(re.findall("seat [0-9]", everything))
    page.select_option("#seat", "2")
    seen = page.inner_text("#moves")
    assert set(re.findall("seat [0-9]</b>", seen)) == {"seat 2</b>"}
    assert "answered 'nonsense'" not in seen
    assert "Fault (illegal)" in seen
    secret = [a for a in record.actions if a.split()[0] in ("send", "reinforce")]
    assert len(secret) > 10
    lines = page.locator("#moves button").all_inner_texts()
    state = start_game(record.variant, record.deal)
    for action, line in zip(record.actions, lines[1:], strict=True):
        if action in secret and state.seat_to_act != 2:
            assert "a tile" in line
        state.apply(action)


# -- strangers, small screens, and no scripts ------------------------------------------------------


@a_variant
def test_what_bots_say_is_shown_as_it_is(page: Page, site: Site, variant: str) -> None:
    record = site.game(variant)
    page.goto(site.at("file", replay_page(record.key)))
    assert HOSTILE in page.inner_text("#table")
    assert HOSTILE in page.inner_text("#result")
    assert "<b>seat" in page.inner_text("#moves")
    assert "\\x1b[2J" in page.inner_text("#moves")
    assert page.locator("img").count() == 0


@each_variant
def test_a_phone_is_wide_enough(
    browser: Browser, site: Site, wrong: list[str], variant: str
) -> None:
    with browser.new_context(viewport=PHONE, color_scheme="dark") as phone:
        watch(phone, site, wrong)
        page = phone.new_page()
        record = open_replay(page, site, variant)
        for step in (0, len(record.actions) // 2, len(record.actions)):
            page.evaluate(f"location.hash = '#{step}'")
            expect(page.locator("#step")).to_have_value(str(step))
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert wrong == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_can_be_read(
    browser: Browser, site: Site, wrong: list[str], scheme: Literal["light", "dark"]
) -> None:
    measure = Path(__file__).with_name("contrast.js").read_text()
    with browser.new_context(color_scheme=scheme) as context:
        watch(context, site, wrong)
        page = context.new_page()
        for variant in VARIANTS:
            record = open_replay(page, site, variant)
            page.locator("#moves button").nth(len(record.actions) // 2).click()
            assert page.evaluate(measure) == []
        for path in ("index.html", bot_page("ann")):
            page.goto(site.at("file", path))
            assert page.evaluate(measure) == []
    assert wrong == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_of_an_audit_fits_a_phone_and_can_be_read(
    browser: Browser, tmp_path: Path, scheme: Literal["light", "dark"]
) -> None:
    kinds: tuple[Kind, ...] = ("finding", "open", "note", "clear", "unknown", "text")
    told = [
        Paragraph(f"{HOSTILE} {kind} {'x' * 60}", kind, ("arena replay x" * 9,)) for kind in kinds
    ]
    write_audit_page(
        tmp_path / "audit.html", Report("Found.", (Section("Why?", tuple(told)),)), HOSTILE
    )
    measure = Path(__file__).with_name("contrast.js").read_text()
    said: list[str] = []
    with browser.new_context(viewport=PHONE, color_scheme=scheme) as phone:
        phone.on("console", lambda message: said.append(message.text))
        phone.on("request", lambda request: said.append(request.url))
        page = phone.new_page()
        page.goto((tmp_path / "audit.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert page.evaluate(measure) == []
    assert said == [(tmp_path / "audit.html").as_uri()]


def test_without_scripts_a_game_is_a_table_of_its_moves(
    browser: Browser, site: Site, wrong: list[str]
) -> None:
    with browser.new_context(java_script_enabled=False) as plain:
        watch(plain, site, wrong)
        page = plain.new_page()
        record = site.game("pot-de-vin/3")
        page.goto(site.at("file", replay_page(record.key)))
        assert page.locator("#replay").is_hidden()
        assert page.locator("noscript tbody tr").count() == len(record.actions) + 1
        assert page.locator("#result tbody tr").count() == 3
    assert wrong == []


# -- what all pages share ------------------------------------------------------------------------

KINDS = ("index.html", bot_page("ann"), "games/index.html", "variant/pot-de-vin-3.html")
SHIFTS = """window.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""
MAX_SHIFT = 0.1


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_nothing_moves_while_a_page_appears(page: Page, site: Site, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.add_init_script(SHIFTS)
    replay = replay_page(site.game("pot-de-vin/3").key)
    for path in (*KINDS, "game/bribery.html", "about.html", replay):
        page.goto(site.at("http", path))
        expect(page.locator("#state time")).to_be_visible()
        assert page.evaluate("window.shifts") <= MAX_SHIFT, path


def test_the_rating_is_seen_on_a_phone(page: Page, site: Site) -> None:
    page.set_viewport_size(PHONE)
    page.goto(site.at("file", "index.html"))
    box = page.locator("table.leaderboard td.strong").first.bounding_box()
    assert box
    assert box["x"] + box["width"] <= PHONE["width"]


def test_a_phone_shows_whole_captions(page: Page, site: Site) -> None:
    page.set_viewport_size(PHONE)
    page.goto(site.at("file", bot_page("ann")))
    rights = "all => all.map((one) => one.getBoundingClientRect().right)"
    ends = page.eval_on_selector_all("caption:not(.unseen)", rights)
    assert ends
    assert max(ends) <= PHONE["width"]


@each_way
def test_a_theme_is_chosen_and_remembered(page: Page, site: Site, way: str) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="light")
    page.goto(site.at(way, "index.html"))
    light = page.evaluate(ground)
    page.get_by_label("Theme").select_option("dark")
    dark = page.evaluate(ground)
    assert dark != light
    page.goto(site.at(way, bot_page("ann")))
    assert page.evaluate(ground) == dark
    expect(page.get_by_label("Theme")).to_have_value("dark")
    page.emulate_media(media="print")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    page.emulate_media(media="screen")
    page.get_by_label("Theme").select_option("")
    assert page.evaluate(ground) == light


def test_on_paper_a_table_has_all_its_columns(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 without its margins
    page.emulate_media(media="print")
    for path in KINDS:
        page.goto(site.at("file", path))
        ends = page.eval_on_selector_all(
            "main > table, main > .scroll > table, section > .scroll > table",
            "all => all.map((one) => one.getBoundingClientRect().right)",
        )
        assert ends
        assert max(ends) <= 720, path
        assert not page.locator("nav").is_visible()


@each_way
def test_any_bot_can_be_drawn_in_the_course(page: Page, site: Site, way: str) -> None:
    page.goto(site.at(way, "index.html"))
    offered = page.locator("#chooser-bot option").all_inner_texts()
    assert sorted(offered[1:]) == sorted(NAMES)
    leaders, drawn = page.locator("#course"), page.locator(".picture.chosen")
    for number, name in enumerate((HOSTILE, "bob"), 1):
        page.select_option("#chooser-bot", label=name)
        expect(drawn.locator("polyline")).to_have_count(number)
        assert any(name.startswith(one[:25]) for one in drawn.locator(".bot").all_text_contents())
    assert not leaders.is_visible()
    page.get_by_role("button", name="Remove bob").click()
    assert drawn.locator(".bot").all_text_contents() == [f"{HOSTILE[:25]}…"]
    page.get_by_role("button", name="Remove").click()
    assert drawn.count() == 0
    assert leaders.is_visible()


@each_way
def test_replays_are_filtered_by_bot_variant_and_result(page: Page, site: Site, way: str) -> None:
    page.goto(site.at(way, bot_page("ann")))
    page.get_by_role("link", name="The lost ones in the list of replays").click()
    shown = page.locator("table.games tbody tr:not([hidden])")
    lost = [one for one in site.records if one.ranks[one.entrants.index("ann")] > 1]
    expect(shown).to_have_count(len(lost))
    expect(page.locator("#filters select[name=bot]")).to_have_value("ann")
    page.locator("#filters select[name=variant]").select_option("pot-de-vin/3")
    some = [one for one in lost if one.variant == "pot-de-vin/3"]
    expect(shown).to_have_count(len(some))
    assert "variant=pot-de-vin%2F3" in page.url
    page.locator("#filters select[name=result]").select_option("fault")
    own = [one.faults_of(one.entrants.index("ann")) for one in some]
    expect(shown).to_have_count(sum(map(bool, own)))
    page.reload()
    expect(shown).to_have_count(sum(map(bool, own)))
    expect(page.locator("#filters output")).to_have_text(
        f"{sum(map(bool, own))} of {len(site.records)} shown"
    )


def test_a_page_reloads_by_itself_when_wanted(page: Page, site: Site) -> None:
    """Only the state of a run that is under way is watched."""
    state = {"played": 1, "scheduled": 9, "over": False, "may_end_before": False}
    times = iter([f"2026-01-01T00:0{minute}:00Z" for minute in (0, 0, 0, 1, 1, 1, 1, 1)])

    def answer(route: Route) -> None:
        told = msgspec.json.encode(state | {"updated": next(times)}).decode()
        route.fulfill(body=f"showState({told});", content_type="text/javascript")

    page.clock.install()
    page.route("**/static/state.js*", answer)
    page.goto(site.at("http", "about.html"))
    expect(page.locator("#state")).to_contain_text("Under way: 1 of 9 games. Updated")
    loads: list[str] = []
    page.on("load", lambda loaded: loads.append(loaded.url))
    with page.expect_response("**/state.js?*"):
        page.get_by_label("Reload by itself").check()
    with page.expect_response("**/state.js?*"):
        page.clock.run_for(31_000)
    assert loads == []
    with page.expect_event("load"):
        page.clock.run_for(31_000)
    expect(page.locator("#state time")).to_have_attribute("datetime", "2026-01-01T00:01:00Z")
    expect(page.get_by_label("Reload by itself")).to_be_checked()
