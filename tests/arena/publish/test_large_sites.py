"""Sites of many bots have few replays and pages of pairs, and no matrix."""

import json
import re
from pathlib import Path

from arena.publish.layout import MANY_BOTS
from arena.publish.selection import MAX_REPLAYS
from benchmarks.scale import publish_site, run

BOTS = MANY_BOTS + 10


def test_sites_of_many_bots_are_small(tmp_path: Path) -> None:
    run(tmp_path, BOTS, 12)
    publish_site(tmp_path)
    site = tmp_path / "site"
    replays = json.loads((site / "index.json").read_text())["replays"]
    assert len(replays) == MAX_REPLAYS
    assert len({bot for game in replays for bot in game["bots"]}) == BOTS
    linked = [
        {*re.findall(r'href="../pair/(\S+).html"', page.read_text())}
        for page in (site / "bot").iterdir()
    ]
    assert {page.stem for page in (site / "pair").iterdir()} == set().union(*linked)
    assert BOTS <= sum(map(len, linked)) <= 4 * BOTS
    index = (site / "index.html").read_text()
    leaderboard, variants = index.partition('id="depth"')[0], index.partition('id="variants"')[2]
    rows = [part.count('<th scope="row"') for part in (leaderboard, variants)]
    assert rows == [BOTS, MANY_BOTS]
    assert 'class="emblem' not in index
    assert 'id="pairs"' not in index
