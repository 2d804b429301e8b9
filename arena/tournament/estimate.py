"""Estimate how long a run will take, based on response times in earlier games."""

from collections import defaultdict
from itertools import islice
from statistics import fmean

from arena.base.record import Timing
from arena.tournament.games import games_by_variant
from arena.tournament.settings import Settings
from arena.tournament.store import Store

REFEREE_S = 0.006
"""Processor time that the referee needs per game, in seconds."""
SAMPLE = 400


def _usual_us(timing: Timing) -> int:
    others = timing.answers - 1
    if others < 1:
        return timing.total_us
    return (timing.total_us - timing.worst_us) * timing.answers // others


def estimate(store: Store, settings: Settings, workers: int) -> str:
    """Return an estimate such as "6000 games, about 12 min", based on a stored run with the same
    bots.
    """
    planned = {variant: games for variant, (_, games) in games_by_variant(settings).items()}
    spent = defaultdict[str, list[int]](list)
    for record, seen in islice(store.observed_records(), SAMPLE):
        spent[record.variant].append(sum(map(_usual_us, seen.timings)))
    most = "at most " if settings.may_end_early else ""
    games = f"{most}{sum(planned.values())} games"
    if not spent.keys() >= planned.keys():
        return games  # some variant hasn't been played yet
    times = {variant: REFEREE_S + fmean(spent[variant]) / 1e6 for variant in planned}
    busy_s = sum([number * times[variant] for variant, number in planned.items()])
    return f"{games}, about {_duration(busy_s / workers)}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{seconds / 3600:.1f} h"
