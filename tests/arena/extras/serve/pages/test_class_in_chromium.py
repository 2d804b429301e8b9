"""Tests of the class pages in Chromium: accessibility, phones, and a lost network connection."""

import pytest
from playwright.sync_api import Browser, expect

from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.extras.serve.in_chromium import check_page, serving, signed_in
from tests.arena.extras.serve.sample_submissions import GOOD
from tests.arena.publish.browsing import needs_chromium

pytestmark = [needs_chromium, pytest.mark.slow]


def test_class_pages_are_accessible(
    site: ContestSite,
    teacher: ContestPerson,
    ann: ContestPerson,
    bob: ContestPerson,
    browser: Browser,
) -> None:
    with serving(site) as served, signed_in(browser, served, teacher) as page:
        for path in ("", "/grades", "/roster", "/students/ann"):
            page.goto(f"{served.url}/teacher{path}")
            check_page(page)


def test_forms_survive_a_lost_network(
    site: ContestSite, ann: ContestPerson, browser: Browser
) -> None:
    with serving(site) as served, browser.new_context() as context:
        page = context.new_page()
        page.goto(served.link_of(ann))
        page.click("main button")
        page.wait_for_url("**/me")  # with its scripts, which need the network
        page.set_input_files(
            "#upload input[type=file]", {"name": "bot.py", "mimeType": "", "buffer": GOOD}
        )
        context.set_offline(True)
        page.click("#upload button")
        expect(page.locator("#offline")).to_contain_text("Trying again")
        assert page.url.endswith("/me")
        context.set_offline(False)
        page.wait_for_url("**/submissions/1")
        expect(page.locator("h1")).to_have_text("Submission 1")
