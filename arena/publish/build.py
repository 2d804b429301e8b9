"""The build of a run's site from its records."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.protocol import printable
from arena.publish.about import about_page
from arena.publish.catalogue import (
    MAX_KEPT,
    Catalogue,
    SiteState,
    catalogue_replays,
    kept_replays,
    read_catalogue,
    same_or_new,
)
from arena.publish.chart_files import with_files
from arena.publish.charts.points import bot_points_chart, points_chart
from arena.publish.charts.ratings import STEPS, bot_rating_chart, rating_chart
from arena.publish.charts.times import time_chart
from arena.publish.choice import Choice
from arena.publish.data_files import write_catalogue, write_downloads
from arena.publish.game_presentations import presented_files
from arena.publish.layout import (
    ABOUT,
    INDEX,
    REPLAYS,
    STATIC,
    bot_page,
    game_page,
    variant_page,
)
from arena.publish.meetings import never_met, never_met_text
from arena.publish.pages import (
    BotGames,
    Line,
    PublishedGame,
    Tables,
    legend_of,
    lines,
    listed,
    page_of_bot,
    published_game,
    results_of_bot,
    title_of,
    verdict,
)
from arena.publish.render import Link, Renderer
from arena.publish.replays import files_of, rules_files
from arena.publish.rules_page import rules_of
from arena.publish.run_statistics import collect_statistics
from arena.publish.selection import Selection
from arena.publish.site import Site
from arena.publish.table_charts import TableCharts
from arena.rating.leaderboard import OVERALL
from arena.record import GameRecord, Observations
from arena.schedule.chance import Secret
from arena.tournament.database import Database
from arena.tournament.digest import digest_lines
from arena.tournament.finished_boards import board_of_observed, finished
from arena.tournament.run_leaderboard import RunLeaderboard
from arena.tournament.run_names import (
    named_board,
    named_course,
    named_pairs,
    named_record,
    names_of,
)
from arena.tournament.settings import Settings
from arena.tournament.standings import (
    compare,
    complete_boards,
    digest_of,
    extra_boards,
    is_over,
    rank,
    trace,
)
from engine import EngineError, get_variant

STATIC_FILES = Path(__file__).parent / STATIC


class Published(NamedTuple):
    """The contents of a site."""

    bots: int
    games: int
    """Games with records."""
    replays: int


def publish(
    store: Database,
    folder: Path,
    choice: Choice,
    notice: Callable[[str], object],
    secret: Secret | None = None,
) -> Published:
    """Write the site of a run from the boards that are over.

    The same records give the same files, byte for byte, apart from the times of publication and
    the replays that an earlier site in the folder had.

    Args:
        store: the run, which may be under way, or an exported one.
        folder: the folder of the site. Its files are replaced after all new files are made.
        choice: the games that are published with replays.
        notice: called with a sentence for each game without a replay.
        secret: the secret of the run, once the contest is over. None does not publish it.

    Raises:
        StoreError: the run cannot be read, or the folder cannot be written.
    """
    with Site(folder) as site:
        return publish_to(site, store, choice, notice, secret)


def publish_to(
    site: Site,
    store: Database,
    choice: Choice,
    notice: Callable[[str], object],
    secret: Secret | None = None,
) -> Published:
    """Write the site of a run to an open `site`; see `publish`."""
    with store.snapshot():
        return _Build(store, site, choice, notice, secret).all()


class _Build:
    """One build of a site."""

    def __init__(
        self,
        store: Database,
        site: Site,
        choice: Choice,
        notice: Callable[[str], object],
        secret: Secret | None,
    ) -> None:
        self.store = store
        self.site = site
        self.choice = choice
        self.notice = notice
        self.secret = secret
        self.settings = store.settings(Settings)
        self.names = names_of(store)
        self.entrants = {
            (shown := self.names.shown(one.name)): msgspec.structs.replace(one, name=shown)
            for one in self.settings.entrants
        }
        self.variants = {one: get_variant(one) for one in self.settings.variants}
        self.by_game: dict[str, list[str]] = defaultdict(list)
        variants = self.variants.values()
        for variant in variants:
            self.by_game[variant.game].append(variant.id)
        self.earlier = read_catalogue(site.folder)
        self.renderer = Renderer(store.name, _navigation(self.by_game), page_of_bot=self._bot_page)
        self.ranked = rank(store)  # with ids, as all that is computed
        self.board = named_board(self.ranked, self.names)
        self._boards: dict[str, RunLeaderboard] = {}
        self.apart = never_met(
            {one.id: [*map(self.names.shown, self.settings.staying(one))] for one in variants}
        )
        self.pairs = named_pairs(compare(store), self.names)
        self.table_charts = TableCharts(self.settings, complete_boards(store), self.names)
        self.statistics = collect_statistics(
            self._games(), self.variants, choice.number, extra_boards(store)
        )
        self.played = self.statistics.games.total()
        self.digest = digest_of(store, self.ranked).value
        self.about = about_page(self.settings, self.board, self.statistics, self.secret)
        self.snapshots = named_course(trace(store, STEPS), self.names) if self.board.games else []

    def all(self) -> Published:
        """Write all files of the site."""
        for file in sorted(STATIC_FILES.iterdir()):
            self.site.write(f"{STATIC}/{file.name}", file.read_bytes())
        for path, content in presented_files(self.by_game):
            self.site.write(path, content)
        self.site.write(".nojekyll", b"")  # GitHub Pages: serve the files as they are
        write_downloads(self.site, self.store, self.ranked, self.secret)
        names = [row.bot for row in self.board.overall]
        selection = Selection(names, self.statistics, self.choice, kept_replays(self.earlier))
        games = self._write_replays(selection)
        state = self._write_catalogue(games)
        by_variant: dict[str, list[PublishedGame]] = defaultdict(list)
        for one in games:
            by_variant[one.variant].append(one)
        self._write(
            "games.html",
            REPLAYS,
            games=listed(games),
            published=len(games),
            played=self.played,
            by_variant={one: len(by_variant[one]) for one in self.variants if one in by_variant},
            bots=sorted({name for game in listed(games) for name in game.entrants}),
        )
        self._write_bots(selection.shown, games)
        for game, variants in self.by_game.items():
            self._write_game(game, variants)
            for path, content in rules_files(game, self.renderer):
                self.site.write(path, content)
            for variant in variants:
                self._write_variant(variant, by_variant[variant])
        self._write(
            "about.html",
            ABOUT,
            about=self.about,
            choice=self.choice,
            replays=len(games),
            most_kept=MAX_KEPT,
            secret=bool(self.secret),
            digest=digest_lines(self.digest),
        )
        self._write_index(state)
        return Published(len(self.board.overall), self.played, len(games))

    def _write_catalogue(self, games: Iterable[PublishedGame]) -> SiteState:
        """Write what programs read: the catalogue, the feed, and the state that pages show."""
        state = SiteState(
            played=self.about.played,
            scheduled=self.about.scheduled,
            over=is_over(self.settings, self.board),
            may_end_before=self.about.may_end_before,
            updated=self.site.now,
        )
        catalogue = same_or_new(
            self.earlier,
            Catalogue(
                run=self.store.name,
                verdict=self._verdict(),
                state=state,
                digest=self.digest,
                replays=catalogue_replays(games, self.earlier, self.site.now),
            ),
        )
        write_catalogue(self.site, catalogue)
        return catalogue.state

    def _verdict(self) -> str:
        """Return who leads: overall, or in each game where bots never met."""
        if not self.apart:
            return verdict(self.board.overall)
        leaders = [
            f"{title_of(game)}: {verdict(self._board_of(game).overall)}" for game in self.by_game
        ]
        return " ".join(leaders)

    def _write(self, template: str, path: str, **values: object) -> None:
        self.site.write(path, self.renderer.page(template, path, **values))

    def _games(self) -> Iterator[tuple[GameRecord, Observations]]:
        """Yield the games that may be published, in schedule order, with their observations."""
        boards_per_deal = self.settings.boards_per_deal
        games = finished(self.store.observed_records(), board_of_observed, boards_per_deal)
        return ((named_record(record, self.names), seen) for record, seen in games)

    def _bot_page(self, name: str) -> str:
        return bot_page(self.names.id_of(name))

    # -- replays ------------------------------------------------------------------------------

    def _write_replays(self, selection: Selection) -> list[PublishedGame]:
        games = []
        for record, seen in self._games():
            why = selection.why(record.key)
            if why is None:
                continue
            try:
                for path, content in files_of(record, seen, self.renderer):
                    self.site.write(path, content)
            except EngineError as error:
                self.notice(f"no replay of {record.title}: {printable(str(error))}")
                continue
            games.append(published_game(record, self.variants[record.variant], why))
        return games

    # -- pages --------------------------------------------------------------------------------

    def _write_bots(self, shown: Mapping[str, BotGames], published: list[PublishedGame]) -> None:
        tables = Tables(
            overall=_by_bot(lines(self.board.overall, self.entrants)),
            by_variant={
                variant: _by_bot(lines(rows, self.entrants))
                for variant, rows in self.board.variants.items()
            },
        )
        replayed = frozenset([game.key for game in published])
        for name in tables.overall:
            games = shown[name]._replace(published=results_of_bot(name, published))
            page = page_of_bot(self.entrants[name], tables, self.pairs, self.statistics, games)
            path = self._bot_page(name)
            charts = []
            if self.snapshots and page.line.row.games:
                charts = [bot_rating_chart(self.snapshots, self.board.overall, name)]
            self._write(
                "bot.html",
                path,
                bot=page,
                replayed=replayed,
                charts=with_files(self.site, path, charts),
            )

    def _write_variant(self, variant: str, published: Sequence[PublishedGame]) -> None:
        rows, legend = self.board.variants[variant], legend_of(self.board, variant)
        counts = {
            row.bot: self.statistics.points.get((variant, row.bot), Counter()) for row in rows
        }
        table = lines(rows, self.entrants, legend.certificate)
        interplay = self.board.interplay.get(variant, 0.0)
        charts = self.table_charts.charts([variant], table, interplay, legend.certificate)
        if any(counts.values()):
            charts = [*charts, bot_points_chart(variant, counts)]
        page = variant_page(variant)
        self._write(
            "tables.html",
            page,
            title=variant,
            game=self.variants[variant].game,
            game_of_rules="",
            rules=None,
            lines=table,
            legend=legend,
            verdict=verdict(rows),
            games=sum([row.games for row in rows]) // self.variants[variant].seats,
            variants=[],
            published=published,
            gain=self.board.duplicate_gain.get(variant),
            charts=with_files(self.site, page, charts),
        )

    def _board_of(self, game: str) -> RunLeaderboard:
        """Return the leaderboard of the variants of a game."""
        if len(self.by_game) == 1:
            return self.board
        if game not in self._boards:
            self._boards[game] = named_board(rank(self.store, self.by_game[game]), self.names)
        return self._boards[game]

    def _write_game(self, game: str, variants: list[str]) -> None:
        board = self._board_of(game)
        legend, page = legend_of(board), game_page(game)
        table = lines(board.overall, self.entrants, legend.certificate)
        interplay = board.interplay[OVERALL]
        charts = self.table_charts.charts(variants, table, interplay, legend.certificate)
        self._write(
            "tables.html",
            page,
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
            charts=with_files(self.site, page, charts),
        )

    def _write_index(self, state: SiteState) -> None:
        rows, legend = self.board.overall, legend_of(self.board)
        table = lines(rows, self.entrants, legend.certificate)
        charts = []
        if self.board.games:
            names = [row.bot for row in rows]
            by_variant = {variant: self.statistics.points_in(variant) for variant in self.variants}
            interplay = self.board.interplay[OVERALL]
            charts = [
                *self.table_charts.charts(
                    list(self.variants), table, interplay, legend.certificate
                ),
                rating_chart(self.snapshots, rows),
                points_chart(by_variant),
                time_chart(self.statistics.timings, names, self.settings.limits.move_ms),
            ]
        self._write(
            "index.html",
            INDEX,
            lines=table,
            legend=legend,
            verdict=self._verdict(),
            never_met=never_met_text(self.apart),
            games=self._tables_by_game() if self.apart else {},
            state=state,
            board=self.board,
            faulty=len(self.statistics.faulty),
            by_game=self.by_game,
            charts=with_files(self.site, INDEX, [chart for chart in charts if chart.rows]),
        )

    def _tables_by_game(self) -> dict[str, list[Line]]:
        """Return the lines of the leaderboard of each game."""
        return {game: lines(self._board_of(game).overall, self.entrants) for game in self.by_game}


def _by_bot(table: Iterable[Line]) -> dict[str, Line]:
    return {line.row.bot: line for line in table}


def _navigation(games: Iterable[str]) -> list[Link]:
    """Return the links in the head of each page."""
    links = [Link("Leaderboard", INDEX)]
    links += [Link(title_of(game), game_page(game)) for game in games]
    return [*links, Link("Replays", REPLAYS), Link("About", ABOUT)]
