"""Tests of the pages of a site: harmless with any names, accessible, and with pictures."""

import re
import unicodedata
from itertools import pairwise

from tests.arena.publish.sites import HOSTILE, Made, Page, bytes_in

# -- each page ---------------------------------------------------------------------------------


def runs_only_our_scripts(page: Page) -> bool:
    scripts = [one for one in page.all("script") if one.attributes.get("type") is None]
    sources = [one.attributes.get("src") or "" for one in scripts]
    handlers = [name for one in page.elements for name in one.attributes if name.startswith("on")]
    ours = [
        bool(re.search(r"^(\.\./)*/?([\w-]+/)*static/|^[0-9a-f]+\.js$", one)) for one in sources
    ]
    return all(ours) and not handlers and not any(one.text.strip() for one in scripts)


def forbids_other_hosts(page: Page) -> bool:
    (policy,) = [
        one.attributes["content"] or ""
        for one in page.all("meta")
        if one.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    return policy.startswith("default-src 'none'; script-src 'self' file:;")


def has_headings_in_order(page: Page) -> bool:
    levels = [int(one.tag[1]) for one in page.all("h1", "h2", "h3", "h4")]
    steps = [now - before for before, now in pairwise(levels)]
    return levels.count(1) == 1 == levels[0] and max(steps, default=0) <= 1


def can_be_skipped_into(page: Page) -> bool:
    (main,) = page.all("main")
    return (page.all("a")[0].attributes["href"], main.attributes.get("id")) == ("#main", "main")


def has_language_and_titles(page: Page) -> bool:
    properties = {one.attributes.get("property"): one.attributes for one in page.all("meta")}
    (title,) = [one.text.strip() for one in page.all("title")]
    has_title = bool(title) and properties["og:title"]["content"] == title
    has_description = bool(properties["og:description"]["content"])
    return page.all("html")[0].attributes["lang"] == "en" and has_title and has_description


def has_each_id_once(page: Page) -> bool:
    ids = [one.attributes["id"] for one in page.elements if "id" in one.attributes]
    return len(ids) == len(set(ids))


def has_captions_and_headings(page: Page) -> bool:
    captions = [one.text.strip() for one in page.all("caption")]
    scopes = [one.attributes.get("scope") for one in page.all("th")]
    return len(captions) == len(page.all("table")) and all([*captions, *scopes])


CHECKS = [
    runs_only_our_scripts, forbids_other_hosts, has_headings_in_order, can_be_skipped_into,
    has_language_and_titles, has_each_id_once, has_captions_and_headings,
]  # fmt: skip


def test_each_page_passes_all_checks(made: Made) -> None:
    for path, page in made.pages.items():
        assert [check.__name__ for check in CHECKS if not check(page)] == [], path


def test_escapes_names(made: Made) -> None:
    index = (made.folder / "index.html").read_text()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in index
    assert r"\x1b[31mred" in index
    assert not [path for path in made.pages if HOSTILE in (made.folder / path).read_text()]
    for name, data in bytes_in(made.folder).items():
        if name.endswith((".csv", ".html", ".css", ".js", ".xml", ".txt")):  # the others are data
            text = data.decode()
            odd = {c for c in text if unicodedata.category(c) in ("Cc", "Cf") and c != "\n"}
            assert not odd - {"\t"}, f"{name}: {odd}"
