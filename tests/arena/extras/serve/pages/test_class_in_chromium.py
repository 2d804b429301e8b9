"""Tests of the class pages in Chromium: accessibility, phones, and double clicks."""

import pytest
from playwright.sync_api import Browser, expect

from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.extras.serve.in_chromium import check_page, serving, signed_in
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


def test_double_click_sends_a_form_once(
    site: ContestSite, teacher: ContestPerson, browser: Browser
) -> None:
    with serving(site) as served, signed_in(browser, served, teacher) as page:
        page.goto(f"{served.url}/teacher/roster")
        page.fill("form[action$='roster/add'] [name=name]", "Kim")
        page.dblclick("form[action$='roster/add'] button")
        expect(page.locator("main")).to_contain_text("/sign-in/")
        assert [person.name for person in site.people.students()] == ["Kim"]
