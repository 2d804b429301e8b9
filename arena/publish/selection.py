"""Choose the games for which the website shows replays."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from arena.publish.replay_panels import StoredPanel
from arena.publish.site_data import SiteData

# Games with a panel from a plugin are added to this number.
MAX_REPLAYS = 150


def select_games(
    data: SiteData, panels: Mapping[str, Sequence[StoredPanel]]
) -> dict[str, list[str]]:
    """Choose games to show, and return a dict that maps their keys to the reasons for the choice.
    Faults are not listed as reasons.
    """
    selected: dict[str, list[str]] = defaultdict(list)
    for key, reason in _candidates(data):
        if key in selected or len(selected) < MAX_REPLAYS:
            selected[key] += [reason] if reason else []
    for key, own in panels.items():
        selected[key] += dict.fromkeys([part.panel.name for part in own])
    return selected


def _candidates(data: SiteData) -> Iterator[tuple[str, str]]:
    for notable in data.notable:
        yield notable.game.key, f"{notable.why} of the run"
    for bot in data.games_of_bots:
        for cause in data.statistics.causes.groups(bot):
            yield cause.first.key, ""
            yield cause.last.key, ""
    for bot, games in data.games_of_bots.items():
        for board in games.worst[:1]:
            yield board.heaviest(bot).key, f"heaviest defeat of {bot}"
    for bot, games in data.games_of_bots.items():
        for notable in games.notable:
            yield notable.game.key, f"{notable.why} of {bot}"
    for bot, games in data.games_of_bots.items():
        for rotation in [rotation for board in games.worst[:1] for rotation in board.rotations]:
            yield rotation.key, f"worst board of {bot}"
    for bot, games in data.games_of_bots.items():
        for board in games.worst[1:]:
            yield board.heaviest(bot).key, f"among the worst boards of {bot}"
    for page in data.pair_pages.values():
        for bot, opponent, board in page.worst:
            yield board.heaviest(bot, opponent).key, f"where {bot} lost most to {opponent}"
    for key in data.statistics.faulty:
        yield key, ""
