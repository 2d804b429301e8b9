"""Tests of games against bots in Chromium: clicks on cards, and phones."""

import dataclasses
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from arena.bot import Bot
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.play.browser_game import state_of
from arena.extras.serve.play.live_tables import LiveTables
from arena.extras.serve.web.contest_site import ContestSite
from arena.tournament.agents import ClassAgent
from tests.arena.extras.serve.in_chromium import Served, check_page, serving, signed_in
from tests.arena.playing import WAIT_S
from tests.arena.publish.browsing import needs_chromium

pytestmark = needs_chromium

POT_DE_VIN = "pot-de-vin/3"
EACH_GAME = (POT_DE_VIN, "bribery/3-advanced", "brides-and-bribes/3")


@pytest.fixture
def contest_file(contest_file: Path) -> Path:
    variants = ", ".join([f'"{one}"' for one in (*EACH_GAME, "bribery/2")])
    text = contest_file.read_text()
    contest_file.write_text(text.replace('variants = ["pot-de-vin/3"]', f"variants = [{variants}]"))
    return contest_file


@pytest.fixture
def clock() -> Callable[[], float]:
    """The site's clock, which advances, so that the rate limit allows many requests."""
    return time.time


@pytest.fixture
def served(site: ContestSite) -> Iterator[Served]:
    with serving(site) as one:
        yield one


def begin(page: Page, served: Served, variant_id: str = POT_DE_VIN) -> None:
    """Start a game with the form of its variant."""
    page.click("nav >> text=Play")
    form = page.locator("main form", has=page.locator(f"option[value='{variant_id}']"))
    form.locator("[name=variant]").select_option(variant_id)
    form.locator("button").click()
    expect(page.locator("#game")).to_have_attribute("data-state", "asked")
    page.wait_for_load_state()  # its scripts have begun


def move_of(page: Page) -> int:
    return int(page.input_value("#choices [name=move]"))


def expect_next(page: Page, move: int) -> None:
    """Wait until it is the person's turn again or the game is finished."""
    page.wait_for_function(
        """move => {
            const state = document.getElementById("game")?.dataset.state;
            const now = document.querySelector("#choices [name=move]");
            return state === "done" || (state === "asked" && Number(now.value) > move);
        }""",
        arg=move,
    )


def play_out(page: Page, site: ContestSite) -> None:
    """Choose the first action until the game is finished, and open the last page."""
    game_id = page.url.rpartition("/")[2]
    while (stored := site.games.get(game_id)) and not stored.is_over:
        choice = state_of(stored.game).legal_actions()[0]
        now = msgspec.structs.replace(stored.game, actions=(*stored.game.actions, choice))
        assert site.games.extend(game_id, stored.game, now)
        site.tables.go_on(game_id, stored.person).result(WAIT_S)
    page.reload()


@pytest.mark.slow
@pytest.mark.parametrize("variant_id", EACH_GAME)
def test_game_pages_are_accessible_and_fit(
    browser: Browser, served: Served, ann: ContestPerson, variant_id: str
) -> None:
    with signed_in(browser, served, ann) as page:
        page.goto(f"{served.url}/play")
        check_page(page)
        begin(page, served, variant_id)
        for _ in range(4):
            expect(page.locator("#game")).to_have_attribute("data-state", "asked")
            move = move_of(page)
            page.locator("#choices button").last.click()
            expect_next(page, move)
        check_page(page)
        for summary in page.locator("main summary").all():
            summary.click()
        check_page(page)
        play_out(page, served.site)
        expect(page.locator("#task")).to_have_text("The end")
        check_page(page)
        page.click("text=Watch the replay")
        expect(page.locator("#replay")).to_be_visible()
        check_page(page)
        page.click("text=The rules")
        expect(page.locator("h1")).to_be_visible()


def test_click_plays_a_card(browser: Browser, served: Served, ann: ContestPerson) -> None:
    with signed_in(browser, served, ann) as page:
        begin(page, served)
        page.evaluate("window.mark = 1")
        move = move_of(page)
        card = page.locator("#table .playable.lit[data-slug*='-']").last
        name = str(card.get_attribute("data-slug")).replace("-", " ").capitalize()
        card.click()
        expect_next(page, move)
        assert f"you play {name}" in page.locator(".story").inner_text()
        hidden = page.locator('#table [data-id^="hidden-"]')
        seats = hidden.evaluate_all("all => all.map(one => one.dataset.id.split('-')[1])")
        assert len({*seats}) == 2, "no hand but the own one is open"
        assert page.evaluate("window.mark") == 1, "the page is not reloaded"
        assert page.locator("#task").inner_text() in page.locator("#spoken").inner_text()


def test_clicks_place_a_bribe(browser: Browser, served: Served, ann: ContestPerson) -> None:
    with signed_in(browser, served, ann) as page:
        begin(page, served, "bribery/2")
        move = move_of(page)
        values = [str(one.get_attribute("value")) for one in page.locator("#choices button").all()]
        bribe = next(one for one in values if one.startswith("bribe"))
        _, card, official = bribe.split()
        page.locator(f'#table [data-slug="{card}"]').click()
        assert page.locator("#table .meant").count() > 0
        page.locator(f'#table [data-id="{official}"]').click()
        expect_next(page, move)
        expect(page.locator(f'#table [data-id="{card}"]')).to_be_visible()


class Held(Bot):
    goes = threading.Event()

    def act(self, view: Any, legal: Sequence[str]) -> str:
        assert self.goes.wait(WAIT_S)
        return legal[0]


def test_page_updates_automatically(
    browser: Browser, site: ContestSite, ann: ContestPerson
) -> None:
    Held.goes.clear()
    tables = LiveTables(site.games, lambda _: ClassAgent(Held))
    try:
        with (
            serving(dataclasses.replace(site, tables=tables)) as served,
            signed_in(browser, served, ann) as page,
        ):
            page.goto(f"{served.url}/play")
            form = page.locator("main form", has=page.locator("option[value='bribery/2']"))
            form.locator("[name=variant]").select_option("bribery/2")
            form.locator("button").click()
            if page.get_attribute("#game", "data-state") == "asked":
                page.locator("#choices button").first.click()
            expect(page.locator("#game")).to_have_attribute("data-state", "waiting")
            expect(page.locator("#task")).to_have_text("The bots are thinking…")
            check_page(page)
            Held.goes.set()
            expect(page.locator("#game")).to_have_attribute("data-state", "asked")
    finally:
        Held.goes.set()
