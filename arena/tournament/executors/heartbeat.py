"""Detect workers that have stopped sending heartbeats."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

import msgspec

BEAT_S = 1.0
MAX_SILENCE_S = 60.0
"""Seconds without a heartbeat after which a worker is replaced."""


class Alive(msgspec.Struct, frozen=True, tag="alive", tag_field="type"):
    """A heartbeat: the worker's loop is running."""


WorkerT = TypeVar("WorkerT", bound=Hashable)


class Silence:
    """Tracks how long each worker has been silent, not counting time when the machine was
    suspended.
    """

    def __init__(self, max_s: float = MAX_SILENCE_S) -> None:
        self._max_s = max_s
        self._listened_s = 0.0
        self._heard_at: dict[Hashable, float] = {}

    def listened(self, meant_s: float, lasted_s: float) -> None:
        self._listened_s += max(0.0, min(meant_s, lasted_s))

    def heard(self, worker: Hashable) -> None:
        self._heard_at[worker] = self._listened_s

    def forget(self, worker: Hashable) -> None:
        self._heard_at.pop(worker, None)

    def too_long_of(self, workers: Iterable[WorkerT]) -> list[WorkerT]:
        return [
            worker for worker in workers if self._listened_s - self._heard_at[worker] > self._max_s
        ]
