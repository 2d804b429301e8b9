"""Collect the data behind a run's website, with displayed names.

Records are read one at a time, so they are never all held in memory.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence

import msgspec

from arena.base.errors import StoreError
from arena.base.record import GameRecord, Observations, read_record
from arena.contest.contest_file import find_contest, read_contest, results_of
from arena.contest.settings import SiteTable
from arena.publish.charts import (
    LOOKS,
    LOOKS_OF_MANY,
    STEPS,
    STEPS_OF_MANY,
    Chart,
    certainty_chart,
    matrix_chart,
    score_chart,
)
from arena.publish.layout import MANY_BOTS, pair_page
from arena.publish.meetings import Meetings
from arena.publish.pages import Legend, Line, never_met, verdict_of
from arena.publish.render import Banner
from arena.publish.run_statistics import collect_statistics
from arena.rating.leaderboard import OVERALL
from arena.rating.pairs import Pair, pairs, result_matrix
from arena.rating.stop_rule import certainty_history
from arena.tournament.blocks import certainty_courses
from arena.tournament.database import Database, StoredGame
from arena.tournament.display_names import names_of, with_names
from arena.tournament.export import export_lines
from arena.tournament.standings import digest_of, rank, run_boards, shown_games, trace
from arena.tournament.store import Store
from engine import get_variant


def banner_of(store: Database) -> Banner:
    """Return the banner from the `[site]` table of the run's contest file."""
    file = find_contest(store.folder) if isinstance(store, Store) else None
    is_of_contest = file and store.folder.resolve().is_relative_to(results_of(file).resolve())
    said = read_contest(file).stage if file and is_of_contest else SiteTable()
    address = f"{said.address.rstrip('/')}/" if said.address else ""
    return Banner(
        said.title or store.name, said.about, address, said.enter, said.enter_at, said.home
    )


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
        self.ranked = rank(store)
        """The leaderboard with bot ids instead of displayed names."""
        self.board = with_names(self.ranked, self.names)
        self.is_large = len(self.board.first_rows) > MANY_BOTS
        self.apart = never_met(
            {
                variant: [*map(self.names.shown, self.settings.staying(self.variants[variant]))]
                for variant in self.variants
            }
        )
        boards = self._shares = run_boards(store)
        self.opponents: dict[str, list[Pair]] = defaultdict(list)
        for pair in with_names(pairs(boards), self.names):
            self.opponents[pair.bot].append(pair)
        for own in self.opponents.values():
            own.sort(key=lambda pair: (-pair.ahead, pair.opponent))
        steps = STEPS_OF_MANY if self.is_large else STEPS
        self.snapshots = (
            with_names(trace(store, boards, steps), self.names) if self.board.games else []
        )
        self.digest = digest_of(store, self.ranked).value
        self.meetings = Meetings()
        self.statistics = collect_statistics(
            self._read(add_line),
            self.variants,
            self.meetings.add,
            {row.bot: row.mu for row in self.board.first_rows},
        )
        self._charts: dict[tuple[str, ...], list[Chart]] = {}
        self.played = self.statistics.games.total()
        self.scales = self.statistics.scales
        places = {row.bot: place for place, row in enumerate(self.board.first_rows)}
        named = None
        if self.is_large:
            extremes = [pair for own in self.opponents.values() for pair in (own[0], own[-1])]
            named = {tuple(sorted([pair.bot, pair.opponent])) for pair in extremes}
        self.pair_pages = self.meetings.pages(places, self.scales, named)
        """Pages by pair of bots in alphabetical order. With many bots, only pairs linked from a
        bot's page are included."""

    def _read(
        self, add_line: Callable[[bytes], object]
    ) -> Iterator[tuple[GameRecord, Observations]]:
        add_line(next(export_lines(self.store, self.ranked)))  # the header
        for game in shown_games(self.store):
            add_line(game.record)
            yield self.named(game)

    def named(self, game: StoredGame) -> tuple[GameRecord, Observations]:
        """Return a game's record with displayed names, and its observations."""
        try:
            return with_names(read_record(game.record), self.names), game.observations
        except (ValueError, RecursionError) as error:
            raise StoreError(f"cannot read a record of {self.store.folder}: {error}") from None

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

    def table_charts(
        self, variants: Sequence[str], table: Sequence[Line], interplay: float, legend: Legend
    ) -> list[Chart]:
        boards = [board for board in self._shares if board.variant in variants]
        if not boards:
            return []
        names = [line.row.bot for line in table]
        if (key := (*variants, *names)) in self._charts:
            return self._charts[key]
        ids = list(map(self.names.id_of, names))
        drawn = [score_chart(table, legend.certificate)]
        if len(names) > 1:
            courses = certainty_courses(self.settings) if legend.certificate else {}
            course = next((courses[variant] for variant in variants if variant in courses), None)
            looks = LOOKS_OF_MANY if self.is_large else LOOKS
            history = certainty_history(boards, ids, looks, course)
            if any(value is not None for look in history for value in look.certainty):
                drawn.append(certainty_chart(history, names, is_looked_at=bool(course)))
            cells = with_names(result_matrix(boards, ids), self.names)
            drawn.append(matrix_chart(cells, names, interplay, self.pair_link))
        self._charts[key] = drawn
        return drawn

    def verdict(self) -> str:
        return verdict_of(self.board)
