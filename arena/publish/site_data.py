"""Collect the data that a run's website displays, without holding all games in memory."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

import msgspec

from arena.base.errors import StoreError
from arena.base.record import GameRecord, Observations, read_record
from arena.contest.contest_file import find_contest, read_contest, results_of
from arena.contest.settings import SiteTable
from arena.publish.heat_maps import HeatMap, pairs_map
from arena.publish.layout import MANY_BOTS, pair_page
from arena.publish.meetings import Meetings
from arena.publish.pages import BotGames
from arena.publish.render import Banner
from arena.publish.run_statistics import collect_statistics
from arena.rating.leaderboard import OVERALL
from arena.rating.pairs import Pair, pairs
from arena.tournament.database import Database, StoredGame
from arena.tournament.display_names import names_of, with_names
from arena.tournament.export import export_lines
from arena.tournament.games import games_by_variant, rounds_by_variant
from arena.tournament.standings import digest_of, is_over, rank, run_boards, shown_games
from arena.tournament.store import Store
from engine import get_variant


class SiteState(msgspec.Struct, frozen=True):
    played: int
    scheduled: int
    over: bool
    may_end_before: bool
    """Whether the run may end before all scheduled games are played."""
    updated: str
    """The time of the last update in UTC, in ISO 8601 format."""


def banner_of(store: Database) -> Banner:
    """Return the banner from the `[site]` table of the contest file."""
    file = find_contest(store.folder) if isinstance(store, Store) else None
    is_of_contest = file and store.folder.resolve().is_relative_to(results_of(file).resolve())
    site = read_contest(file).site if file and is_of_contest else SiteTable()
    address = f"{site.address.rstrip('/')}/" if site.address else ""
    return Banner(
        site.title or store.name, site.about, address, site.enter, site.enter_at, site.home
    )


class VariantDetails(NamedTuple):
    variant: str
    rules: int | None
    bots: int
    rounds: int
    played: int
    games: int


class SiteData:
    def __init__(self, store: Database, add_line: Callable[[bytes], object]) -> None:
        self.store = store
        self.settings = store.settings()
        self.names = names_of(store)
        self.entrants = {
            (shown := self.names.shown(entrant.name)): msgspec.structs.replace(entrant, name=shown)
            for entrant in self.settings.entrants
        }
        self.variants = {variant: get_variant(variant) for variant in self.settings.variants}
        self.by_game: dict[str, list[str]] = defaultdict(list)
        for variant in self.variants.values():
            self.by_game[variant.game].append(variant.id)
        self.ranked = rank(store)  # with bot ids instead of display names
        self.board = with_names(self.ranked, self.names)
        self.is_large = len(self.board.first_rows) > MANY_BOTS
        self._shares = run_boards(store)
        self.opponents: dict[str, list[Pair]] = defaultdict(list)
        for pair in with_names(pairs(self._shares), self.names):
            self.opponents[pair.bot].append(pair)
        for own in self.opponents.values():
            own.sort(key=lambda pair: (-pair.ahead, pair.opponent))
        self.digest = digest_of(store, self.ranked).value
        meetings = Meetings()
        self.statistics = collect_statistics(
            self._read(add_line),
            self.variants,
            meetings.add,
            {row.bot: row.mu for row in self.board.first_rows},
        )
        self.played = self.statistics.games.total()
        self.notable = self.statistics.notable_games_of_run()
        self.games_of_bots = {
            row.bot: BotGames(
                self.statistics.notable_games_of(row.bot), self.statistics.worst_boards_of(row.bot)
            )
            for row in self.board.first_rows
        }
        named = None
        if self.is_large:
            extremes = [pair for own in self.opponents.values() for pair in (own[0], own[-1])]
            named = {tuple(sorted([pair.bot, pair.opponent])) for pair in extremes}
        # With many bots, only the best and the worst opponent of each bot have a page.
        self.pair_pages = meetings.pages(self.statistics.scales, named)

    def _read(
        self, add_line: Callable[[bytes], object]
    ) -> Iterator[tuple[GameRecord, Observations]]:
        add_line(next(export_lines(self.store, self.ranked)))  # the header
        for game in shown_games(self.store):
            add_line(game.record)
            yield self.named(game)

    def named(self, game: StoredGame) -> tuple[GameRecord, Observations]:
        """Decode a stored game, and replace the bots' ids with their display names."""
        try:
            return with_names(read_record(game.record), self.names), game.observations
        except (ValueError, RecursionError) as error:
            raise StoreError(f"cannot read a record of {self.store.folder}: {error}") from None

    def state(self, updated: str) -> SiteState:
        board, settings = self.board, self.settings
        played, over = board.games + board.games_left_out, is_over(settings, board)
        games = [games for _, games in games_by_variant(settings).values()]
        return SiteState(
            played=played,
            scheduled=played if over else sum(games),
            over=over,
            may_end_before=not over and settings.stop_rule is not msgspec.UNSET,
            updated=updated,
        )

    def variant_details(self) -> list[VariantDetails]:
        rounds = rounds_by_variant(self.settings)
        return [
            VariantDetails(
                variant=variant,
                rules=self.statistics.rules.get(variant),
                bots=bots,
                rounds=rounds[variant],
                played=self.statistics.games[variant],
                games=games,
            )
            for variant, (bots, games) in games_by_variant(self.settings).items()
        ]

    def table_of(self, game: str) -> str:
        own = self.by_game[game]
        if len(self.by_game) == 1:
            return OVERALL
        return game if len(own) > 1 else own[0]

    def games_in(self, variants: Collection[str]) -> int:
        return sum(
            [
                self.variants[board.variant].seats
                for board in self._shares
                if board.variant in variants
            ]
        )

    def pair_link(self, bot: str, other: str) -> str:
        first, second = sorted([bot, other])
        if (first, second) not in self.pair_pages:
            return ""
        return pair_page(*map(self.names.id_of, (first, second)))

    def pairs_maps(self, variants: Collection[str], names: Sequence[str]) -> list[HeatMap]:
        """Return a heat map of head-to-head results, unless there are too few or too many bots."""
        boards = [board for board in self._shares if board.variant in variants]
        if not boards or not 1 < len(names) <= MANY_BOTS:
            return []
        return [pairs_map(with_names(pairs(boards), self.names), names, self.pair_link)]
