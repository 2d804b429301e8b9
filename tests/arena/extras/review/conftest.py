"""The browser and the small site of the tests of pages."""

from tests.arena.publish.conftest import browser, context, page, site, wrong  # noqa: F401
