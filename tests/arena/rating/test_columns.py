"""Tests of the columns of a leaderboard: one entry shows a new one in all places."""

import re
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from rich.console import Console

from arena.publish.pages import lines
from arena.publish.render import Renderer
from arena.rating import columns
from arena.rating.columns import COLUMNS, ROW_FACTS, LeaderboardColumn, LeaderboardRow
from arena.rating.leaderboard import Leaderboard
from arena.rating.leaderboard_files import as_csv, as_json, facts_of
from arena.terminal.leaderboard_table import print_leaderboard
from arena.tournament.digest import DIGEST_FACTS
from tests.arena.publish.rows import row

BOARD = Leaderboard(
    tuple([replace(row(name, 1, 2), win_share=0.75) for name in ("ann", "ben")]), {}, 20, 0
)
PLAIN = msgspec.json.decode(msgspec.json.encode(BOARD))
TEMPLATE = """{% import "parts.html" as parts with context %}
{{ parts.leaderboard(lines, root, "All games") }}
{{ parts.results_by_variant([], true) }}"""


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> LeaderboardColumn:
    """A column that is declared besides those of the arena."""
    column = LeaderboardColumn(
        "lost_share",
        "lost",
        "Games lost",
        lambda row: f"{1 - row.win_share:.1%}",
        explanation="The games that the bot did not win.",
        legend="lost = share of games not won",
        value=lambda row: 1 - row.win_share,
    )
    monkeypatch.setattr(columns, "COLUMNS", (*COLUMNS, column))
    return column


def in_terminal() -> str:
    console = Console(width=140)
    with console.capture() as capture:
        print_leaderboard(BOARD, console)
    return capture.get()


def on_page(folder: Path) -> str:
    (folder / "one.html").write_text(TEMPLATE)
    renderer = Renderer("run", (), templates=[folder])
    return renderer.page("one.html", "one.html", lines=lines(BOARD.overall, {}))


def test_a_new_column_is_shown_in_all_places(lost: LeaderboardColumn, tmp_path: Path) -> None:
    assert {"lost", lost.legend.split()[2], "25.0%"} <= set(re.split(r"\s+", in_terminal()))
    assert 'data-value="0.25"><span>25.0%</span></td>' in on_page(tmp_path)
    header, first, _ = as_csv(BOARD).splitlines()
    assert header.endswith(f",{lost.key}")
    assert first.endswith(",0.25")
    assert msgspec.json.decode(as_json(BOARD))["overall"][0][lost.key] == 0.25


def test_a_new_column_changes_neither_digests_nor_facts(lost: LeaderboardColumn) -> None:
    assert facts_of(msgspec.json.decode(as_json(BOARD))) == facts_of(PLAIN)
    assert lost.key not in str(facts_of(PLAIN))


def test_digests_cover_a_listed_version_of_the_facts() -> None:
    assert set(ROW_FACTS) == {*LeaderboardRow.__struct_fields__} - {"tier", "outscored_by"}
    of_settings = {"sandbox", "secret_hash", "order", "final"}
    assert set(DIGEST_FACTS[2]) == set(Leaderboard.__struct_fields__) - of_settings
    assert set(DIGEST_FACTS[2]) - set(DIGEST_FACTS[1]) == {"by_game"}
