"""Rules and drawings that the plugin of a game brings."""

import io
import random
import re
import sys

from rich.console import Console

from arena.base.record import NO_OBSERVATIONS
from arena.plugins import registered
from arena.publish.build import presented_files
from arena.publish.layout import drawing_script, rules_page
from arena.publish.render import Renderer
from arena.publish.replays import files_of
from arena.publish.rules_page import read_rules, rules_of
from arena.terminal.drawing import draw
from tests import presented_game
from tests.arena.runs import made_up_settings, play_out, schedule_of
from tests.engine.high_card import HighCard

PLUGIN = sys.modules[presented_game.__name__]


def test_site_uses_rules_and_drawing_of_a_plugin() -> None:
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


def test_terminal_uses_drawing_of_a_plugin() -> None:
    state = HighCard().start(HighCard().deal(random.Random(1)))

    def drawn() -> str:
        console = Console(file=io.StringIO(), width=200)
        console.print(draw(state, ("ann", "ben", "cem"), 1))
        return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]

    with registered(PLUGIN):
        assert drawn().startswith("ben holds (")
    assert "holds" not in drawn()
