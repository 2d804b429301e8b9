"""Tests of the ladder in Chromium: live updates and accessibility."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.extras.serve.in_chromium import Served, check_page, serving, signed_in
from tests.arena.extras.serve.sample_boards import (
    keys_of,
    make_boards,
    play_run,
    settings_of_ladder,
)
from tests.arena.extras.serve.visiting import Clock
from tests.arena.publish.browsing import needs_chromium

pytestmark = needs_chromium


@pytest.fixture
def served(
    site: ContestSite, ann: ContestPerson, bob: ContestPerson, clock: Clock
) -> Iterator[Served]:
    play_run(site.folder / "results/spring", settings_of_ladder(12), is_over=False)
    make_boards(site.contest_file, clock).update()
    with serving(site) as running:
        yield running


def games_of(page: Page, name: str) -> str:
    row = page.locator("#live table.leaderboard").first.locator("tr", has_text=name)
    return row.locator("td").nth(4).inner_text()


def test_board_updates_live(
    browser: Browser, served: Served, ann: ContestPerson, clock: Clock
) -> None:
    with signed_in(browser, served, ann) as page:
        page.goto(f"{served.url}/")
        before = games_of(page, "Ann Lee")
        page.evaluate("window.isTheSamePage = true")
        page.locator("main").focus()
        with page.expect_response("**/board"):
            play_run(served.site.folder / "results/spring", settings_of_ladder(24))
            make_boards(served.site.contest_file, clock).update()
        expect(page.locator("#live .status")).to_contain_text("All 24 games have been played")
        assert games_of(page, "Ann Lee") != before
        assert page.evaluate("window.isTheSamePage")
        page.locator("#live table.leaderboard th button", has_text="Faults").click()
        expect(page.locator("#live th[aria-sort=descending]")).to_have_text("Faults")


def test_ladder_pages_are_accessible_and_fit(
    browser: Browser, served: Served, ann: ContestPerson
) -> None:
    key = keys_of(served.site.folder / "results/spring")[0]
    with signed_in(browser, served, ann) as page:
        for path in ("/", "/bots/ann", "/bots/bob", f"/games/{key}"):
            page.goto(f"{served.url}{path}")
            check_page(page)


def test_ladder_works_without_scripts(browser: Browser, served: Served, ann: ContestPerson) -> None:
    with signed_in(browser, served, ann, scripts=False) as page:
        page.goto(f"{served.url}/")
        expect(page.locator("#live table.leaderboard").first).to_contain_text("Ann Lee")
        page.locator("section[aria-labelledby=latest] th a").first.click()
        expect(page.locator("#result")).to_be_visible()


def test_content_security_policy_allows_replays(
    browser: Browser, served: Served, ann: ContestPerson
) -> None:
    key = keys_of(served.site.folder / "results/spring")[0]
    with signed_in(browser, served, ann) as page:
        page.goto(f"{served.url}/games/{key}")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#count")).to_contain_text("1 /")
        expect(page.locator("#table")).to_contain_text("Ann Lee")
