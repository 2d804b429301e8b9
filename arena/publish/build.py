"""The build of a run's site from its records."""

import gzip
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.protocol import printable
from arena.publish.about import about_page
from arena.publish.charts.points import bot_points_chart, points_chart
from arena.publish.charts.ratings import STEPS, rating_chart
from arena.publish.charts.times import time_chart
from arena.publish.choice import Choice
from arena.publish.game_presentations import presented_files
from arena.publish.layout import (
    ABOUT,
    INDEX,
    LEADERBOARD_CSV,
    LEADERBOARD_JSON,
    RECORDS,
    REPLAYS,
    SECRET,
    STATIC,
    bot_page,
    chart_file,
    game_page,
    variant_page,
)
from arena.publish.notable_games import Notable, notable_games, point_scales
from arena.publish.pages import (
    FAULT,
    SAMPLE,
    Chart,
    Line,
    PublishedGame,
    Tables,
    legend_of,
    lines,
    listed,
    page_of_bot,
    published_game,
    reason,
    title_of,
    verdict,
)
from arena.publish.render import Link, Renderer
from arena.publish.replays import files_of, rules_files
from arena.publish.rules_page import rules_of
from arena.publish.run_statistics import collect_statistics
from arena.publish.site import Site
from arena.publish.svg import svg_file
from arena.publish.table_charts import TableCharts
from arena.rating.export import as_csv, as_json
from arena.rating.leaderboard import OVERALL
from arena.record import GameRecord, Observations
from arena.schedule.chance import Secret
from arena.tournament.database import Database
from arena.tournament.digest import digest_lines
from arena.tournament.export import export_lines
from arena.tournament.finished_boards import board_of_observed, finished
from arena.tournament.settings import Settings
from arena.tournament.standings import (
    compare,
    complete_boards,
    digest_of,
    extra_boards,
    rank,
    trace,
)
from engine import EngineError, get_variant

STATIC_FILES = Path(__file__).parent / STATIC
GZIP_LEVEL = 6
"""Compression of the records; higher levels take much longer and save little."""


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

    The same records give the same files, byte for byte.

    Args:
        store: the run, which may be under way, or an exported one.
        folder: the folder of the site. Its files are replaced after all new files are made.
        choice: the games that are published with replays.
        notice: called with a sentence for each game without a replay.
        secret: the secret of the run, once the contest is over. None does not publish it.

    Raises:
        StoreError: the run cannot be read, or the folder cannot be written.
    """
    with store.snapshot(), Site(folder) as site:
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
        self.entrants = {entrant.name: entrant for entrant in self.settings.entrants}
        self.variants = {one: get_variant(one) for one in self.settings.variants}
        self.by_game: dict[str, list[str]] = defaultdict(list)
        for variant in self.variants.values():
            self.by_game[variant.game].append(variant.id)
        links = [Link("Leaderboard", INDEX)]
        links += [Link(title_of(game), game_page(game)) for game in self.by_game]
        links += [Link("Replays", REPLAYS), Link("About", ABOUT)]
        self.renderer = Renderer(store.name, links)
        self.board = rank(store)
        self.pairs = compare(store)
        self.table_charts = TableCharts(self.settings, complete_boards(store))
        self.statistics = collect_statistics(
            self._games(), self.variants, choice.number, extra_boards(store)
        )

    def all(self) -> Published:
        """Write all files of the site."""
        for file in sorted(STATIC_FILES.iterdir()):
            self.site.write(f"{STATIC}/{file.name}", file.read_bytes())
        for path, content in presented_files(self.by_game):
            self.site.write(path, content)
        self.site.write(".nojekyll", b"")  # GitHub Pages: serve the files as they are
        self._write_downloads()
        notable = self._notable()
        games = self._write_replays(notable)
        replayed = frozenset([game.key for game in games])
        by_variant: dict[str, list[PublishedGame]] = defaultdict(list)
        for one in games:
            by_variant[one.variant].append(one)
        self._write(
            "games.html",
            REPLAYS,
            games=listed(games),
            published=len(games),
            played=self._played(),
            by_variant={one: len(by_variant[one]) for one in self.variants if one in by_variant},
        )
        self._write_bots(notable, replayed)
        for game, variants in self.by_game.items():
            self._write_game(game, variants)
            for path, content in rules_files(game, self.renderer):
                self.site.write(path, content)
            for variant in variants:
                self._write_variant(variant, by_variant[variant])
        about = about_page(self.settings, self.board, self.statistics, self.secret)
        self._write(
            "about.html",
            ABOUT,
            about=about,
            choice=self.choice,
            replays=len(games),
            secret=bool(self.secret),
            digest=digest_lines(digest_of(self.store, self.board).value),
        )
        self._write_index()
        return Published(len(self.board.overall), self._played(), len(games))

    def _write(self, template: str, path: str, **values: object) -> None:
        self.site.write(path, self.renderer.page(template, path, **values))

    def _games(self) -> Iterator[tuple[GameRecord, Observations]]:
        """Yield the games that may be published, in schedule order, with their observations."""
        boards_per_deal = self.settings.boards_per_deal
        return finished(self.store.observed_records(), board_of_observed, boards_per_deal)

    def _played(self) -> int:
        return self.statistics.games.total()

    # -- files --------------------------------------------------------------------------------

    def _write_downloads(self) -> None:
        # Readable folders are paths of the machine that played.
        sandbox = msgspec.structs.replace(self.board.sandbox, readable=())
        board = msgspec.structs.replace(self.board, sandbox=sandbox)
        self.site.write(LEADERBOARD_JSON, as_json(board))
        self.site.write(LEADERBOARD_CSV, printable(as_csv(board)))
        if self.secret:
            self.site.write(SECRET, f"{self.secret.text}\n")
        with (
            self.site.path(RECORDS).open("wb") as file,
            gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0) as packed,
        ):
            for line in export_lines(self.store, self.board):
                packed.write(line + b"\n")

    def _with_files(self, page: str, charts: Iterable[Chart]) -> list[Chart]:
        """Return the charts of a page after writing each drawing as a file too."""
        found = []
        for chart in charts:
            if chart.svg:
                chart = msgspec.structs.replace(chart, file=chart_file(page, chart.name))
                self.site.write(chart.file, svg_file(chart.svg))
            found.append(chart)
        return found

    # -- replays ------------------------------------------------------------------------------

    def _notable(self) -> dict[str, list[Notable]]:
        scales = point_scales(self.statistics.points)
        return {
            row.bot: notable_games(self.statistics.extremes_of(row.bot), scales)
            for row in self.board.overall
        }

    def _reasons(self, notable: Mapping[str, Iterable[Notable]]) -> dict[str, list[str]]:
        """Return why games get a replay, by key."""
        reasons: dict[str, list[str]] = defaultdict(list)
        for bot, games in notable.items():
            for one in games:
                reasons[one.game.key].append(reason(bot, one))
        for key in self.statistics.faulty:
            reasons[key].append(FAULT)
        for key in self.statistics.sample.chosen():
            reasons.setdefault(key, [SAMPLE])
        return dict(reasons)

    def _write_replays(self, notable: Mapping[str, Iterable[Notable]]) -> list[PublishedGame]:
        reasons = self._reasons(notable)
        games = []
        for record, seen in self._games():
            if self.choice.kind != "all" and record.key not in reasons:
                continue
            try:
                for path, content in files_of(record, seen, self.renderer):
                    self.site.write(path, content)
            except EngineError as error:
                self.notice(f"no replay of {record.title}: {printable(str(error))}")
                continue
            games.append(published_game(record, reasons.get(record.key, [])))
        return games

    # -- pages --------------------------------------------------------------------------------

    def _write_bots(self, notable: Mapping[str, list[Notable]], replayed: frozenset[str]) -> None:
        tables = Tables(
            overall=_by_bot(lines(self.board.overall, self.entrants)),
            by_variant={
                variant: _by_bot(lines(rows, self.entrants))
                for variant, rows in self.board.variants.items()
            },
        )
        for name in tables.overall:
            entrant = self.entrants[name]
            page = page_of_bot(entrant, tables, self.pairs, self.statistics, notable[name])
            self._write("bot.html", bot_page(name), bot=page, replayed=replayed)

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
            charts=self._with_files(page, charts),
        )

    def _write_game(self, game: str, variants: list[str]) -> None:
        board = rank(self.store, variants) if len(self.by_game) > 1 else self.board
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
            charts=self._with_files(page, charts),
        )

    def _write_index(self) -> None:
        rows, legend = self.board.overall, legend_of(self.board)
        table = lines(rows, self.entrants, legend.certificate)
        charts = []
        if self.board.games:
            names = [row.bot for row in rows]
            by_variant = {variant: self._points_in(variant) for variant in self.variants}
            interplay = self.board.interplay[OVERALL]
            charts = [
                *self.table_charts.charts(
                    list(self.variants), table, interplay, legend.certificate
                ),
                rating_chart(trace(self.store, STEPS), rows),
                points_chart(by_variant),
                time_chart(self.statistics.timings, names, self.settings.limits.move_ms),
            ]
        self._write(
            "index.html",
            INDEX,
            lines=table,
            legend=legend,
            verdict=verdict(rows),
            board=self.board,
            faulty=len(self.statistics.faulty),
            by_game=self.by_game,
            charts=self._with_files(INDEX, [chart for chart in charts if chart.rows]),
        )

    def _points_in(self, variant: str) -> Counter[int]:
        whole: Counter[int] = Counter()
        for (one, _), counts in self.statistics.points.items():
            if one == variant:
                whole.update(counts)
        return whole


def _by_bot(table: Iterable[Line]) -> dict[str, Line]:
    return {line.row.bot: line for line in table}
