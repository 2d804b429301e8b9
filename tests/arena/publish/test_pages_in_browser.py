"""The pages of a run's site in a browser, opened as files and from a server.

The replays' module tries a browser in the default tests; a second browser takes them 15 seconds.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.publish.layout import bot_page, replay_page
from tests.arena.publish.browsing import (
    NAMES,
    PHONE,
    VARIANTS,
    Site,
    needs_chromium,
)

pytestmark = [needs_chromium, pytest.mark.slow]


# -- the whole site ------------------------------------------------------------------------------


def test_every_page_fits_a_phone(page: Page, site: Site) -> None:
    """Tables that are wider than the phone scroll in their own box, without their captions."""
    page.set_viewport_size(PHONE)
    rights = "all => all.map((one) => one.getBoundingClientRect().right)"
    wide = []
    for path in sorted(site.folder.rglob("*.html")):
        page.goto(path.as_uri())
        ends = page.eval_on_selector_all("caption:not(.unseen)", rights)
        width = page.evaluate("document.documentElement.scrollWidth")
        wide += [path] if max([width, *ends]) > PHONE["width"] else []
    assert wide == []
    page.goto(site.at("file", "index.html"))
    ends = page.eval_on_selector_all("table.leaderboard td.score", rights)
    assert ends[0] <= PHONE["width"], "the score is seen without scrolling"


def test_click_sorts_a_table(page: Page, site: Site) -> None:
    page.goto(site.at("file", "index.html"))
    table = page.locator("table.leaderboard").first
    names = table.locator("tbody th")
    heading = table.locator("thead button", has_text="Bot")
    heading.click()
    assert table.locator("[aria-sort=ascending]").inner_text().startswith("Bot")
    rising = names.all_inner_texts()
    heading.click()
    assert names.all_inner_texts() == rising[::-1]
    assert sorted(rising) == sorted(NAMES)


def test_text_is_readable(page: Page, site: Site) -> None:
    measure = Path(__file__).with_name("contrast.js").read_text()
    replays = [replay_page(site.game(variant).key) for variant in VARIANTS]
    for path in ("index.html", bot_page("ann"), *[f"{replay}#30" for replay in replays]):
        page.goto(site.at("file", path))
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate(measure) == [], (path, scheme)


# -- what all pages share ------------------------------------------------------------------------

KINDS = ("index.html", bot_page("ann"), "games/index.html", "variant/pot-de-vin-3.html")
SHIFTS = """window.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""
MAX_SHIFT = 0.1


@pytest.mark.parametrize("width", [390, 1440])
def test_page_loads_without_layout_shift(page: Page, site: Site, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.add_init_script(SHIFTS)
    replay = replay_page(site.game("pot-de-vin/3").key)
    for path in (*KINDS, "game/bribery.html", "about.html", replay):
        page.goto(site.at("http", path))
        assert page.evaluate("window.shifts") <= MAX_SHIFT, path


@pytest.mark.parametrize("way", ["file", "http"])
def test_theme_is_remembered(page: Page, site: Site, way: str) -> None:
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


def test_printed_table_has_all_columns(page: Page, site: Site) -> None:
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


def test_tap_expands_a_row(page: Page, site: Site) -> None:
    page.set_viewport_size(PHONE)
    page.goto(site.at("file", "index.html#of-bribery"))
    expect(page.get_by_role("tab", name="Bribery")).to_have_attribute("aria-selected", "true")
    table = page.locator("#of-bribery table.leaderboard")
    assert not table.get_by_text("Points per game").is_visible()
    table.get_by_role("button", name="More about ann").click()
    expect(table.locator("tr.more")).to_contain_text("Points per game")
    table.get_by_role("button", name="More about ann").click()
    expect(table.locator("tr.more")).to_have_count(0)
    page.goto(site.at("file", "index.html?embed"))
    assert not page.locator("header").is_visible()
    assert page.locator("#all table.leaderboard").is_visible()


def test_filters_replays(page: Page, site: Site) -> None:
    page.goto(site.at("file", bot_page("ann")))
    page.get_by_role("link", name="Replays of its lost games").click()
    shown = page.locator("table.games tbody tr:not([hidden])")
    lost = [one for one in site.records if one.ranks[one.entrants.index("ann")] > 1]
    expect(shown).to_have_count(len(lost))
    expect(page.locator("#filters select[name=bot]")).to_have_value("ann")
    page.locator("#filters select[name=variant]").select_option("pot-de-vin/3")
    some = [one for one in lost if one.variant == "pot-de-vin/3"]
    expect(shown).to_have_count(len(some))
    expect(page).to_have_url(re.compile("variant=pot-de-vin%2F3"))
    page.locator("#filters select[name=other]").select_option("bob")
    expect(shown).to_have_count(len(some))
    page.locator("#filters select[name=result]").select_option("fault")
    own = [one.faults_of(one.entrants.index("ann")) for one in some]
    expect(shown).to_have_count(sum(map(bool, own)))
    page.reload()
    expect(shown).to_have_count(sum(map(bool, own)))
    expect(page.locator("#filters output")).to_have_text(
        f"{sum(map(bool, own))} of {len(site.records)} shown"
    )
