"""Build leaderboard pages and head-to-head pages."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from arena.publish.heat_maps import variants_map
from arena.publish.layout import INDEX, game_id, game_page, variant_page
from arena.publish.pages import (
    Legend,
    Line,
    PublishedGame,
    legend_of,
    lines,
    title_of,
    variant_title,
    verdict_of,
)
from arena.publish.render import Banner
from arena.publish.rules_page import rules_of
from arena.publish.site_data import SiteData, SiteState
from arena.rating.leaderboard import OVERALL
from arena.rating.verdicts import and_list, shown_first, verdict


class Tab(NamedTuple):
    name: str
    title: str
    page: str
    lines: list[Line]
    legend: Legend
    verdict: str
    games: int

    @property
    def first(self) -> Line | None:
        row = shown_first([line.row for line in self.lines])
        return next((line for line in self.lines if line.row is row), None)


class TablePages:
    def __init__(self, data: SiteData, write: Callable[..., None]) -> None:
        self._data = data
        self._write = write

    def write_index(
        self, state: SiteState, published: Sequence[PublishedGame], banner: Banner
    ) -> None:
        data, board = self._data, self._data.board
        about = banner.about or (
            f"{len(board.first_rows):,} programs play "
            f"{and_list([title_of(game) for game in data.by_game])}. {board.games:,} games count."
        )
        names = [row.bot for row in board.first_rows]
        maps = [variants_map(board.variants, names, variant_page)]
        maps += data.pairs_maps(data.variants, names) if board.overall else []
        by_id = {game.id: game for game in published}
        watch = [(notable.why, by_id.get(game_id(notable.game.key))) for notable in data.notable]
        self._write(
            "index.html",
            INDEX,
            maps=maps if board.games else [],
            tabs=self._tabs(),
            about=about,
            verdict=verdict_of(board),
            watch=[(why, game) for why, game in watch if game],
            state=state,
            board=board,
            faulty=len(data.statistics.faulty),
            by_game=data.by_game,
            rules_of=rules_of,
        )

    def _tabs(self) -> list[Tab]:
        data, tabs = self._data, []
        if data.board.overall or not data.board.games:
            whole = "All games" if len(data.by_game) > 1 else "Leaderboard"
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

    def write_game(self, game: str) -> None:
        variants = self._data.by_game[game]
        self._write_table(
            game_page(game),
            self._data.table_of(game),
            variants,
            title=title_of(game),
            of_game=variants,
            game=None,
            game_of_rules=game,
            rules=rules_of(game),
            published=[],
        )

    def write_variant(self, variant: str, published: Sequence[PublishedGame]) -> None:
        played = self._data.variants[variant]
        self._write_table(
            variant_page(variant),
            variant,
            [variant],
            title=variant_title(played),
            of_game=(),
            game=played.game,
            rules=None,
            published=published,
        )

    def _write_table(self, page: str, table: str, variants: Sequence[str], **values: Any) -> None:
        data, board = self._data, self._data.board
        legend, games = legend_of(board, table), data.games_in(variants)
        rows = board.variants[table] if table in board.variants else board.tables[table]
        names = [row.bot for row in rows]
        maps = data.pairs_maps(variants, names)
        if games and len(variants) > 1:
            own = {variant: board.variants[variant] for variant in variants}
            maps.append(variants_map(own, names, variant_page))
        self._write(
            "tables.html",
            page,
            lines=lines(rows, data.entrants, legend.certificate),
            legend=legend,
            verdict=verdict(rows),
            games=games,
            maps=maps,
            **values,
        )

    def write_pairs(self, replayed: Collection[str]) -> None:
        for pair, page in self._data.pair_pages.items():
            self._write("pair.html", self._data.pair_link(*pair), pair=page, replayed=replayed)
