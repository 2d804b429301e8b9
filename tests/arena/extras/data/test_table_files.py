"""A run as tables: the rows are those of its records, in every format."""

import re
import sqlite3
from importlib.util import find_spec
from pathlib import Path

import pytest

import arena
from arena.base.errors import ArenaError
from arena.extras.data.game_rows import DecisionRow, SeatRow, decision_rows, seat_rows
from arena.extras.data.table_files import write_parquet
from tests.arena.command import arena as typed

PAGE = (Path(__file__).parents[4] / "docs" / "researchers.md").read_text("utf-8")
VARIANT = "pot-de-vin/3"


@pytest.fixture(scope="module")
def spring(tmp_path_factory: pytest.TempPathFactory) -> arena.Run:
    results = tmp_path_factory.mktemp("data")
    bots = ["greedy", "random", "timid"]
    return arena.run(
        VARIANT, bots, rounds=6, seed=1, results=results, name="spring", in_process=True, workers=1
    )


def test_the_rows_are_those_of_the_records(spring: arena.Run) -> None:
    (record, *_) = spring.games()
    seats, decisions = list(seat_rows([record])), list(decision_rows([record]))
    assert [(row.bot, row.points, row.rank, row.fault) for row in seats] == [
        (bot, points, rank, None)
        for bot, points, rank in zip(record.entrants, record.points, record.ranks, strict=True)
    ]
    assert tuple(row.action for row in decisions) == record.actions
    assert [row.move for row in decisions] == list(range(len(record.actions)))
    assert all(row.bot == record.entrants[row.seat] and row.legal > 0 for row in decisions)
    assert not any(row.stand_in for row in decisions)


def test_sqlite_has_both_tables(spring: arena.Run, tmp_path: Path) -> None:
    file = tmp_path / "spring.db"
    done = typed("export", spring.source, "--format", "sqlite", "--to", file)
    assert done.exit_code == 0, done.stderr
    (query,) = re.findall(r"^```sql\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    with sqlite3.connect(file) as database:
        bots = [(bot, stand_ins) for bot, _, _, _, stand_ins in database.execute(query)]
        assert bots == [("greedy", 0), ("random", 0), ("timid", 0)]
        assert database.execute("SELECT * FROM games").fetchall() == list(seat_rows(spring.games()))
        actions = database.execute("SELECT count(*), sum(legal > 0) FROM decisions").fetchone()
    database.close()
    assert actions == (len(list(decision_rows(spring.games()))),) * 2
    again = typed("export", spring.source, "--format", "sqlite", "--to", file)
    assert "exists already" in again.stderr


def test_parquet_has_both_tables(spring: arena.Run, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `parquet` is missing")
    write_parquet(spring, tmp_path)
    rows = parquet.read_table(tmp_path / "games.parquet").to_pylist()
    assert [SeatRow(**row) for row in rows] == list(seat_rows(spring.games()))
    rows = parquet.read_table(tmp_path / "decisions.parquet").to_pylist()
    assert [DecisionRow(**row) for row in rows] == list(decision_rows(spring.games()))


def test_frames_have_the_rows(spring: arena.Run) -> None:
    pytest.importorskip("pandas")
    games, decisions = spring.games_frame("greedy"), spring.decisions_frame()
    assert (tuple(games.columns), len(games)) == (SeatRow._fields, 18)
    assert tuple(decisions.columns) == DecisionRow._fields


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--format", "parket", "--to", "x"], "did you mean 'parquet'"),
        (["--format", "sqlite"], "needs `--to PATH`"),
        (["--to", "x.zip"], "needs a `--format`"),
    ],
)
def test_wrong_options_are_refused(spring: arena.Run, options: list[str], text: str) -> None:
    done = typed("export", spring.source, *options)
    assert done.exit_code != 0
    assert text in done.stderr


@pytest.mark.skipif(find_spec("pyarrow") is not None, reason="pyarrow is installed")
def test_what_is_missing_is_named(spring: arena.Run, tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match=r"bribe-arena\[parquet\]"):
        write_parquet(spring, tmp_path)
