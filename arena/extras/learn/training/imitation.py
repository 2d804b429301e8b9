"""Learning from a bot: its decisions in many games, and a network that imitates them."""

import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.agents import Agent, Seated
from arena.bot import Start
from arena.extras.learn.options import rewards_of
from arena.extras.learn.table import LearningTable
from arena.extras.learn.training.network import Adam, Floats, Network, log_softmax
from arena.match.seats import Ask
from engine import Encoding, Variant

DETOURS = 0.15
"""The part of the decisions that are played at random, so that many positions are seen."""


class Decisions(NamedTuple):
    """Decisions of many games, row by row."""

    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]
    results: Floats
    """The reward that the seat got at the end of the game."""

    def batches(self, size: int, rng: np.random.Generator) -> Iterator["Decisions"]:
        """Yield all rows once, in batches, in a random order."""
        order = rng.permutation(len(self.actions))
        for first in range(0, len(order), size):
            rows = order[first : first + size]
            yield Decisions(
                self.observations[rows], self.masks[rows], self.actions[rows], self.results[rows]
            )


class _Notebook:
    """An agent that asks a bot, notes what it would do, and sometimes plays something else."""

    def __init__(self, teacher: Agent, encoding: Encoding) -> None:
        self.teacher, self.encoding = teacher, encoding
        self.rows: list[tuple[int, NDArray[np.int8], list[int], int]] = []

    def sit(self, table: Start) -> Seated:
        return _NotingSeat(self, self.teacher.sit(table), random.Random(f"detours {table.seed}"))

    def close(self) -> None:
        self.teacher.close()


class _NotingSeat:
    def __init__(self, notebook: _Notebook, teacher: Seated, rng: random.Random) -> None:
        self._notebook, self._teacher, self._rng = notebook, teacher, rng

    def act(self, asked: Ask) -> str:
        action = self._teacher.act(asked)
        if len(asked.legal) == 1:
            return action
        encoding = self._notebook.encoding
        seen = np.frombuffer(encoding.encode(asked.state.view(asked.seat)), np.int8)
        numbers = encoding.numbers(asked.legal)
        number = numbers[asked.legal.index(action)]
        self._notebook.rows.append((asked.seat, seen, numbers, number))
        return self._rng.choice(asked.legal) if self._rng.random() < DETOURS else action

    def end(self, points: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        self._teacher.end(points, ranks)


def decisions_of(
    teacher: Agent, variant: Variant, encoding: Encoding, games: int, seed: int
) -> Decisions:
    """Return the decisions of a bot that sits in all seats, except those without a choice."""
    notebook = _Notebook(teacher, encoding)
    table = LearningTable(variant, encoding, dict.fromkeys(range(variant.seats), notebook))
    rng = random.Random(f"imitation {seed}")
    results: list[float] = []
    for _ in range(games):
        table.begin(rng)
        rewards = rewards_of(table.state.outcome(), variant.sides, "ranks")
        results += [rewards[row[0]] for row in notebook.rows[len(results) :]]
    masks = np.zeros((len(results), len(encoding.actions)), np.int8)
    for mask, row in zip(masks, notebook.rows, strict=True):
        mask[row[2]] = 1
    return Decisions(
        np.stack([row[1] for row in notebook.rows]),
        masks,
        np.array([row[3] for row in notebook.rows]),
        np.array(results, np.float32),
    )


def imitate(network: Network, adam: Adam, batch: Decisions, rate: float) -> float:
    """Learn from a batch; return the share of decisions that the network would have taken too."""
    rows = np.arange(len(batch.actions))
    outputs = network.outputs(batch.observations)
    logs = log_softmax(outputs.logits, batch.masks)
    by_logits = np.exp(logs)
    by_logits[rows, batch.actions] -= 1
    by_values = np.float32(0.5) * (outputs.values - batch.results)
    share = np.float32(1 / len(rows))
    adam.step(network.gradient(outputs, share * by_logits, share * by_values), rate)
    return float((logs.argmax(axis=1) == batch.actions).mean())
