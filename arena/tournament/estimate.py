"""Estimate how long a run takes from the response times in games already played."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import islice

from arena.base.record import GameRecord, Observations, Timing
from arena.tournament.games import games_by_variant
from arena.tournament.settings import Settings
from arena.tournament.store import Store

REFEREE_S = 0.006
"""CPU time per game in seconds, without the CPU time of bots."""
SAMPLE = 400


class AnswerTimes:
    def __init__(self, games: Iterable[tuple[GameRecord, Observations]]) -> None:
        self.games, self.faults = Counter[str](), Counter[str]()
        self.busy: defaultdict[str, float] = defaultdict(float)
        self.answers, self.spent, self.worst = Counter[str](), Counter[str](), Counter[str]()
        for record, seen in games:
            self.games[record.variant] += 1
            self.faults.update([record.entrants[fault.seat] for fault in record.faults])
            for bot, timing in zip(record.entrants, seen.timings, strict=False):
                usual_us = _usual_us(timing)
                self.busy[record.variant] += usual_us / 1e6
                self.answers[bot] += timing.answers
                self.spent[bot] += usual_us
                self.worst[bot] = max(self.worst[bot], timing.worst_us)

    def mean_ms(self, bot: str) -> float:
        return self.spent[bot] / 1e3 / max(1, self.answers[bot])

    def busy_s(self, games: Mapping[str, int]) -> float:
        return sum(
            [
                number * (REFEREE_S + self.busy[variant] / max(1, self.games[variant]))
                for variant, number in games.items()
            ]
        )


def _usual_us(timing: Timing) -> int:
    others = timing.answers - 1
    if others < 1:
        return timing.total_us
    return (timing.total_us - timing.worst_us) * timing.answers // others


def estimate(store: Store, settings: Settings, workers: int) -> str:
    """Estimate the length of a run from a run with the same bots, for example `6000 games, about
    12 min`.
    """
    planned = {variant: games for variant, (_, games) in games_by_variant(settings).items()}
    times = AnswerTimes(islice(store.observed_records(), SAMPLE))
    most = "at most " if settings.may_end_early else ""
    games = f"{most}{sum(planned.values())} games"
    if not times.games.keys() >= planned.keys():
        return games  # some variant hasn't been played yet
    return f"{games}, about {duration(times.busy_s(planned) / workers)}"


def duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{seconds / 3600:.1f} h"
