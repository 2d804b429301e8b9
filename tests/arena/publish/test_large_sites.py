"""Sites of many bots have few replays and pages of pairs, and no matrix."""

import json
import re
from contextlib import closing
from itertools import cycle
from pathlib import Path

import msgspec

from arena.base.protocol import DEFAULT_LIMITS
from arena.contest.entrants import find_entrants
from arena.publish.build import publish
from arena.publish.layout import MANY_BOTS
from arena.publish.selection import MAX_REPLAYS
from arena.publish.site_folder import Site
from arena.tournament.in_process import InProcess, class_of
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.settings import Settings
from tests.arena.runs import silent

BOTS = MANY_BOTS + 10


def publish_run(folder: Path) -> Path:
    """Play a run of `BOTS` bots in this process, and return the folder of its site."""
    makers, entrants = {}, []
    for number, kind in zip(range(BOTS), cycle(find_entrants(("random", "greedy"))), strict=False):
        name, fingerprint = f"{kind.name}-{number:04}", f"{kind.fingerprint}-{number}"
        entrants.append(msgspec.structs.replace(kind, name=name, fingerprint=fingerprint))
        makers[name] = class_of(kind.name)
    settings = Settings(12, 1, ("pot-de-vin/3",), tuple(entrants), DEFAULT_LIMITS)
    site = folder / "site"
    with closing(open_or_create(folder / "run", settings, silent)) as store, Site(site) as pages:
        play_missing(store, settings, InProcess(makers), silent)
        finish(store)
        publish(store, pages, silent)
    return site


def test_sites_of_many_bots_are_small(tmp_path: Path) -> None:
    site = publish_run(tmp_path)
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
