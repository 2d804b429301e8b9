"""Build pages with leaderboards and pages that compare two bots."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from arena.publish.charts import (
    Chart,
    PageWriter,
    places_chart,
    rating_chart,
    variants_chart,
)
from arena.publish.data_files import SiteState
from arena.publish.layout import INDEX, game_id, game_page, variant_page
from arena.publish.pages import (
    Legend,
    Line,
    PublishedGame,
    legend_of,
    lines,
    never_met_text,
    title_of,
    variant_title,
)
from arena.publish.render import Banner
from arena.publish.rules_page import rules_of
from arena.publish.site_data import SiteData
from arena.rating.leaderboard import OVERALL, Rows
from arena.rating.verdicts import and_list, shown_first, verdict


class Tab(NamedTuple):
    """A table on the first page of a site, for all games or for a single game."""

    name: str
    title: str
    page: str
    lines: list[Line]
    legend: Legend
    verdict: str
    games: int

    @property
    def first(self) -> Line | None:
        """The first line whose bot may be the best."""
        row = shown_first([line.row for line in self.lines])
        return next((line for line in self.lines if line.row is row), None)


COMEBACK = "biggest comeback"


class TablePages:
    def __init__(self, data: SiteData, writer: PageWriter) -> None:
        self._data = data
        self._writer = writer

    def write_index(
        self, state: SiteState, published: Sequence[PublishedGame], banner: Banner
    ) -> None:
        data, tabs = self._data, self._tabs()
        about = banner.about or (
            f"{len(data.board.first_rows):,} programs play "
            f"{and_list([title_of(game) for game in data.by_game])}. "
            f"{data.board.games:,} games count."
        )
        self._writer.write(
            "index.html",
            INDEX,
            self._charts(tabs[0]) if data.board.games else (),
            tabs=tabs,
            about=about,
            verdict=data.verdict(),
            never_met=never_met_text(data.apart),
            watch=self._notable(published),
            state=state,
            board=data.board,
            faulty=len(data.statistics.faulty),
            by_game=data.by_game,
            rules_of=rules_of,
        )

    def _charts(self, first: Tab) -> list[Chart]:
        data, rows, statistics = self._data, self._data.board.first_rows, self._data.statistics
        names = [row.bot for row in rows]
        order: list[Chart] = []
        if data.board.overall:  # else there is no order over all games
            interplay = data.board.interplay[OVERALL]
            order = data.table_charts(list(data.variants), first.lines, interplay, first.legend)
            order.append(rating_chart(data.snapshots, rows))
        return [
            variants_chart(data.board.variants, names, variant_page),
            *order,
            places_chart(statistics.places, names),
        ]

    def _tabs(self) -> list[Tab]:
        data = self._data
        whole = "All games" if len(data.by_game) > 1 else "Leaderboard"
        tabs = []
        if data.board.overall or not data.apart:
            tabs.append(self._tab("all", whole, "", OVERALL, data.board.games))
        if len(data.by_game) > 1:
            for game, own in data.by_game.items():
                page, table = game_page(game), data.table_of(game)
                tabs.append(
                    self._tab(f"of-{game}", title_of(game), page, table, data.games_in(own))
                )
        return tabs

    def _tab(self, name: str, title: str, page: str, table: str, games: int) -> Tab:
        rows = self._data.board.tables.get(table, ())
        legend = legend_of(self._data.board, table)
        shown = lines(rows, self._data.entrants, legend.certificate)
        return Tab(name, title, page, shown, legend, verdict(rows), games)

    def _notable(self, published: Sequence[PublishedGame]) -> list[tuple[str, PublishedGame]]:
        by_id = {game.id: game for game in published}
        notable = self._data.statistics.notable_games_of_run()
        chosen = [(one.why, by_id.get(game_id(one.game.key))) for one in notable]
        behind = [game for game in published if game.comeback and not game.faults]
        deviation = {variant: scale.deviation for variant, scale in self._data.scales.items()}
        most = max(behind, key=lambda game: game.comeback / deviation[game.variant], default=None)
        return [(why, game) for why, game in [*chosen, (COMEBACK, most)] if game]

    def write_game(self, game: str) -> None:
        data, variants, table = self._data, self._data.by_game[game], self._data.table_of(game)
        rows, games = data.board.tables[table], data.games_in(variants)
        own = {variant: data.board.variants[variant] for variant in variants}
        charts = [variants_chart(own, [row.bot for row in rows], variant_page)]
        self._write_table(
            game_page(game),
            rows,
            table,
            charts if games else [],
            title=title_of(game),
            of_game=variants,
            game=None,
            game_of_rules=game,
            rules=rules_of(game),
            games=games,
            published=[],
        )

    def write_variant(self, variant: str, published: Sequence[PublishedGame]) -> None:
        data, played = self._data, self._data.variants[variant]
        self._write_table(
            variant_page(variant),
            data.board.variants[variant],
            variant,
            [],
            title=variant_title(played),
            of_game=(),
            game=played.game,
            rules=None,
            games=data.games_in([variant]),
            published=published,
        )

    def _write_table(
        self, page: str, rows: Rows, table: str, charts: Sequence[Chart], **values: Any
    ) -> None:
        board, legend = self._data.board, legend_of(self._data.board, table)
        shown = lines(rows, self._data.entrants, legend.certificate)
        variants, interplay = values["of_game"] or [table], board.interplay.get(table, 0.0)
        order = self._data.table_charts(variants, shown, interplay, legend)
        self._writer.write(
            "tables.html",
            page,
            [*order, *charts],
            lines=shown,
            legend=legend,
            verdict=verdict(rows),
            **values,
        )

    def write_pairs(self, replayed: Collection[str]) -> None:
        data = self._data
        for pair, page in data.pair_pages.items():
            self._writer.write("pair.html", data.pair_link(*pair), pair=page, replayed=replayed)
