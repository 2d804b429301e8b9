"""A server with a real address, and Chromium to show its pages.

Tests that need Chromium are skipped with a message if it is missing. axe-core is installed by
the extra `serve-test`.
"""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from arena.extras.serve.app import application
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.publish.browsing import PATIENCE_MS, failure_of

PHONE = ViewportSize(width=375, height=812)
DESKTOP = ViewportSize(width=1280, height=800)
OF_LAYOUT = {"runOnly": ["scrollable-region-focusable", "target-size", "empty-table-header"]}
"""The rules of axe-core that depend on the size of the screen."""


class Served(NamedTuple):
    site: ContestSite
    url: str

    def link_of(self, person: ContestPerson) -> str:
        return f"{self.url}/sign-in/{self.site.people.make_key(person.id, 'link')}"


@contextmanager
def serving(site: ContestSite) -> Iterator[Served]:
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(application(site), log_level="warning", lifespan="on")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield Served(site, f"http://127.0.0.1:{listening.getsockname()[1]}")
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def watch(context: BrowserContext, url: str, wrong: list[str]) -> None:
    """Record a page's messages, errors, and requests to other servers."""
    context.set_default_timeout(PATIENCE_MS)
    context.on("console", lambda result: wrong.append(f"console {result.type}: {result.text}"))
    context.on("weberror", lambda error: wrong.append(f"error: {error.error}"))
    context.on("requestfailed", lambda request: wrong.extend(failure_of(request)))
    context.on(
        "request",
        lambda request: None if request.url.startswith(url) else wrong.append(request.url),
    )
    context.on(
        "response",
        lambda answer: (
            wrong.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None
        ),
    )


@contextmanager
def watched_page(browser: Browser, url: str, scripts: bool = True) -> Iterator[Page]:
    """Yield a page of the server at `url`, and check at the end that nothing went wrong."""
    wrong: list[str] = []
    with browser.new_context(viewport=DESKTOP, java_script_enabled=scripts) as context:
        watch(context, url, wrong)
        yield context.new_page()
    assert wrong == [], wrong


@contextmanager
def signed_in(
    browser: Browser, served: Served, person: ContestPerson, scripts: bool = True
) -> Iterator[Page]:
    """Yield a page on which a person is signed in, and check at the end that nothing went wrong."""
    with watched_page(browser, served.url, scripts) as page:
        page.goto(served.link_of(person))
        page.click("main button")
        page.wait_for_url(lambda url: "/sign-in/" not in url)
        yield page


def problems_of(page: Page) -> list[str]:
    """Return the problems of a page on a phone and on a desktop.

    These are the findings of axe-core, each with its first element, and parts wider than the
    screen.
    """
    from axe_playwright_python.sync_playwright import Axe  # of `serve-test`

    path = urlsplit(page.url).path
    found = []
    for size, options in ((PHONE, OF_LAYOUT), (DESKTOP, None)):
        page.set_viewport_size(size)
        found += [
            f"{path}: {one['id']}: {one['help']}: {one['nodes'][0]['html']}"
            for one in Axe().run(page, options=options).response["violations"]
        ]
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > size["width"]:
            found.append(f"{path}: {width} pixels wide on a screen of {size['width']}")
    return found


def check_page(page: Page) -> None:
    found = problems_of(page)
    assert not found, found
