"""Charts of the order in a table of the leaderboard: scores, their certainty, and the matrix."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from arena.contest.run_roster import Names
from arena.publish.charts.certainty import LOOKS, certainty_chart
from arena.publish.charts.matrix import matrix_chart
from arena.publish.charts.scores import score_chart
from arena.publish.pages import Chart, Line
from arena.rating.board_model import DECIMALS
from arena.rating.certainty import certainty_history
from arena.rating.certificate import Certificate
from arena.rating.complete_boards import BoardShares
from arena.rating.pairs import result_matrix
from arena.tournament.portions import certainty_courses
from arena.tournament.settings import Settings


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
            if any(value is not None for one in history for value in one.certainty):
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
