"""Tests of the pages of a site: harmless with any names, accessible, and with pictures."""

import csv
import json
import re
import unicodedata
from itertools import pairwise

import pytest

from arena.base.protocol import printable
from arena.publish.emblems import COLORS
from arena.publish.layout import bot_page
from tests.arena.publish.sites import HOSTILE, NAMES, Made, bytes_in, target

# -- harmless ----------------------------------------------------------------------------------


def test_no_script_runs_but_ours(made: Made) -> None:
    for path, page in made.pages.items():
        for one in page.all("script"):
            source = one.attributes.get("src")
            if one.attributes.get("type") == "application/json":
                continue  # data, which no browser runs
            assert source, f"{path} has a script in the page"
            assert not one.text.strip()
            assert "static/" in source or path.startswith("games/")
        for one in page.elements:
            assert not [name for name in one.attributes if name.startswith("on")], path
        assert HOSTILE not in (made.folder / path).read_text(), path


def test_names_are_shown_as_they_are_but_steer_nothing(made: Made) -> None:
    index = (made.folder / "index.html").read_text()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in index
    assert r"\x1b[31mred" in index
    for name, data in bytes_in(made.folder).items():
        if name.endswith((".csv", ".html", ".css", ".js", ".xml", ".txt")):  # the others are data
            text = data.decode()
            odd = {c for c in text if unicodedata.category(c) in ("Cc", "Cf") and c != "\n"}
            assert not odd - {"\t"}, f"{name}: {odd}"


def test_a_policy_in_each_page_forbids_other_hosts(made: Made) -> None:
    for path, page in made.pages.items():
        (policy,) = [
            one.attributes["content"]
            for one in page.all("meta")
            if one.attributes.get("http-equiv") == "Content-Security-Policy"
        ]
        assert policy, path
        assert policy.startswith("default-src 'none'; script-src 'self' file:;")


# -- accessible --------------------------------------------------------------------------------


def test_headings_have_an_order(made: Made) -> None:
    for path, page in made.pages.items():
        levels = [int(one.tag[1]) for one in page.all("h1", "h2", "h3", "h4")]
        assert levels.count(1) == 1, path
        assert levels[0] == 1, path
        assert all(now <= before + 1 for before, now in pairwise(levels)), path


def test_pages_say_their_language_and_title_and_can_be_skipped_into(made: Made) -> None:
    titles = [page.all("title")[0].text for page in made.pages.values()]
    assert all(titles)
    for path, page in made.pages.items():
        assert page.all("html")[0].attributes["lang"] == "en", path
        assert page.all("a")[0].attributes["href"] == "#main", path
        assert [one.attributes.get("id") for one in page.all("main")] == ["main"], path


def test_ids_are_there_once(made: Made) -> None:
    for path, page in made.pages.items():
        ids = [one.attributes["id"] for one in page.elements if "id" in one.attributes]
        assert len(ids) == len(set(ids)), path


def test_tables_have_captions_and_headings(made: Made) -> None:
    tables = 0
    for path, page in made.pages.items():
        tables += len(page.all("table"))
        captions = [one.text.strip() for one in page.all("caption")]
        assert len(captions) == len(page.all("table")), path
        assert all(captions), path
        assert all(one.attributes.get("scope") for one in page.all("th")), path
    assert tables > 20


def test_each_chart_is_told_in_words_and_in_numbers(made: Made) -> None:
    for path in ("index.html", "variant/pot-de-vin-3.html", bot_page("plain")):
        page = made.pages[path]
        drawn = [one for one in page.all("div") if one.attributes.get("class") == "chart"]
        assert drawn, path
        data = {one.attributes["id"]: one.text for one in page.all("script") if one.text.strip()}
        for one in drawn:
            assert one.attributes["role"] == "img"
            assert one.attributes["aria-label"]
            assert json.loads(data[f"{one.attributes['data-chart']}-data"])["kind"]
        numbers = [one for one in page.all("details") if one.attributes.get("class") == "numbers"]
        assert len(numbers) == len(drawn), path


def test_each_chart_is_a_file_with_its_numbers(made: Made) -> None:
    files = set(made.folder.rglob("charts/**/*.csv"))
    links = {
        target(made.folder, path, link)[0]
        for path, page in made.pages.items()
        for link in page.links()
        if "files/charts/" in link
    }
    assert links == {file.resolve() for file in files}
    for file in files:
        lines = list(csv.reader(file.read_text().splitlines()))
        assert {len(line) for line in lines} == {len(lines[0])}
    course = made.folder / "files/charts/index/course.csv"
    bots = {line["bot"] for line in csv.DictReader(course.read_text().splitlines())}
    assert bots == {printable(name) for name in NAMES}


def test_pages_have_what_other_sites_show_of_them(made: Made) -> None:
    for path, page in made.pages.items():
        told = {one.attributes.get("property"): one.attributes for one in page.all("meta")}
        assert told["og:title"]["content"] == page.all("title")[0].text.strip(), path
        assert told["og:description"]["content"], path
        assert "og:image" not in told, "its address would have to be absolute"


def luminance(color: str) -> float:
    """Return the relative luminance of `#rrggbb`, as WCAG defines it."""
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_can_be_read_in_both_schemes(made: Made, scheme: int) -> None:
    style = (made.folder / "static/style.css").read_text()
    pairs = re.findall(r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", style)
    colors = {name: both[scheme] for name, *both in pairs}
    texts = ["ink", "muted", "accent", "fault", *[f"bot-{one + 1}" for one in range(COLORS)]]
    for text in texts:
        for ground in ("paper", "raised"):
            assert contrast(colors[text], colors[ground]) >= 4.5, (text, ground)
    for deepest in ("cell-good", "cell-bad"):  # 60 % of it on paper
        parts = [
            round(0.6 * int(colors[deepest][at : at + 2], 16)
                  + 0.4 * int(colors["paper"][at : at + 2], 16))
            for at in (1, 3, 5)
        ]  # fmt: skip
        assert contrast(colors["ink"], "#" + "".join(f"{part:02x}" for part in parts)) >= 4.5
    for text, ground in (("fault", "fault-soft"), ("ink", "accent-soft"), ("muted", "accent-soft")):
        assert contrast(colors[text], colors[ground]) >= 4.5, (text, ground)
