"""Build a run's website from its records."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from arena import __version__
from arena.base.errors import SettingsError
from arena.base.protocol import printable
from arena.plugins import presentation_of
from arena.publish.about import about_page
from arena.publish.charts import PageWriter
from arena.publish.data_files import (
    MAX_KEPT,
    Catalogue,
    SiteState,
    kept_replays,
    packed_records,
    read_catalogue,
    write_catalogue,
    write_figures,
    write_leaderboard,
)
from arena.publish.layout import (
    ABOUT,
    INDEX,
    NOT_FOUND,
    REPLAYS,
    STATIC,
    bot_page,
    drawing_script,
    game_id,
    game_page,
    replay_page,
)
from arena.publish.pages import (
    BotGames,
    PublishedGame,
    description_of,
    leading_rows_of,
    lines,
    listed,
    published_game,
    results_of_bot,
    title_of,
    variant_lines,
)
from arena.publish.render import Banner, Link, Renderer, static_files
from arena.publish.replay_panels import show_panels, static_of, stored_panels
from arena.publish.replays import files_of, headline, rules_files
from arena.publish.selection import Selection
from arena.publish.site_data import SiteData, banner_of
from arena.publish.site_folder import Site, digest_of_parts
from arena.publish.table_pages import TablePages
from arena.schedule.randomness import Secret
from arena.tournament.database import Database
from arena.tournament.digest import digest_lines
from arena.tournament.display_names import display_names_of
from arena.tournament.finished_boards import board_of
from arena.tournament.games import games_to_play
from arena.tournament.standings import is_complete, shown_results
from arena.tournament.store import Store
from engine import EngineError, get_variant

PUBLISH = Path(__file__).parent


class Published(NamedTuple):
    bots: int
    games: int
    replays: int


def publish(
    store: Database,
    site: Site,
    notice: Callable[[str], object],
    secret: Secret | None = None,
    *,
    all_games: bool = False,
) -> Published:
    """Write the website of a run, from its finished boards. The caller opens and closes `site`.

    The same records result in byte-identical files, except for publication times and for replays
    kept from an earlier site.

    Args:
        store: a run, which may be unfinished, or an export.
        site: the site's folder.
        notice: called with a message for each game whose replay can't be made.
        secret: the run's secret, to publish it after the contest.
        all_games: whether to make a replay of every game.

    Raises `StoreError` if the run can't be read.
    """
    with store.snapshot():
        banner, earlier = banner_of(store), read_catalogue(site.folder)
        source = _source_of(store, banner, secret, all_games=all_games)
        if site.keeps_all(source) and earlier:
            settings = store.settings()
            playing = {
                bot for name in settings.variants for bot in settings.staying(get_variant(name))
            }
            return Published(len(playing), earlier.state.played, len(earlier.replays))
        with packed_records(site) as add_line:
            data = SiteData(store, add_line)
        return _Build(data, site, notice, (banner, secret, earlier), all_games=all_games).all()


def _source_of(store: Database, banner: Banner, secret: Secret | None, *, all_games: bool) -> str:
    parts = [store.raw_settings(), *store.record_digests()]
    parts.append(repr((store.name, display_names_of(store), banner, all_games)).encode())
    parts.append(f"{_program()}{secret.text if secret else ''}".encode())
    parts += [part.content for own in stored_panels(store.folder).values() for part in own]
    return digest_of_parts(parts)


def _program() -> str:
    files = [path for path in sorted(PUBLISH.rglob("*.*")) if path.suffix != ".pyc"]
    return digest_of_parts([__version__.encode(), *[path.read_bytes() for path in files]])


def published_secret(store: Database) -> Secret:
    """Return the secret of a finished run. Raises `SettingsError` if the run isn't finished."""
    if not isinstance(store, Store):
        raise SettingsError(
            f"{store.name} is an exported file, which does not hold the secret of its run: name "
            "the run instead, or leave out --with-secret"
        )
    settings = store.settings()
    if settings.secret is None:
        raise SettingsError(
            f"the run {store.name} has no secret: its deals follow from a seed, which the "
            "site shows; leave out --with-secret"
        )
    if not is_complete(store):
        raise SettingsError(
            f"{store.count()} of {games_to_play(settings)} of the run {store.name} are "
            "played: publish the secret when all are, since bots could use it in the others"
        )
    secret = store.secret(settings.secret)
    assert secret, "the settings expect one"
    return secret


class _Build:
    def __init__(
        self,
        data: SiteData,
        site: Site,
        notice: Callable[[str], object],
        around: tuple[Banner, Secret | None, Catalogue | None],
        *,
        all_games: bool,
    ) -> None:
        self.data = data
        self.site = site
        self.all_games = all_games
        self.notice = notice
        self.banner, self.secret, self.earlier = around
        self.panels = stored_panels(data.store.folder)
        navigation = _navigation(data.by_game)
        self.renderer = Renderer(
            data.store.name,
            navigation,
            banner=self.banner,
            page_of_bot=self._bot_page,
            has_emblems=not data.is_large,
        )
        self.writer = PageWriter(site, self.renderer)
        self.about = about_page(data.settings, data.board, data.statistics)

    def all(self) -> Published:
        data, write = self.data, self.writer.write
        for path, file in static_files():
            self.site.write(path, file)
        for path, drawing in presented_files(data.by_game):
            self.site.write(path, drawing)
        for panel in {part.panel for own in self.panels.values() for part in own}:
            for name, file in static_of(panel).items():
                self.site.write(f"{STATIC}/{name}", file)
        write_leaderboard(self.site, data.ranked, self.secret)
        write_figures(self.site, data.statistics, list(data.variants))
        selection = Selection(
            data, kept_replays(self.earlier), self.panels, all_games=self.all_games
        )
        games = self._replays(selection)
        state = self._write_catalogue(games)
        by_variant: dict[str, list[PublishedGame]] = {variant: [] for variant in data.variants}
        for shown in games:
            by_variant[shown.variant].append(shown)
        write(
            "games.html",
            REPLAYS,
            games=listed(games),
            published=len(games),
            played=data.played,
            by_variant={variant: len(own) for variant, own in by_variant.items() if own},
            bots=sorted({name for game in listed(games) for name in game.bots}),
        )
        self._write_bots(selection.shown, games)
        pages = TablePages(data, self.writer)
        for game, variants in data.by_game.items():
            pages.write_game(game)
            for path, content in rules_files(game, self.renderer):
                self.site.write(path, content)
            for variant in variants:
                pages.write_variant(variant, by_variant[variant])
        pages.write_pairs(frozenset([game.page for game in games]))
        write(
            "about.html",
            ABOUT,
            about=self.about,
            board=data.board,
            settings=data.settings,
            all_games=self.all_games,
            is_large=data.is_large,
            replays=len(games),
            most_kept=MAX_KEPT,
            secret=self.secret,
            digest=digest_lines(data.digest),
        )
        write("404.html", NOT_FOUND)
        pages.write_index(state, games, self.banner)
        return Published(len(data.board.first_rows), data.played, len(games))

    def _bot_page(self, name: str) -> str:
        return bot_page(self.data.names.id_of(name))

    def _replays(self, selection: Selection) -> list[PublishedGame]:
        before = {game.id: game for game in self.earlier.replays} if self.earlier else {}
        around = f"{_program()} {self.banner} {sorted(self.data.by_game)} "
        games = []
        store = self.data.store
        for _, board in groupby(shown_results(store), lambda game: board_of(game.result)):
            chosen = [(game, selection.why(game.key)) for game in board]
            marked = [(game, why) for game, why in chosen if why is not None]
            rotations = {game.result.rotation: replay_page(game.key) for game, _ in marked}
            for key, why in [(game.key, why) for game, why in marked]:
                game = next(store.stored_games([key]))
                panels = self.panels.get(key, ())
                made_of = [game.record, game.seen or b"", f"{around}{rotations}".encode()]
                made_of += [part.content for part in panels]
                page, name = replay_page(key), game_id(key)
                old = before.get(name)
                files = [page, f"games/{name}.js"]
                if self.site.keeps(page, files, digest_of_parts(made_of)) and old:
                    games.append(old.because(why))
                    continue
                record, seen = self.data.named(game)
                show = partial(show_panels, panels, notice=self.notice)
                try:
                    for path, content in files_of(record, seen, self.renderer, rotations, show):
                        self.site.write(path, content)
                except EngineError as error:
                    self.notice(f"no replay of {record.title}: {printable(str(error))}")
                    continue
                time = old.published if old else self.site.now
                variant = self.data.variants[record.variant]
                told = headline(record, variant.sides)
                games.append(published_game(record, variant, told, time).because(why))
        return games

    def _write_catalogue(self, games: Iterable[PublishedGame]) -> SiteState:
        data = self.data
        state = SiteState(
            played=self.about.played,
            scheduled=self.about.scheduled,
            over=self.about.is_over,
            may_end_before=self.about.may_end_before,
            updated=self.site.now,
        )
        verdict = data.verdict()
        write_catalogue(
            self.site, Catalogue(data.store.name, verdict, state, data.digest, tuple(games))
        )
        return state

    def _write_bots(self, shown: Mapping[str, BotGames], published: list[PublishedGame]) -> None:
        data, statistics = self.data, self.data.statistics
        tables = {
            variant: lines(rows, data.entrants) for variant, rows in data.board.variants.items()
        }
        replayed = frozenset([game.page for game in published])
        apart: dict[str, list[str]] = defaultdict(list)
        for bot, other in data.apart:
            apart[bot].append(other)
            apart[other].append(bot)
        for name, games in shown.items():
            leading = leading_rows_of(name, data.board)
            self.writer.write(
                "bot.html",
                self._bot_page(name),
                bot=data.entrants[name],
                description=description_of(data.entrants[name]),
                withdrawn=statistics.withdrawn.get(name, ""),
                leading=leading,
                variants=variant_lines(
                    name, tables, statistics.times_of(name), statistics.seats[name]
                ),
                opponents=data.opponents[name],
                never_met=apart[name],
                faults=statistics.faults.get(name, []),
                causes=statistics.causes.groups(name),
                games=games,
                published=results_of_bot(name, published),
                replayed=replayed,
                pair_link=data.pair_link,
            )


def presented_files(games: Iterable[str]) -> list[tuple[str, str]]:
    """Return the drawing scripts of all game plugins, as pairs of path and content."""
    drawings = [(drawing_script(game), presentation_of(game).replay) for game in games]
    return [(path, drawing) for path, drawing in drawings if drawing]


def _navigation(games: Iterable[str]) -> list[Link]:
    links = [Link("Leaderboard", INDEX)]
    links += [Link(title_of(game), game_page(game)) for game in games]
    return [*links, Link("Replays", REPLAYS), Link("About", ABOUT)]
