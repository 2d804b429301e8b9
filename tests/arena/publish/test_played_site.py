"""The site of one game that was played, and of a game of a plugin."""

import io
import os
import random
import re
import sys
from pathlib import Path

from rich.console import Console

from arena.base.record import NO_OBSERVATIONS
from arena.plugins import registered
from arena.publish.build import presented_files
from arena.publish.layout import drawing_script, rules_page
from arena.publish.played_site import publish_game
from arena.publish.render import Renderer
from arena.publish.replays import files_of
from arena.publish.rules_page import read_rules, rules_of
from arena.terminal.drawing import draw
from tests import presented_game
from tests.arena.playing import make_game
from tests.arena.publish.sites import pages_of, target
from tests.arena.runs import made_up_settings, play_out, schedule_of
from tests.engine.high_card import HighCard


def test_every_link_leads_somewhere_and_pages_tell_when_it_was_played(tmp_path: Path) -> None:
    file, site = tmp_path / "game.json", tmp_path / "site"
    file.write_text("{}")
    os.utime(file, (0, 0))
    publish_game(play_out(make_game("bribery/2", 7, ("ann", "bob"))), file, site)
    pages = pages_of(site)
    assert "rules/bribery.html" in pages
    for path, page in pages.items():
        for link in page.links():
            there, place = target(site, path, link)
            assert there.is_file(), f"{path} links to {link}"
            if place and path.startswith("games/"):
                assert f'id="{place}"' in there.read_text("utf-8"), f"{path} links to {link}"
    state = (site / "static" / "state.js").read_text()
    assert '"played":1,' in state
    assert '"updated":"1970-01-01T00:00:00Z"' in state
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert 'id="state-script"' in text, page
        assert 'id="theme"' in text, page


# -- games of plugins ----------------------------------------------------------------------------


PLUGIN = sys.modules[presented_game.__name__]


def test_a_game_has_the_rules_and_the_drawing_that_its_plugin_brings() -> None:
    hostile = read_rules("# X\n\n<script>x()</script> [a](javascript:x())").html
    assert not re.search("<script|href", hostile)
    renderer = Renderer("spring", [])
    with registered(PLUGIN):
        files = dict(presented_files(["high-card", "pot-de-vin"]))
        assert files == {drawing_script("high-card"): presented_game.SCRIPT}
        rules = rules_of("high-card")
        assert rules
        assert rules.title == "High Card"
        assert "<td>any</td>" in rules.html
        assert "&lt;b&gt;No tricks.&lt;/b&gt;" in rules.html
        record = play_out(next(iter(schedule_of(made_up_settings(3, "high-card/3")))))
        pages = dict(files_of(record, NO_OBSERVATIONS, renderer))
        (page,) = [str(text) for path, text in pages.items() if path.endswith(".html")]
        assert f"../{drawing_script('high-card')}" in page
        assert f"../{rules_page('high-card')}" in page
    assert rules_of("high-card") is None
    assert not dict(presented_files(["high-card"]))


def test_a_game_is_drawn_by_its_plugin_in_the_terminal() -> None:
    state = HighCard().start(HighCard().deal(random.Random(1)))

    def drawn() -> str:
        console = Console(file=io.StringIO(), width=200)
        console.print(draw(state, ("ann", "ben", "cem"), 1))
        return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]

    with registered(PLUGIN):
        assert drawn().startswith("ben holds (")
    assert "holds" not in drawn()
