"""The panel of a review in a browser: its graph, its list and its keys."""

from functools import partial
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.base.record import NO_OBSERVATIONS
from arena.extras.review.review import GameReview
from arena.plugins import replay_panels
from arena.publish.layout import STATIC, replay_page
from arena.publish.render import Renderer
from arena.publish.replay_panels import StoredPanel, show_panels, static_of
from arena.publish.replays import files_of
from tests.arena.extras.review.made_reviews import MISTAKES, make_game_review, stored
from tests.arena.publish.browsing import Site, needs_chromium, step_of, watch

pytestmark = needs_chromium

SEAT = 1


@pytest.fixture(scope="module")
def review(site: Site) -> GameReview:
    """A review of a game of the site, which is on the page of the game."""
    record = site.game("pot-de-vin/3")
    made, panel = make_game_review(record, SEAT), replay_panels.named("review")
    show = partial(show_panels, [StoredPanel(panel, stored(made))], notice=pytest.fail)
    for path, content in files_of(record, NO_OBSERVATIONS, Renderer("spring", []), show=show):
        data = content.encode() if isinstance(content, str) else content
        (site.folder / path).write_bytes(data)
    for name, file in static_of(panel).items():
        (site.folder / STATIC / name).write_bytes(file)
    return made


def moves_of(review: GameReview) -> list[int]:
    """Return the moves of the mistakes in the order of the game."""
    return [review.decisions[at].move for at in MISTAKES]


def open_review(page: Page, site: Site, review: GameReview, hash: str = "") -> None:
    page.goto(site.at("file", replay_page(review.key)) + hash)


def test_marks_links_and_keys_show_mistakes(page: Page, site: Site, review: GameReview) -> None:
    first, second = moves_of(review)
    open_review(page, site, review)
    better = page.locator("#now .better")
    assert better.count() == 0
    page.locator(f".of-review a[href='#{second}'] circle").click()
    expect(page.locator(".of-review a.is-shown")).to_have_attribute("href", f"#{second}")
    assert step_of(page) == second
    assert "Better: " in better.inner_text()
    page.locator("#moves").focus()
    page.keyboard.press("m")
    expect(page.locator("#count")).to_contain_text(f"{first} /")
    page.get_by_role("button", name="Next mistake").press("Enter")
    expect(page.locator("#count")).to_contain_text(f"{second} /")
    page.locator(".mistakes a").last.press("Enter")
    expect(page.locator("#count")).to_contain_text(f"{first} /")
    expect(page.locator("#table")).to_be_in_viewport()
    # The address follows a step late, so a link may be to the one that it still has.
    page.evaluate(
        """first => {
            history.replaceState(null, "", `#${first}`);
            document.querySelector("#next").click();
            document.querySelector(`.mistakes a[href="#${first}"]`).click();
        }""",
        first,
    )
    assert step_of(page) == first
    page.locator(".of-review").click(position={"x": 2, "y": 30})
    expect(page.locator("#count")).to_contain_text("0 /")
    page.locator("#seat").focus()
    page.keyboard.press("m")  # is the list's own
    page.locator("#help").click()
    page.uncheck("#keys-on")
    page.locator("#help").press("m")
    assert step_of(page) == 0


def test_hides_better_action_from_other_seats(page: Page, site: Site, review: GameReview) -> None:
    move = moves_of(review)[0]
    for seat, is_shown in ((SEAT, True), (SEAT + 1, False)):
        page.goto(site.at("file", "index.html"))  # else only the address changes
        open_review(page, site, review, f"#{move}&seat={seat}")
        assert step_of(page) == move
        assert (page.locator("#now .better").count() == 1) == is_shown


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(375, "dark"), (1280, "light")])
def test_review_fits_the_page(
    browser: Browser,
    site: Site,
    review: GameReview,
    wrong: list[str],
    width: int,
    scheme: Literal["light", "dark"],
) -> None:
    axe: Any = pytest.importorskip("axe_playwright_python.sync_playwright")
    viewport: Any = {"width": width, "height": 800}
    with browser.new_context(viewport=viewport, color_scheme=scheme) as context:
        watch(context, site, wrong)
        page = context.new_page()
        page.goto(f"{site.at('http', replay_page(review.key))}#{moves_of(review)[0]}")
        assert page.locator("#now .better").is_visible()
        assert page.locator(".course .of-review").is_visible()
        found = axe.Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert wrong == []


def test_lists_mistakes_without_scripts(
    browser: Browser, site: Site, review: GameReview, wrong: list[str]
) -> None:
    with browser.new_context(java_script_enabled=False) as plain:
        watch(plain, site, wrong)
        page = plain.new_page()
        open_review(page, site, review)
        assert page.locator(".review .of-review").is_visible()
        page.locator(".mistakes a").first.click()
        row = page.locator("noscript tr:target td").first
        assert row.inner_text() == str(moves_of(review)[1])
    assert wrong == []
