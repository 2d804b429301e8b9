"""Heartbeats of workers, and which workers have been silent for too long."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

import msgspec

BEAT_S = 1.0
"""The time between two heartbeats of a worker."""
MAX_SILENCE_S = 60.0
"""The silence after which a worker is replaced.

A worker sends heartbeats from the loop that waits for bots, which is never busy with one thing for
longer than a few seconds, so this is generous."""


class Alive(msgspec.Struct, frozen=True, tag="alive", tag_field="type"):
    """A heartbeat: the worker's loop runs."""


WorkerT = TypeVar("WorkerT", bound=Hashable)


class Silence:
    """The silence of each worker, in seconds for which its parent has listened.

    A wait counts for as long as it was meant to last, and no longer. So a suspended laptop, or a
    machine so busy that the parent gets no core either, silences no worker.
    """

    def __init__(self, max_s: float = MAX_SILENCE_S) -> None:
        self._max_s = max_s
        self._listened_s = 0.0
        self._heard_at: dict[Hashable, float] = {}

    def listened(self, meant_s: float, lasted_s: float) -> None:
        """Note that the parent has listened: a wait of `meant_s` that lasted `lasted_s`."""
        self._listened_s += max(0.0, min(meant_s, lasted_s))

    def heard(self, worker: Hashable) -> None:
        """Note that a worker was heard, or was given something to do."""
        self._heard_at[worker] = self._listened_s

    def forget(self, worker: Hashable) -> None:
        """Forget a worker that has ended."""
        self._heard_at.pop(worker, None)

    def too_long_of(self, workers: Iterable[WorkerT]) -> list[WorkerT]:
        """Return those of these workers that have been silent for too long."""
        return [
            worker for worker in workers if self._listened_s - self._heard_at[worker] > self._max_s
        ]
