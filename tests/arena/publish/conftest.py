"""What the tests of sites share: sites to be read, and a browser that shows one."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from tests.arena.publish.browsing import Site, chromium, make_site, serving, watch
from tests.arena.publish.sites import Made, make_hostile_site
from tests.sharing import shared_folder


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A site of three variants and five bots with evil names, to be read only."""
    return Made(shared_folder(tmp_path_factory, "hostile-site", make_hostile_site))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site of a small run below a path of a server. Tests may add pages."""
    with serving(shared_folder(tmp_path_factory, "small-site", make_site)) as served:
        yield served


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def wrong() -> list[str]:
    """Return what the pages complain of; see `watched`."""
    return []


@pytest.fixture
def context(browser: Browser, site: Site, wrong: list[str]) -> Iterator[BrowserContext]:
    """Return a new profile without motion; at its end, nothing may have gone wrong in it."""
    viewport = ViewportSize(width=1280, height=800)
    with browser.new_context(viewport=viewport, reduced_motion="reduce") as fresh:
        watch(fresh, site, wrong)
        yield fresh
    assert wrong == []


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()
