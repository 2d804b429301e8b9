"""What the pages of a run's site are made of, with names as they are shown."""

from collections import defaultdict
from collections.abc import Iterator

import msgspec

from arena.publish.charts.ratings import STEPS
from arena.publish.meetings import never_met
from arena.publish.pages import title_of, verdict
from arena.publish.run_statistics import collect_statistics
from arena.publish.table_charts import TableCharts
from arena.record import GameRecord, Observations
from arena.tournament.database import Database
from arena.tournament.finished_boards import finished_games
from arena.tournament.run_names import names_of, with_names
from arena.tournament.settings import Settings
from arena.tournament.standings import (
    RunLeaderboard,
    compare,
    complete_boards,
    digest_of,
    extra_boards,
    rank,
    trace,
)
from engine import get_variant


class SiteData:
    """The boards of a run that are over, and what follows from them. Each is computed once."""

    def __init__(self, store: Database, notable_games: int) -> None:
        """Read a run; `notable_games` is the number of notable games that are looked for."""
        self.store = store
        self.settings = store.settings(Settings)
        self.names = names_of(store)
        self.entrants = {
            (shown := self.names.shown(one.name)): msgspec.structs.replace(one, name=shown)
            for one in self.settings.entrants
        }
        self.variants = {one: get_variant(one) for one in self.settings.variants}
        self.by_game: dict[str, list[str]] = defaultdict(list)
        """The variants of each game."""
        variants = self.variants.values()
        for variant in variants:
            self.by_game[variant.game].append(variant.id)
        self.ranked = rank(store)
        """The leaderboard with ids, as all that is computed."""
        self.board = with_names(self.ranked, self.names)
        self._boards: dict[str, RunLeaderboard] = {}
        self.apart = never_met(
            {one.id: [*map(self.names.shown, self.settings.staying(one))] for one in variants}
        )
        self.pairs = with_names(compare(store), self.names)
        self.table_charts = TableCharts(self.settings, complete_boards(store), self.names)
        self.statistics = collect_statistics(
            self.games(), self.variants, notable_games, extra_boards(store)
        )
        self.played = self.statistics.games.total()
        self.digest = digest_of(store, self.ranked).value
        self.snapshots = with_names(trace(store, STEPS), self.names) if self.board.games else []
        """The ratings over the course of the run."""

    def games(self) -> Iterator[tuple[GameRecord, Observations]]:
        """Yield the games that may be published, in schedule order, with their observations."""
        games = finished_games(self.store)
        return ((with_names(record, self.names), seen) for record, seen in games)

    def board_of(self, game: str) -> RunLeaderboard:
        """Return the leaderboard of the variants of a game."""
        if len(self.by_game) == 1:
            return self.board
        if game not in self._boards:
            self._boards[game] = with_names(rank(self.store, self.by_game[game]), self.names)
        return self._boards[game]

    def verdict(self) -> str:
        """Return who leads: overall, or in each game where bots never met."""
        if not self.apart:
            return verdict(self.board.overall)
        leaders = [
            f"{title_of(game)}: {verdict(self.board_of(game).overall)}" for game in self.by_game
        ]
        return " ".join(leaders)
