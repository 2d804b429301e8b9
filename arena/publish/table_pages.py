"""The pages of a run's site with leaderboards: of all games, of one game and of one variant."""

from collections import Counter
from collections.abc import Sequence

from arena.publish.chart_files import with_files
from arena.publish.charts.points import bot_points_chart, points_chart
from arena.publish.charts.ratings import rating_chart
from arena.publish.charts.times import time_chart
from arena.publish.data_files import SiteState
from arena.publish.layout import INDEX, game_page, variant_page
from arena.publish.pages import (
    Chart,
    Line,
    PublishedGame,
    legend_of,
    lines,
    never_met_text,
    title_of,
    verdict,
)
from arena.publish.render import Renderer
from arena.publish.rules_page import rules_of
from arena.publish.site import Site
from arena.publish.site_data import SiteData
from arena.rating.leaderboard import OVERALL


class TablePages:
    """Writes the pages with leaderboards."""

    def __init__(self, data: SiteData, site: Site, renderer: Renderer) -> None:
        self._data = data
        self._site = site
        self._renderer = renderer

    def write_index(self, state: SiteState) -> None:
        """Write the first page, about all games."""
        data = self._data
        rows, legend = data.board.overall, legend_of(data.board)
        table = lines(rows, data.entrants, legend.certificate)
        charts: list[Chart] = []
        if data.board.games:
            names = [row.bot for row in data.board.first_rows]
            by_variant = {variant: data.statistics.points_in(variant) for variant in data.variants}
            if rows:
                interplay = data.board.interplay[OVERALL]
                charts = data.table_charts.charts(
                    list(data.variants), table, interplay, legend.certificate
                )
                charts = [*charts, rating_chart(data.snapshots, rows)]
            charts = [
                *charts,
                points_chart(by_variant),
                time_chart(data.statistics.timings, names, data.settings.limits.move_ms),
            ]
        self._write(
            "index.html",
            INDEX,
            [chart for chart in charts if chart.rows],
            lines=table,
            legend=legend,
            verdict=data.verdict(),
            never_met=never_met_text(data.apart),
            games={} if data.board.overall else self._tables_by_game(),
            state=state,
            board=data.board,
            faulty=len(data.statistics.faulty),
            by_game=data.by_game,
        )

    def write_game(self, game: str) -> None:
        """Write the page of a game."""
        data = self._data
        board = data.board_of(game)
        legend, variants = legend_of(board), data.by_game[game]
        table = lines(board.overall, data.entrants, legend.certificate)
        interplay = board.interplay[OVERALL]
        self._write(
            "tables.html",
            game_page(game),
            data.table_charts.charts(variants, table, interplay, legend.certificate),
            title=title_of(game),
            game=None,
            game_of_rules=game,
            rules=rules_of(game),
            lines=table,
            legend=legend,
            verdict=verdict(board.overall),
            games=board.games,
            variants=variants,
            published=[],
            gain=None,
        )

    def write_variant(self, variant: str, published: Sequence[PublishedGame]) -> None:
        """Write the page of a variant with its `published` games."""
        data = self._data
        rows, legend = data.board.variants[variant], legend_of(data.board, variant)
        counts = {
            row.bot: data.statistics.points.get((variant, row.bot), Counter()) for row in rows
        }
        table = lines(rows, data.entrants, legend.certificate)
        interplay = data.board.interplay.get(variant, 0.0)
        charts = data.table_charts.charts([variant], table, interplay, legend.certificate)
        if any(counts.values()):
            charts = [*charts, bot_points_chart(variant, counts)]
        self._write(
            "tables.html",
            variant_page(variant),
            charts,
            title=variant,
            game=data.variants[variant].game,
            game_of_rules="",
            rules=None,
            lines=table,
            legend=legend,
            verdict=verdict(rows),
            games=sum([row.games for row in rows]) // data.variants[variant].seats,
            variants=[],
            published=published,
            gain=data.board.duplicate_gain.get(variant),
        )

    def _tables_by_game(self) -> dict[str, list[Line]]:
        """Return the lines of the leaderboard of each game."""
        data = self._data
        return {game: lines(rows, data.entrants) for game, rows in data.board.by_game.items()}

    def _write(self, template: str, page: str, charts: Sequence[Chart], **values: object) -> None:
        files = with_files(self._site, page, charts)
        self._site.write(page, self._renderer.page(template, page, charts=files, **values))
