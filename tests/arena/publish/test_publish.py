"""Tests of a whole site: complete, reproducible, safe and accessible."""

import csv
import gzip
import json
import re
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from arena.base.protocol import printable
from arena.cli import main
from arena.publish.layout import (
    ABOUT,
    CATALOGUE,
    NOT_FOUND,
    RECORDS,
    bot_page,
    game_page,
    pair_page,
    replay_page,
    variant_page,
)
from arena.publish.site_folder import MARKER
from arena.rating.leaderboard_files import as_csv
from arena.tournament.digest import digest_lines, read_digest
from arena.tournament.export import ExportHeader
from arena.tournament.standings import rank
from arena.tournament.store import Store
from engine import get_variant
from tests.arena.publish.sites import (
    NAMES,
    VARIANTS,
    Made,
    bytes_in,
    hostile_settings,
    pages_of,
    play_run,
    publish_run,
    target,
)
from tests.arena.runs import Crew

FEW = NAMES[:2]
"""Enough bots for what does not depend on their number: each has a page with a chart."""

# -- complete ----------------------------------------------------------------------------------


def test_listed_boards_have_replays(tmp_path: Path) -> None:
    play_run(tmp_path / "run", hostile_settings(8, ["pot-de-vin/3"]), Crew())
    publish_run(tmp_path / "run", tmp_path / "site")
    pages, boards = pages_of(tmp_path / "site"), []
    for page in [page for path, page in pages.items() if path[:4] in ("bot/", "pair")]:
        table = ""
        for one in page.elements:
            if one.tag == "table":
                table = one.attributes.get("class") or ""
                boards += [0] if table == "rotations" else []
            elif one.tag == "a" and table == "rotations" and "thead" in one.inside:
                boards[-1] += 1
    assert boards
    assert all(boards)
    for page in [page for path, page in pages.items() if path.startswith("bot/")]:
        worst = [one.text for one in page.all("caption") if "points behind per game" in one.text]
        assert 1 <= len(worst) <= 3
        rotations = [one for one in page.all("a") if one.text.startswith("Rotation ")]
        assert [one.text.strip()[-1] for one in rotations[:3]] == ["0", "1", "2"]


def test_site_has_all_pages(made: Made) -> None:
    expected = {"index.html", "about.html", "games/index.html"}
    expected |= {bot_page(name) for name in NAMES}
    expected |= {"game/bribery.html", "game/pot-de-vin.html", "game/brides-and-bribes.html"}
    expected |= {f"variant/{one.replace('/', '-')}.html" for one in VARIANTS}
    expected |= {"rules/bribery.html", "rules/pot-de-vin.html", "rules/brides-and-bribes.html"}
    pairs = {page for page in made.pages if page.startswith("pair/")}
    assert pairs
    assert pairs <= {pair_page(name, other) for name, other in combinations(NAMES, 2)}
    expected |= {NOT_FOUND, *pairs}
    replays = {page for page in made.pages if page.startswith("games/")} - expected
    assert set(made.pages) - replays == expected
    assert made.published.bots == len(NAMES)
    assert len(replays) == made.published.replays > 4


def test_site_has_no_broken_links(made: Made) -> None:
    ids = {
        (made.folder / path).resolve(): {one.attributes.get("id") for one in page.elements}
        for path, page in made.pages.items()
    }
    for path, page in made.pages.items():
        for link in page.links():
            if path == NOT_FOUND and link.startswith("/"):
                continue  # a server shows it at any address, so its links are from the root
            assert not re.match(r"(?i)[a-z][a-z0-9+.-]*:|/", link), f"{path}: {link}"
            file, place = target(made.folder, path, link)
            assert file.is_file(), f"{path}: {link}"
            assert file.is_relative_to(made.folder.resolve())
            is_step = re.fullmatch(r"[0-9]+", place) and file.parent.name == "games"
            filters = file.name == "index.html" and place.startswith("bot=")
            assert not place or is_step or filters or place in ids[file], f"{path}: {link}"


def test_site_loads_nothing_from_other_hosts(made: Made) -> None:
    for name, data in bytes_in(made.folder).items():
        if name.endswith((".html", ".css", ".js", ".svg")):
            addresses = set(re.findall(rb"https?://[^\s\"'<>)]*", data))
            others = {one for one in addresses if not one.startswith(b"http://www.w3.org/")}
            assert not others, f"{name}: {others}"
            assert b"@import" not in data


def test_leaderboard_matches_the_run(made: Made) -> None:
    with Store.open(made.run) as store:
        board = rank(store)
    table = (made.folder / "files/leaderboard.csv").read_text()
    assert table == printable(as_csv(board))
    assert len(list(csv.reader(table.splitlines()))) > len(NAMES)
    leaderboard = json.loads((made.folder / "files/leaderboard.json").read_text())
    assert [row["bot"] for row in leaderboard["overall"]] == [row.bot for row in board.overall]
    index = (made.folder / "index.html").read_text()
    places = [index.index(bot_page(row.bot)) for row in board.overall]
    assert places == sorted(places)
    for row in board.overall:
        assert f">{row.rating:.2f}<" in index
    for variant, rows in board.variants.items():  # each is the only one of its game
        games = sum([row.games for row in rows]) // get_variant(variant).seats
        for path in (game_page(variant.partition("/")[0]), variant_page(variant)):
            page = (made.folder / path).read_text()
            assert f"<b>{games}</b> games" in page
            for row in rows:
                assert f">{row.rating:.2f}<" in page


def test_published_records_can_be_verified(made: Made) -> None:
    with Store.open(made.run) as store:
        records = [game.record for game in store.counting_games()]
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


def test_rejects_damaged_compressed_records(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl.gz"
    for data in (b"", b"not packed", gzip.compress(b"{}\n" * 99)[:20]):
        file.write_bytes(data)
        refused = CliRunner().invoke(main, ["verify", str(file)])
        assert (refused.exit_code, str(file) in refused.stderr) == (1, True)


def test_shows_faults_with_reports_and_replays(made: Made) -> None:
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


@pytest.mark.slow
def test_selection_of_games_is_reproducible(tmp_path: Path) -> None:
    run, site = tmp_path / "run", tmp_path / "site"
    play_run(run, hostile_settings(12, ["bribery/2"], FEW))
    with Store.open(run) as store:
        records = list(store.records())
    faulty = {replay_page(record.key) for record in records if record.faults}
    assert faulty
    replays = {}
    for all_games in (False, True):
        published = publish_run(run, site, all_games=all_games)
        assert published
        replays[all_games] = published.replays
        pages = {str(path.relative_to(site)) for path in site.glob("games/*.html")}
        assert len(pages) == replays[all_games] + 1
        assert faulty <= pages
    assert replays[False] < replays[True] == len(records)
    before = bytes_in(site)
    assert publish_run(run, site, all_games=True) is None
    publish_run(run, tmp_path / "again", all_games=True)
    assert bytes_in(site) == bytes_in(tmp_path / "again") == before


def test_files_do_not_name_the_machine(
    made: Made, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The run was played below the folder of all temporary files."""
    parent = tmp_path_factory.getbasetemp().parent
    assert made.run.is_relative_to(parent)
    for name, data in bytes_in(made.folder).items():
        content = gzip.decompress(data) if name == RECORDS else data
        assert b"/home/teacher" not in content, name
        assert str(parent).encode() not in content, name


def test_publishes_unfinished_runs(tmp_path: Path) -> None:
    settings = hostile_settings(2, ["bribery/2"])
    with Store.create(tmp_path / "run", settings):
        pass
    published = publish_run(tmp_path / "run", tmp_path / "site")
    assert published
    assert published.games == 0
    index = (tmp_path / "site/index.html").read_text()
    assert "No board is complete yet" in index
    assert "shown when all games have been played" in (tmp_path / "site/about.html").read_text()
    assert "No games have been published yet" in (tmp_path / "site/games/index.html").read_text()
    for link in pages_of(tmp_path / "site")["index.html"].links():
        assert target(tmp_path / "site", "index.html", link)[0].is_file()


def test_index_has_state_of_the_run(made: Made) -> None:
    about = (made.folder / "about.html").read_text()
    assert f"<dt>Seed</dt><dd>{made.settings.seed}</dd>" in about
    assert CATALOGUE in made.pages["index.html"].links()
    state = json.loads((made.folder / CATALOGUE).read_text())["state"]
    assert (state["played"], state["over"]) == (made.published.games, True)
    assert f"Finished: {made.published.games}" in (made.folder / "index.html").read_text()


# -- the page of a bot ---------------------------------------------------------------------------


def test_bot_page_shows_notable_games(made: Made) -> None:
    for name in NAMES:
        text = (made.folder / bot_page(name)).read_text()
        assert "Plays like " in text
        assert "Why did it lose?" in text
        for why in ("Highest score", "Closest game", "Heaviest defeat"):
            assert f"<b>{why}</b> <a" in text


# -- around it ---------------------------------------------------------------------------------


def test_marker_lists_all_files(made: Made) -> None:
    marker = json.loads((made.folder / MARKER).read_text())
    assert {*marker["files"], MARKER} == set(bytes_in(made.folder))
