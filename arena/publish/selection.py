"""Select the games that get a replay, and give a reason for each."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest

from arena.publish.layout import game_id
from arena.publish.pages import FAULT, KEPT, BotGames
from arena.publish.replay_panels import StoredPanel
from arena.publish.run_statistics import RunStatistics
from arena.publish.site_data import SiteData

MAX_CHOSEN = 100
"""Maximum number of games selected for replays, on a site with more than `MANY_BOTS` bots. Games
with a panel and previously published games don't count toward this limit.
"""
MAX_CHOSEN_FAULTS = 30
WORST_BOARDS_OF_MANY = 2


class Selection:
    """Selects the games that get a replay: games with a fault, games with a panel, and games
    named on other pages.
    """

    def __init__(
        self,
        data: SiteData,
        kept: Collection[str],
        panels: Mapping[str, Sequence[StoredPanel]],
        *,
        all_games: bool,
    ) -> None:
        """Select games of a run. `kept` are ids of published games whose replays are kept."""
        statistics = data.statistics
        most = WORST_BOARDS_OF_MANY if data.is_large else None
        self.shown = {
            row.bot: BotGames(
                statistics.notable_games_of(row.bot), statistics.worst_boards_of(row.bot)[:most]
            )
            for row in data.board.first_rows
        }
        self._all_games = all_games
        self._kept = kept
        self._reasons: dict[str, list[str]] = self._special()
        for page in data.pair_pages.values():
            for key, why in page.decisive_games():
                self._reasons[key].append(why)
        for key in statistics.faulty:
            self._reasons[key].append(FAULT)
        if data.is_large and not all_games:
            chosen = self._chosen(statistics)
            self._reasons = {key: own for key, own in self._reasons.items() if key in chosen}
        for key, own in panels.items():
            shown = self._reasons.setdefault(key, [])
            shown += dict.fromkeys([part.panel.name for part in own])

    def why(self, key: str) -> list[str] | None:
        """Return the reasons why a game gets a replay. None if it gets none."""
        if key in self._reasons or self._all_games:
            return self._reasons.get(key, [])
        return [KEPT] if game_id(key) in self._kept else None

    def _special(self) -> dict[str, list[str]]:
        reasons: dict[str, list[str]] = defaultdict(list)
        for bot, games in self.shown.items():
            for notable in games.notable:
                reasons[notable.game.key].append(f"{notable.why} of {bot}")
            for rotation in [rotated for board in games.worst[:1] for rotated in board.rotations]:
                reasons[rotation.key].append(f"worst board of {bot}")
            for board in games.worst[1:]:
                others = [name for name in board.rotations[0].entrants if name != bot]
                reasons[board.heaviest(bot, others).key].append(f"among the worst boards of {bot}")
        return reasons

    def _chosen(self, statistics: RunStatistics) -> set[str]:
        """Choose `MAX_CHOSEN` games of a large run, so that as many bots as possible appear in
        one of them.
        """
        chosen = {notable.game.key for notable in statistics.notable_games_of_run()}
        faults = [cause.first.key for bot in self.shown for cause in statistics.causes.groups(bot)]
        chosen.update(faults[:MAX_CHOSEN_FAULTS])
        seated: set[str] = set()
        for bot, games in self.shown.items():
            if games.worst and bot not in seated and len(chosen) < MAX_CHOSEN:
                entrants = games.worst[0].rotations[0].entrants
                others = [name for name in entrants if name != bot]
                chosen.add(games.worst[0].heaviest(bot, others).key)
                seated.update(entrants)
        notable = [games.notable for games in self.shown.values()]
        for key in [own.game.key for row in zip_longest(*notable) for own in row if own]:
            if len(chosen) < MAX_CHOSEN:
                chosen.add(key)
        return chosen
