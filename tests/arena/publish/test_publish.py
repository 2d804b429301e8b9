"""Tests of a whole site: complete, reproducible, safe and accessible."""

import csv
import gzip
import json
import re
import subprocess
import sys
import unicodedata
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import SettingsError
from arena.protocol import printable
from arena.publish.choice import Choice, read_choice
from arena.publish.layout import ABOUT, CATALOGUE, FEED, RECORDS, STATE, bot_page, replay_page
from arena.publish.site import MARKER
from arena.publish.svg import svg_file
from arena.rating.export import as_csv
from arena.record import Entrant
from arena.tournament.digest import digest_lines, read_digest
from arena.tournament.export import ExportHeader
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.standings import rank
from arena.tournament.store import Store
from tests.arena.playing import PATIENT
from tests.arena.publish.sites import (
    HOSTILE,
    NAMES,
    VARIANTS,
    Page,
    Talkers,
    bytes_in,
    hostile_settings,
    pages_of,
    play_run,
    publish_run,
    target,
)
from tests.arena.runs import Crew, ignore, silent


class Made:
    """A run and its site."""

    def __init__(self, parent: Path) -> None:
        self.run = parent / "results" / "autumn"
        self.folder = parent / "site"
        self.settings = hostile_settings()
        play_run(self.run, self.settings)
        self.published = publish_run(self.run, self.folder)
        self.pages = pages_of(self.folder)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A site of three variants and five bots with evil names."""
    return Made(tmp_path_factory.mktemp("made"))


# -- complete ----------------------------------------------------------------------------------


def test_there_is_a_page_for_everything(made: Made) -> None:
    expected = {"index.html", "about.html", "games/index.html"}
    expected |= {bot_page(name) for name in NAMES}
    expected |= {"game/bribery.html", "game/pot-de-vin.html", "game/brides-and-bribes.html"}
    expected |= {f"variant/{one.replace('/', '-')}.html" for one in VARIANTS}
    expected |= {"rules/bribery.html", "rules/pot-de-vin.html", "rules/brides-and-bribes.html"}
    replays = {page for page in made.pages if page.startswith("games/")} - expected
    assert set(made.pages) - replays == expected
    assert made.published.bots == len(NAMES)
    assert len(replays) == made.published.replays > 4


def test_every_link_leads_somewhere_in_the_site(made: Made) -> None:
    ids = {
        (made.folder / path).resolve(): {one.attributes.get("id") for one in page.elements}
        for path, page in made.pages.items()
    }
    for path, page in made.pages.items():
        for link in page.links():
            assert not re.match(r"(?i)[a-z][a-z0-9+.-]*:|/", link), f"{path}: {link}"
            file, place = target(made.folder, path, link)
            assert file.is_file(), f"{path}: {link}"
            assert file.is_relative_to(made.folder.resolve())
            is_step = re.fullmatch(r"[0-9]+", place) and file.parent.name == "games"
            filters = file.name == "index.html" and place.startswith("bot=")
            assert not place or is_step or filters or place in ids[file], f"{path}: {link}"


def test_nothing_is_asked_of_another_host(made: Made) -> None:
    for name, data in bytes_in(made.folder).items():
        if name.endswith((".html", ".css", ".js", ".svg")):
            addresses = set(re.findall(rb"https?://[^\s\"'<>)]*", data))
            namespaces = {b"http://www.w3.org/2000/svg", b"http://www.w3.org/1999/xlink"}
            assert addresses <= namespaces, f"{name}: {addresses}"
            assert b"@import" not in data


def test_the_leaderboard_says_what_the_run_says(made: Made) -> None:
    with Store.open(made.run) as store:
        board = rank(store)
    table = (made.folder / "files/leaderboard.csv").read_text()
    assert table == printable(as_csv(board))
    assert len(list(csv.reader(table.splitlines()))) > len(NAMES)
    told = json.loads((made.folder / "files/leaderboard.json").read_text())
    assert [row["bot"] for row in told["overall"]] == [row.bot for row in board.overall]
    index = (made.folder / "index.html").read_text()
    places = [index.index(bot_page(row.bot)) for row in board.overall]
    assert places == sorted(places)
    for row in board.overall:
        assert f">{row.rating:.2f}<" in index


def test_no_path_of_the_machine_that_played_is_told(made: Made) -> None:
    for name, data in bytes_in(made.folder).items():
        told = gzip.decompress(data) if name == RECORDS else data
        assert b"/home/teacher" not in told, name


def test_the_records_are_those_of_the_run_and_can_be_verified(made: Made) -> None:
    with Store.open(made.run) as store:
        records = list(store.raw_records())
    header, *published = gzip.decompress((made.folder / RECORDS).read_bytes()).splitlines()
    assert published == records
    verified = CliRunner().invoke(main, ["verify", str(made.folder / RECORDS)])
    assert verified.exit_code == 0
    result, _, *lines = verified.stdout.splitlines()
    assert result == f"{len(records)} games match their records"
    digest = read_digest("".join(lines))
    assert msgspec.json.decode(header, type=ExportHeader).digest == digest
    about = (made.folder / ABOUT).read_text()
    assert "\n".join(digest_lines(digest)) in about


@pytest.mark.parametrize(
    "data",
    [b"", b"not packed", gzip.compress(b"{}\n" * 99)[:20]],
    ids=["empty", "not packed", "cut off"],  # of the same name in every process of the tests
)
def test_packed_records_that_are_broken_are_refused(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "records.jsonl.gz"
    file.write_bytes(data)
    refused = CliRunner().invoke(main, ["verify", str(file)])
    assert refused.exit_code == 1
    assert str(file) in refused.stderr


def test_faults_are_shown_with_their_cards_and_replays(made: Made) -> None:
    with Store.open(made.run) as store:
        faults = [(record, fault) for record in store.records() for fault in record.faults]
    assert len(faults) > 1
    for record, fault in faults:
        name = record.entrants[fault.seat]
        page = (made.folder / bot_page(name)).read_text()
        assert f"crash in {record.title}, move {fault.action + 1}, seat {fault.seat}" in page
        assert f"../{replay_page(record.key)}#{fault.action + 1}" in page
        assert "--full" not in page
        causes = re.findall(r"<b>(\d+)</b> &times; <span class=\"mark fault\">", page)
        assert sum(map(int, causes)) == sum(
            other.entrants[one.seat] == name for other, one in faults
        )


def test_the_games_that_a_bot_page_names_are_published(made: Made) -> None:
    for name in NAMES:
        page = made.pages[bot_page(name)]
        links = [link for link in page.links() if "games/" in link and "index" not in link]
        assert len(links) >= 3
        text = (made.folder / bot_page(name)).read_text()
        for why in ("Highest score", "Closest game", "Heaviest defeat"):
            assert f"<b>{why}</b> <a" in text


@pytest.mark.slow
def test_which_games_are_published_can_be_chosen_and_all_is_the_same_every_time(
    tmp_path: Path,
) -> None:
    run, site = tmp_path / "run", tmp_path / "site"
    play_run(run, hostile_settings(12, ["bribery/2"]))
    with Store.open(run) as store:
        records = list(store.records())
    faulty = {replay_page(record.key) for record in records if record.faults}
    assert faulty
    replays = {}
    for choice in ("faults", "all"):
        replays[choice] = publish_run(run, site, read_choice(choice)).replays
        pages = {str(path.relative_to(site)) for path in site.glob("games/*.html")}
        assert len(pages) == replays[choice] + 1
        assert faulty <= pages
    assert replays["faults"] < replays["all"] == len(records)
    publish_run(run, tmp_path / "other", read_choice("all"))
    assert bytes_in(tmp_path / "other") == bytes_in(site)


def test_the_seed_is_shown_of_a_run_that_is_over(made: Made) -> None:
    about = (made.folder / "about.html").read_text()
    assert f"<dt>Seed</dt><dd>{made.settings.seed}</dd>" in about


def test_nothing_of_the_machine_that_played_is_told(made: Made) -> None:
    for name, data in bytes_in(made.folder).items():
        assert b"/home/teacher" not in data, name
        assert str(made.run.parent.parent).encode() not in data, name


def test_a_run_that_has_begun_has_a_site_and_what_is_no_more_goes_away(tmp_path: Path) -> None:
    settings = hostile_settings(2, ["bribery/2"])
    with Store.create(tmp_path / "run", settings):
        pass
    assert publish_run(tmp_path / "run", tmp_path / "site").games == 0
    index = (tmp_path / "site/index.html").read_text()
    assert "No board is complete yet" in index
    assert "shown when all games are played" in (tmp_path / "site/about.html").read_text()
    assert "No games are published yet" in (tmp_path / "site/games/index.html").read_text()
    for link in pages_of(tmp_path / "site")["index.html"].links():
        assert target(tmp_path / "site", "index.html", link)[0].is_file()


# -- what stays, and what is for programs --------------------------------------------------------


def test_a_permalink_stays_when_the_run_grows(tmp_path: Path) -> None:
    run, site = tmp_path / "run", tmp_path / "site"
    few, many = [hostile_settings(rounds, ["pot-de-vin/3"]) for rounds in (6, 60)]
    play_run(run, few)
    choice = read_choice("sample:2")
    publish_run(run, site, choice, now=100.0)
    before = replays_of(site)
    with open_or_create(run, many, silent) as store:
        play_missing(store, many, Talkers(), ignore)
    publish_run(run, site, choice, now=200.0)
    publish_run(run, tmp_path / "new", choice, now=200.0)
    assert before <= replays_of(site)
    assert not before <= replays_of(tmp_path / "new"), "nothing would be kept"
    catalogue = json.loads((site / CATALOGUE).read_text())
    published = {one["page"]: one["published"] for one in catalogue["replays"]}
    assert {published[page] for page in before} == {"1970-01-01T00:01:40Z"}
    assert set(published.values()) > {"1970-01-01T00:03:20Z"}
    assert "published before" in (site / "games/index.html").read_text()


def replays_of(site: Path) -> set[str]:
    """Return the pages of replays."""
    pages = {str(path.relative_to(site)) for path in site.glob("games/*.html")}
    return pages - {"games/index.html"}


def test_publishing_again_changes_nothing(tmp_path: Path) -> None:
    play_run(tmp_path / "run", hostile_settings(4, ["bribery/2"]))
    publish_run(tmp_path / "run", tmp_path / "site", now=100.0)
    before = bytes_in(tmp_path / "site")
    publish_run(tmp_path / "run", tmp_path / "site", now=200.0)
    assert bytes_in(tmp_path / "site") == before


def test_each_page_shows_the_state_and_the_first_one_leads_to_the_feed(made: Made) -> None:
    for path, page in made.pages.items():
        sources = [one.attributes["src"] or "" for one in page.all("script")]
        assert any(source.endswith("static/state.js") for source in sources), path
        feeds = [one for one in page.all("link") if one.attributes["rel"] == "alternate"]
        assert [target(made.folder, path, one.attributes["href"] or "")[0] for one in feeds] == [
            (made.folder / FEED).resolve()
        ]
    assert {FEED, CATALOGUE} <= set(made.pages["index.html"].links())
    state = (made.folder / STATE).read_text()
    shown = json.loads(state.removeprefix("showState(").removesuffix(");\n"))
    assert (shown["played"], shown["over"]) == (made.published.games, True)
    assert f"Finished: {made.published.games}" in (made.folder / "index.html").read_text()


# -- the page of a bot ---------------------------------------------------------------------------


def test_the_page_of_a_bot_shows_all_its_published_games(made: Made) -> None:
    replays = json.loads((made.folder / CATALOGUE).read_text())["replays"]
    for name in NAMES:
        own = {f"../{one['page']}" for one in replays if name in one["bots"]}
        assert own
        assert own <= set(made.pages[bot_page(name)].links())
        text = (made.folder / bot_page(name)).read_text()
        assert "Why did it lose?" in text
        assert 'id="course"' in text


def test_the_worst_board_of_a_bot_is_published_with_all_rotations(tmp_path: Path) -> None:
    play_run(tmp_path / "run", hostile_settings(9, ["pot-de-vin/3"]), Crew())
    publish_run(tmp_path / "run", tmp_path / "site", read_choice("faults"))
    pages = pages_of(tmp_path / "site")
    for name in NAMES:
        page = pages[bot_page(name)]
        boards = [one.text for one in page.all("caption") if "points behind per game" in one.text]
        assert 1 <= len(boards) <= 3
        rotations = [one for one in page.all("a") if one.text.startswith("Rotation ")]
        names = [one.text.strip() for one in rotations[:3]]
        assert names == ["Rotation 0", "Rotation 1", "Rotation 2"]


def test_bots_that_never_met_are_not_ranked_together_first(tmp_path: Path) -> None:
    entrants = [
        Entrant(name, ("none",), ".", name, games=(game,))
        for game in ("bribery", "pot-de-vin")
        for name in (f"{game}-a", f"{game}-b", f"{game}-c")
    ]
    settings = Settings(4, 0, ("bribery/2", "pot-de-vin/3"), tuple(entrants), PATIENT)
    play_run(tmp_path / "run", settings)
    publish_run(tmp_path / "run", tmp_path / "site")
    index = (tmp_path / "site/index.html").read_text()
    assert "9 pairs of bots never met, for example bribery-a and pot-de-vin-a" in index
    captions = [
        one.text.strip() for one in pages_of(tmp_path / "site")["index.html"].all("caption")
    ]
    assert captions[:3] == ["Bribery", "Pot de Vin", "All games"]
    page = (tmp_path / "site" / bot_page("bribery-a")).read_text()
    assert "It never meets pot-de-vin-a, pot-de-vin-b, pot-de-vin-c" in page


# -- harmless ----------------------------------------------------------------------------------


def test_no_script_runs_but_ours(made: Made) -> None:
    for path, page in made.pages.items():
        for one in page.all("script"):
            source = one.attributes.get("src")
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
        if not name.startswith("files/") or name.endswith(".csv"):  # the others are data
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


def test_each_picture_is_told_in_words_and_in_numbers(made: Made) -> None:
    charts = 0
    for path, page in made.pages.items():
        for one in page.all("svg"):
            if one.attributes.get("aria-hidden") == "true" or path.startswith("games/"):
                continue
            charts += 1
            assert one.attributes["role"] == "img"
            names = [one.attributes[f"aria-{name}"] for name in ("labelledby", "describedby")]
            told = {part.attributes.get("id"): part for part in page.all("title", "desc")}
            assert all(told[name].text.strip() for name in names), path
        details = [one for one in page.all("details") if one.inside[-1] == "section"]
        assert path.startswith("bot/") or len(details) >= len(page.all("desc"))
    assert charts == 6 + 3 * 2 + 3 * 3 + len(NAMES)  # of the index, games, variants and bots


def test_pictures_are_in_the_colours_of_the_page(made: Made) -> None:
    style = (made.folder / "static/style.css").read_text()
    for path in ("index.html", "variant/pot-de-vin-3.html", "game/bribery.html"):
        text = (made.folder / path).read_text()
        drawn = "".join(re.findall(r"(?s)<svg[^>]*picture.*?</svg>", text))
        assert not re.findall(r"(?:fill|stroke|color): ?#", drawn)
        used = set(re.findall(r"var\((--[a-z0-9-]+)\)", drawn))
        assert used
        assert all(f"{name}:" in style for name in used)


def test_each_picture_is_a_file_in_three_formats(made: Made) -> None:
    files = {path for path in made.folder.rglob("charts/**/*") if path.is_file()}
    links = {
        target(made.folder, path, link)[0]
        for path, page in made.pages.items()
        for link in page.links()
        if "files/charts/" in link
    }
    assert links == {file.resolve() for file in files}
    names = {file.relative_to(made.folder).as_posix() for file in files}
    assert {f"files/charts/index/course.{one}" for one in ("svg", "png", "csv")} <= names
    for file in files:
        if file.suffix == ".png":
            assert file.read_bytes().startswith(b"\x89PNG\r\n")
        elif file.suffix == ".csv":
            lines = list(csv.reader(file.read_text().splitlines()))
            assert len(lines) > 1
            assert {len(line) for line in lines} == {len(lines[0])}
        else:
            root = ElementTree.fromstring(file.read_text())
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            assert "var(" not in file.read_text(), "it would have no colours outside the site"
            assert "currentColor" not in file.read_text()


def test_the_course_as_a_file_has_all_bots(made: Made) -> None:
    text = (made.folder / "files/charts/index/course.csv").read_text()
    lines = csv.DictReader(text.splitlines())
    assert {line["bot"] for line in lines} == {printable(name) for name in NAMES}


def test_pictures_in_files_have_the_light_colours_of_the_page(made: Made) -> None:
    style = (made.folder / "static/style.css").read_text()
    light = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[0]
    colors = dict(re.findall(r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), ", light))
    names = ["muted", "line", "accent", "against", *[f"series-{one}" for one in range(1, 7)]]
    for name in names:
        assert f'"fill: {colors[name]}"' in svg_file(f'<svg><a style="fill: var(--{name})"/></svg>')
    assert colors["ink"] in svg_file('<svg><a style="fill: currentColor"/></svg>')


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
    texts = ["ink", "muted", "accent", "fault", *[f"series-{one}" for one in range(1, 7)]]
    for text in texts:
        for ground in ("paper", "raised"):
            assert contrast(colors[text], colors[ground]) >= 4.5, (text, ground)
    for text, ground in (("fault", "fault-soft"), ("ink", "accent-soft"), ("muted", "accent-soft")):
        assert contrast(colors[text], colors[ground]) >= 4.5, (text, ground)


# -- around it ---------------------------------------------------------------------------------


def test_the_command_says_where_the_site_is(tmp_path: Path) -> None:
    play_run(tmp_path / "results" / "spring", hostile_settings(2, ["bribery/2"]))
    words = [
        "publish",
        "spring",
        "--to",
        str(tmp_path / "site"),
        "--results",
        str(tmp_path / "results"),
    ]
    said = CliRunner().invoke(main, words)
    assert (
        said.output
        == f"{tmp_path / 'site' / 'index.html'}: 5 bots, 4 games, 4 of them with replays\n"
    )


def test_other_commands_start_without_what_draws_pictures() -> None:
    code = "import sys, arena.cli; print({'matplotlib', 'jinja2', 'numpy'} & set(sys.modules))"
    said = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    assert said.stdout == "set()\n"


def test_the_marker_lists_all_files(made: Made) -> None:
    marker = json.loads((made.folder / MARKER).read_text())
    assert {*marker["files"], MARKER} == set(bytes_in(made.folder))


@pytest.mark.parametrize("text", ["", "some", "sample", "sample:", "sample:-1", "sample:1e9"])
def test_a_choice_that_is_none_is_refused(text: str) -> None:

    with pytest.raises(SettingsError, match="expected all, faults or sample:N"):
        read_choice(text)


def test_pages_are_read_strictly_by_these_tests() -> None:
    with pytest.raises(AssertionError):
        Page("<p><b>x</p></b>")
    assert Choice() == read_choice("sample:48")
