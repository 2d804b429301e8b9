"""Build a run's website from its records."""

import gzip
import json
from collections.abc import Callable, Iterable
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from arena import __version__
from arena.base.errors import SettingsError
from arena.base.protocol import printable
from arena.plugins import presentation_of
from arena.publish.layout import (
    ABOUT,
    CATALOGUE,
    INDEX,
    LEADERBOARD_CSV,
    LEADERBOARD_JSON,
    NOT_FOUND,
    RECORDS,
    REPLAYS,
    SECRET,
    STATIC,
    bot_page,
    drawing_script,
    game_page,
    replay_page,
    rules_page,
)
from arena.publish.pages import (
    PublishedGame,
    description_of,
    leading_rows_of,
    lines,
    published_game,
    title_of,
    variant_lines,
    verdict_of,
)
from arena.publish.render import Banner, Link, Renderer, static_files
from arena.publish.replay_panels import show_panels, static_of, stored_panels
from arena.publish.replays import files_of, headline
from arena.publish.rules_page import rules_of
from arena.publish.selection import select_games
from arena.publish.site_data import SiteData, SiteState, banner_of
from arena.publish.site_folder import Site, digest_of_parts
from arena.publish.table_pages import TablePages
from arena.rating.leaderboard_files import as_csv, as_json
from arena.schedule.randomness import Secret
from arena.tournament.database import Database
from arena.tournament.digest import digest_lines
from arena.tournament.display_names import display_names_of
from arena.tournament.finished_boards import board_of
from arena.tournament.games import games_to_play
from arena.tournament.standings import is_complete, shown_results
from arena.tournament.store import Store
from engine import EngineError

PUBLISH = Path(__file__).parent
# Higher levels take much longer and hardly reduce the size of the file.
GZIP_LEVEL = 6


class Catalogue(msgspec.Struct, frozen=True):
    run: str
    verdict: str
    state: SiteState
    digest: str
    replays: list[PublishedGame]
    version: Literal[2] = 2


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
) -> Published | None:
    """Write the files of a run's website. Return None if the site is already up to date.

    Unfinished boards are left out. Publishing the same games again changes only the time of
    the last update.

    Args:
        store: a run, which may be unfinished, or an export.
        site: the open site, which the caller closes.
        notice: called with a message for each game whose replay can't be made.
        secret: the run's secret, to publish it after the contest.
        all_games: whether to make a replay of every game.

    Raises:
        StoreError: The run can't be read.
    """
    with store.snapshot():
        banner = banner_of(store)
        if site.is_made_from(_source_of(store, banner, secret, all_games=all_games)):
            return None
        with (
            site.path(RECORDS).open("wb") as file,
            gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0) as packed,
        ):
            data = SiteData(store, lambda line: packed.write(line + b"\n"))
        return _Build(data, site, notice, banner, secret).all(all_games=all_games)


def _source_of(store: Database, banner: Banner, secret: Secret | None, *, all_games: bool) -> str:
    parts = [store.raw_settings(), *store.record_digests()]
    parts.append(repr((store.name, display_names_of(store), banner, all_games)).encode())
    parts.append(f"{__version__}{secret.text if secret else ''}".encode())
    parts += [path.read_bytes() for path in sorted(PUBLISH.rglob("*.*")) if path.suffix != ".pyc"]
    parts += [part.content for own in stored_panels(store.folder).values() for part in own]
    return digest_of_parts(parts)


def published_secret(store: Database) -> Secret:
    """Return the secret from which the deals of a finished run were derived.

    Raise `SettingsError` if the run is unfinished or doesn't use a secret.
    """
    if not isinstance(store, Store):
        raise SettingsError(
            f"{store.name} is an exported file, which does not contain the secret of its run: name "
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
            f"{store.count()} of {games_to_play(settings)} of the run {store.name} have been "
            "played: publish the secret after the last game, because bots could make use of it"
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
        banner: Banner,
        secret: Secret | None,
    ) -> None:
        self.data = data
        self.site = site
        self.notice = notice
        self.banner, self.secret = banner, secret
        self.panels = stored_panels(data.store.folder)
        links = [Link(title_of(game), game_page(game)) for game in data.by_game]
        self.renderer = Renderer(
            data.store.name,
            [Link("Leaderboard", INDEX), *links, Link("Replays", REPLAYS), Link("About", ABOUT)],
            banner=banner,
            page_of_bot=self._bot_page,
            has_emblems=not data.is_large,
        )

    def write(self, template: str, path: str, **values: object) -> None:
        self.site.write(path, self.renderer.page(template, path, **values))

    def all(self, *, all_games: bool) -> Published:
        data = self.data
        for path, file in static_files():
            self.site.write(path, file)
        for path, drawing in presented_files(data.by_game):
            self.site.write(path, drawing)
        for panel in {part.panel for own in self.panels.values() for part in own}:
            for name, file in static_of(panel).items():
                self.site.write(f"{STATIC}/{name}", file)
        # Readable folders are private paths of the machine that played the run.
        sandbox = msgspec.structs.replace(data.ranked.sandbox, readable=())
        shown = msgspec.structs.replace(data.ranked, sandbox=sandbox)
        self.site.write(LEADERBOARD_JSON, as_json(shown))
        self.site.write(LEADERBOARD_CSV, printable(as_csv(shown)))
        if self.secret:
            self.site.write(SECRET, f"{self.secret.text}\n")
        games, state = self._write_replays(all_games=all_games), data.state(self.site.now)
        verdict = verdict_of(data.board)
        catalogue = Catalogue(data.store.name, verdict, state, data.digest, games)
        text = json.dumps(msgspec.to_builtins(catalogue), indent=1)  # escapes control characters
        self.site.write(CATALOGUE, text + "\n")
        by_variant = {
            variant: [game for game in games if game.variant == variant]
            for variant in data.variants
        }
        self.write(
            "games.html",
            REPLAYS,
            games=games,
            played=data.played,
            by_variant={variant: len(own) for variant, own in by_variant.items() if own},
            bots=sorted({name for game in games for name in game.bots}),
        )
        replayed = frozenset([game.page for game in games])
        self._write_bots(replayed)
        pages = TablePages(data, self.write)
        for game, variants in data.by_game.items():
            pages.write_game(game)
            if rules := rules_of(game):
                self.write("rules.html", rules_page(game), rules=rules, game=game)
            for variant in variants:
                pages.write_variant(variant, by_variant[variant])
        pages.write_pairs(replayed)
        dropped = data.settings.dropped_bots
        self.write(
            "about.html",
            ABOUT,
            state=state,
            variants=data.variant_details(),
            entrants=[bot for bot in data.settings.entrants if bot.name not in dropped],
            board=data.board,
            settings=data.settings,
            all_games=all_games,
            replays=len(games),
            secret=self.secret,
            digest=digest_lines(data.digest),
        )
        self.write("404.html", NOT_FOUND)
        pages.write_index(state, games, self.banner)
        return Published(len(data.board.first_rows), data.played, len(games))

    def _bot_page(self, name: str) -> str:
        return bot_page(self.data.names.id_of(name))

    def _write_replays(self, *, all_games: bool) -> list[PublishedGame]:
        selected = select_games(self.data, self.panels)
        games, store = [], self.data.store
        for _, board in groupby(shown_results(store), lambda game: board_of(game.result)):
            chosen = [game for game in board if all_games or game.key in selected]
            rotations = {game.result.rotation: replay_page(game.key) for game in chosen}
            for key in [game.key for game in chosen]:
                record, seen = self.data.named(next(store.stored_games([key])))
                show = partial(show_panels, self.panels.get(key, ()), notice=self.notice)
                try:
                    for path, content in files_of(record, seen, self.renderer, rotations, show):
                        self.site.write(path, content)
                except EngineError as error:
                    self.notice(f"no replay of {record.title}: {printable(str(error))}")
                    continue
                variant = self.data.variants[record.variant]
                outcome = headline(record, variant.sides)
                games.append(published_game(record, variant, outcome, selected.get(key, ())))
        return games

    def _write_bots(self, replayed: frozenset[str]) -> None:
        data, statistics = self.data, self.data.statistics
        tables = {
            variant: lines(rows, data.entrants) for variant, rows in data.board.variants.items()
        }
        for name, games in data.games_of_bots.items():
            self.write(
                "bot.html",
                self._bot_page(name),
                bot=data.entrants[name],
                description=description_of(data.entrants[name]),
                withdrawn=statistics.withdrawn.get(name, ""),
                leading=leading_rows_of(name, data.board),
                variants=variant_lines(name, tables, statistics.times_of(name)),
                opponents=data.opponents[name],
                faults=statistics.faults.get(name, []),
                causes=statistics.causes.groups(name),
                games=games,
                replayed=replayed,
                pair_link=data.pair_link,
            )


def presented_files(games: Iterable[str]) -> list[tuple[str, str]]:
    drawings = [(drawing_script(game), presentation_of(game).replay) for game in games]
    return [(path, drawing) for path, drawing in drawings if drawing]
