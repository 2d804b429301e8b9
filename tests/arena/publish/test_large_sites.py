"""Sites of many bots have few replays and pages of pairs, and short charts."""

import re
from pathlib import Path

from arena.publish.data_files import read_catalogue
from arena.publish.layout import MANY_BOTS
from arena.publish.selection import MAX_CHOSEN
from benchmarks.scale import publish_site, run

BOTS = MANY_BOTS + 10


def test_sites_of_many_bots_are_small(tmp_path: Path) -> None:
    run(tmp_path, BOTS, 12)
    publish_site(tmp_path)
    site = tmp_path / "site"
    catalogue = read_catalogue(site)
    assert catalogue
    assert len(catalogue.replays) == MAX_CHOSEN
    assert len({bot for game in catalogue.replays for bot in game.bots}) == BOTS
    linked = [
        {*re.findall(r'href="../pair/(\S+).html"', page.read_text())}
        for page in (site / "bot").iterdir()
    ]
    assert {page.stem for page in (site / "pair").iterdir()} == set().union(*linked)
    assert BOTS <= sum(map(len, linked)) <= 4 * BOTS
    index = (site / "index.html").read_text()
    leaderboard, places = index.partition('id="depth"')[0], index.partition('id="places"')[2]
    rows = [part.count('<th scope="row"') for part in (leaderboard, places)]
    assert rows == [BOTS, MANY_BOTS]
    assert 'class="emblem' not in index
    csv = (site / "files" / "charts" / "index" / "places.csv").read_text()
    assert len(csv.splitlines()) == 1 + BOTS
