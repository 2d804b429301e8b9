"""What the pages of a run's site are made of, with names as they are shown."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from arena.contest.run_roster import Names
from arena.publish.charts.certainty import LOOKS, certainty_chart
from arena.publish.charts.matrix import matrix_chart
from arena.publish.charts.ratings import STEPS
from arena.publish.charts.scores import score_chart
from arena.publish.pages import (
    Chart,
    Line,
    never_met,
    verdict_of,
)
from arena.publish.run_statistics import collect_statistics
from arena.rating.board_model import DECIMALS
from arena.rating.certificate import Certificate
from arena.rating.complete_boards import BoardShares
from arena.rating.pairs import pairs, result_matrix
from arena.rating.stop_rule import certainty_history
from arena.record import GameRecord, Observations
from arena.tournament.database import Database
from arena.tournament.finished_boards import finished_games
from arena.tournament.portions import certainty_courses
from arena.tournament.run_names import names_of, with_names
from arena.tournament.settings import Settings
from arena.tournament.standings import (
    RunLeaderboard,
    digest_of,
    rank,
    run_boards,
    trace,
)
from engine import get_variant

# -- charts of the order in a table: scores, their certainty, and the matrix -----------------------


class TableCharts:
    """Draws the charts of tables. Tables over the same variants have the same charts."""

    def __init__(
        self, settings: Settings, boards: Iterable[BoardShares], names: Names | None = None
    ) -> None:
        """Take the complete `boards` of a run, in schedule order.

        `names` are those in the lines of tables. Without them, bots are shown by their ids.
        """
        self._names = names or Names(())
        self._settings = settings
        self._boards = list(boards)
        self._drawn: dict[frozenset[str], list[Chart]] = {}

    def charts(
        self,
        variants: Sequence[str],
        table: Sequence[Line],
        interplay: float,
        certificate: Certificate | None = None,
    ) -> list[Chart]:
        """Return the charts of a table.

        Args:
            variants: those that the table is about.
            table: its lines.
            interplay: that of the table.
            certificate: what is certain about its order; None in a run without a stop rule.
        """
        key = frozenset(variants)
        if key not in self._drawn:
            self._drawn[key] = self._draw(key, by_score(table, certificate), interplay, certificate)
        return self._drawn[key]

    def _draw(
        self,
        variants: frozenset[str],
        table: Sequence[Line],
        interplay: float,
        certificate: Certificate | None,
    ) -> list[Chart]:
        boards = [board for board in self._boards if board.variant in variants]
        if not boards:
            return []
        names = [line.row.bot for line in table]
        ids = [self._names.id_of(name) for name in names]
        drawn = [score_chart(table, certificate)]
        if len(names) > 1:
            courses = certainty_courses(self._settings) if certificate else {}
            course = next((courses[variant] for variant in variants if variant in courses), None)
            history = certainty_history(boards, ids, LOOKS, course)
            if any(value is not None for look in history for value in look.certainty):
                drawn.append(certainty_chart(history, names, is_looked_at=bool(course)))
            cells = [
                replace(
                    cell, bot=self._names.shown(cell.bot), opponent=self._names.shown(cell.opponent)
                )
                for cell in result_matrix(boards, ids)
            ]
            drawn.append(matrix_chart(cells, names, interplay))
        return drawn


def by_score(table: Sequence[Line], certificate: Certificate | None) -> list[Line]:
    """Return the lines in the order of a certificate, which they have already, or by score."""
    if certificate:
        return list(table)
    return sorted(
        table,
        key=lambda line: (
            line.row.score is None,
            -round(line.row.score or 0.0, DECIMALS),
            line.row.bot,
        ),
    )


# -- the data of a site ----------------------------------------------------------------------------


class SiteData:
    """The boards of a run that are over, and what follows from them. Each is computed once."""

    def __init__(self, store: Database, notable_games: int) -> None:
        """Read a run; `notable_games` is the number of notable games that are looked for."""
        self.store = store
        self.settings = store.settings(Settings)
        self.names = names_of(store)
        self.entrants = {
            (shown := self.names.shown(entrant.name)): msgspec.structs.replace(entrant, name=shown)
            for entrant in self.settings.entrants
        }
        self.variants = {variant: get_variant(variant) for variant in self.settings.variants}
        self.by_game: dict[str, list[str]] = defaultdict(list)
        """The variants of each game."""
        variants = self.variants.values()
        for variant in variants:
            self.by_game[variant.game].append(variant.id)
        self.ranked = rank(store)
        """The leaderboard with ids, as all that is computed."""
        self.board = with_names(self.ranked, self.names)
        self._boards: dict[str, RunLeaderboard] = {}
        self.apart = never_met(
            {
                variant.id: [*map(self.names.shown, self.settings.staying(variant))]
                for variant in variants
            }
        )
        boards = run_boards(store)
        self.pairs = with_names(pairs(boards.results), self.names)
        self.table_charts = TableCharts(self.settings, boards.shares, self.names)
        self.statistics = collect_statistics(
            self.games(), self.variants, notable_games, boards.extra
        )
        self.played = self.statistics.games.total()
        self.digest = digest_of(store, self.ranked).value
        self.snapshots = (
            with_names(trace(store, boards, STEPS), self.names) if self.board.games else []
        )
        """The ratings over the course of the run."""

    def games(self) -> Iterator[tuple[GameRecord, Observations]]:
        """Yield the games that may be published, in schedule order, with their observations."""
        games = finished_games(self.store)
        return ((with_names(record, self.names), seen) for record, seen in games)

    def board_of(self, game: str) -> RunLeaderboard:
        """Return the leaderboard of the variants of a game."""
        if len(self.by_game) == 1:
            return self.board
        if game not in self._boards:
            self._boards[game] = with_names(rank(self.store, self.by_game[game]), self.names)
        return self._boards[game]

    def verdict(self) -> str:
        """Return who leads."""
        return verdict_of(self.board)
