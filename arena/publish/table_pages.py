"""The pages of a run's site with leaderboards, and those of two bots against each other."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from arena.publish.charts import (
    Chart,
    places_chart,
    points_chart,
    rating_chart,
    seats_chart,
    strength_chart,
    time_chart,
    variants_chart,
    with_files,
)
from arena.publish.data_files import SiteState
from arena.publish.layout import INDEX, SHARED_PICTURE, game_id, game_page, variant_page
from arena.publish.pages import (
    Legend,
    Line,
    PublishedGame,
    legend_of,
    lines,
    never_met_text,
    title_of,
    variant_title,
    verdict,
)
from arena.publish.render import Banner, Renderer
from arena.publish.rules_page import rules_of
from arena.publish.site_data import SiteData
from arena.publish.site_folder import Site
from arena.publish.worth_watching import COMEBACK, biggest_comeback
from arena.rating.columns import LeaderboardRow
from arena.rating.leaderboard import OVERALL


class Tab(NamedTuple):
    """A table of the first page: that of all games, or of one."""

    name: str
    """Valid as an id."""
    title: str
    page: str
    """The page of the game; empty for all games."""
    lines: list[Line]
    legend: Legend
    verdict: str
    games: int


class PublishedTable(NamedTuple):
    """A table with a page of its own: that of a game, or of a variant."""

    variants: Sequence[str]
    rows: Sequence[LeaderboardRow]
    interplay: float
    legend: Legend


class TablePages:
    """Writes the pages with leaderboards."""

    def __init__(self, data: SiteData, site: Site, renderer: Renderer) -> None:
        self._data = data
        self._site = site
        self._renderer = renderer

    def write_index(
        self, state: SiteState, published: Sequence[PublishedGame], banner: Banner
    ) -> None:
        """Write the first page, about all games."""
        data, rows = self._data, self._data.board.first_rows
        tabs = self._tabs()
        charts: list[Chart] = []
        if data.board.games:
            strengths, *charts = self._charts()
            if data.board.overall:  # else there is no order over all games
                whole = next(tab.lines for tab in tabs if not tab.page)
                charts = [
                    *data.table_charts(
                        list(data.variants),
                        whole,
                        data.board.interplay[OVERALL],
                        legend_of(data.board),
                    ),
                    rating_chart(data.snapshots, rows),
                    *charts,
                ]
            charts = [strengths, *charts]
        about = banner.about or (
            f"{len(rows)} programs play {_listed([title_of(game) for game in data.by_game])}. "
            f"{data.board.games:,} games count."
        )
        shared = self._write_picture(banner, tabs[0], about)
        self._write(
            "index.html",
            INDEX,
            charts,
            tabs=tabs,
            about=about,
            verdict=data.verdict(),
            never_met=never_met_text(data.apart),
            watch=self._worth_watching(published),
            shared=shared,
            state=state,
            board=data.board,
            faulty=len(data.statistics.faulty),
            by_game=data.by_game,
        )

    def _charts(self) -> list[Chart]:
        """Return the charts of the first page besides those of the order in its table."""
        data, rows, statistics = self._data, self._data.board.first_rows, self._data.statistics
        names = [row.bot for row in rows]
        by_variant = {variant: statistics.points_in(variant) for variant in data.variants}
        seats = {variant: statistics.seats_in(variant) for variant in data.variants}
        return [
            variants_chart(data.board.variants, names, variant_page),
            places_chart(statistics.places, names),
            strength_chart(statistics.timings, rows),
            time_chart(statistics.timings, names, data.settings.limits.move_ms),
            points_chart("variant", by_variant),
            seats_chart({variant: counts for variant, counts in seats.items() if counts}),
        ]

    def _tabs(self) -> list[Tab]:
        """Return the tables of the first page: that of all games, if there is one, and of each."""
        data = self._data
        whole = "All games" if len(data.by_game) > 1 else "Leaderboard"
        boards = [("all", whole, "", data.board)] if data.board.overall or not data.apart else []
        if len(data.by_game) > 1:
            boards += [
                (f"of-{game}", title_of(game), game_page(game), board)
                for game, board in data.boards.items()
            ]
        tabs = []
        for name, title, page, board in boards:
            legend = legend_of(board)
            table = lines(board.overall, data.entrants, legend.certificate)
            tabs.append(Tab(name, title, page, table, legend, verdict(board.overall), board.games))
        return tabs

    def _worth_watching(
        self, published: Sequence[PublishedGame]
    ) -> list[tuple[str, PublishedGame]]:
        """Return the published games that are worth watching, and why."""
        by_id = {game.id: game for game in published}
        chosen = {why: game_id(key) for why, key in self._data.highlights.items()}
        comebacks = [
            (game.id, game.variant, game.comeback) for game in published if not game.faults
        ]
        if comeback := biggest_comeback(comebacks, self._data.scales):
            chosen[COMEBACK] = comeback
        return [(why, by_id[name]) for why, name in chosen.items() if name in by_id]

    def _write_picture(self, banner: Banner, tab: Tab, about: str) -> bool:
        """Write the picture that other sites show; return whether there is one."""
        if not banner.address:  # its address must be absolute
            return False
        from arena.publish.share_picture import share_picture  # others need no matplotlib

        self._site.write(SHARED_PICTURE, share_picture(banner.title, about, tab.lines))
        return True

    def write_game(self, game: str) -> None:
        """Write the page of a game."""
        data, board, variants = self._data, self._data.boards[game], self._data.by_game[game]
        own = {variant: data.board.variants[variant] for variant in variants}
        names = [row.bot for row in board.overall]
        self._write_table(
            game_page(game),
            PublishedTable(variants, board.overall, board.interplay[OVERALL], legend_of(board)),
            [variants_chart(own, names, variant_page)] if board.games else [],
            title=title_of(game),
            game=None,
            game_of_rules=game,
            rules=rules_of(game),
            games=board.games,
            variants=variants,
            published=[],
            gain=None,
        )

    def write_variant(self, variant: str, published: Sequence[PublishedGame]) -> None:
        """Write the page of a variant with its `published` games."""
        data, played = self._data, self._data.variants[variant]
        rows = data.board.variants[variant]
        points = data.statistics.points
        counts = {row.bot: points.get((variant, row.bot), Counter()) for row in rows}
        interplay = data.board.interplay.get(variant, 0.0)
        self._write_table(
            variant_page(variant),
            PublishedTable([variant], rows, interplay, legend_of(data.board, variant)),
            [points_chart("bot", counts)] if any(counts.values()) else [],
            title=variant_title(played),
            game=played.game,
            game_of_rules="",
            rules=None,
            games=sum([row.games for row in rows]) // played.seats,
            variants=[],
            published=published,
            gain=data.board.duplicate_gain.get(variant),
        )

    def _write_table(
        self, page: str, table: PublishedTable, charts: Sequence[Chart], **values: object
    ) -> None:
        """Write the page of a table; `charts` come after those of its order."""
        variants, rows, interplay, legend = table
        shown = lines(rows, self._data.entrants, legend.certificate)
        drawn = [*self._data.table_charts(variants, shown, interplay, legend), *charts]
        values |= {"lines": shown, "legend": legend, "verdict": verdict(rows)}
        self._write("tables.html", page, drawn, **values)

    def write_pairs(self, replayed: Collection[str]) -> None:
        """Write the pages of two bots; `replayed` are the pages of replays."""
        data = self._data
        for pair in data.met:
            page = data.meetings.page(pair, data.scales)
            self._write("pair.html", data.pair_link(*pair), [], pair=page, replayed=replayed)

    def _write(self, template: str, page: str, charts: Sequence[Chart], **values: object) -> None:
        files = with_files(self._site, page, charts)
        self._site.write(page, self._renderer.page(template, page, charts=files, **values))


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
