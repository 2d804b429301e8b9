"""Training of a policy: imitation of a bot, then PPO in self-play and against bots."""

import time
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.agents import Agent
from arena.extras.learn.options import as_agent
from arena.extras.learn.training.imitation import decisions_of, imitate
from arena.extras.learn.training.network import Adam, Floats, Network, Widths
from arena.extras.learn.training.network_parts import groups_in, parts_of
from arena.extras.learn.training.ppo import Collector, PpoSettings, improve, joined
from arena.extras.learn.vector import VectorEnv
from arena.match.in_process import class_of
from engine import get_variant

MAX_SNAPSHOTS = 10
FIRST_MEASURED_DEAL = 1_000_000
"""Deals of measurements have numbers from here on, so that none of them is trained with."""


class TrainingSettings(NamedTuple):
    """TrainingSettings of a training. The same ones give the same weights with the same numpy."""

    teacher: str
    """The bot that is imitated at first."""
    opponents: tuple[str, ...]
    """The bots that are played against with PPO."""
    measured: tuple[str, ...]
    """The bots that the learning curve is measured against."""
    seed: int = 1
    """Of all that is random."""
    widths: Widths = Widths()
    lessons: int = 6000
    """The games of the teacher."""
    passes: int = 4
    """How often the network sees each decision of the teacher."""
    iterations: int = 150
    """Of PPO."""
    games: int = 192
    """At once, in self-play; in half of them, snapshots sit in all seats but one."""
    games_with_bots: int = 16
    """At once, against each of the opponents, which sit in all seats but one."""
    steps: int = 64
    """In each game, in an iteration."""
    lead: float = 0.03
    """The reward for a point of lead, beside that for the rank."""
    snapshot_every: int = 10
    """Iterations from a snapshot to the next one; the last ten are played against."""
    measure_every: int = 10
    """Iterations from a measurement to the next one."""
    measured_games: int = 400
    """The games of a measurement against each bot."""
    ppo: PpoSettings = PpoSettings()


SETTINGS = {
    "pot-de-vin/3": TrainingSettings(
        "planner", ("planner",), ("random", "collector", "planner"), iterations=40
    ),
    "bribery/2": TrainingSettings(
        "fixer",
        ("fixer",),
        ("random", "banker", "fixer"),
        lessons=4000,
        iterations=10,
        measured_games=200,
    ),
}
"""The settings of the bundled bot, by variant."""


class CurvePoint(NamedTuple):
    """A point of a learning curve."""

    stage: str
    """`start`, `imitation` or `ppo`."""
    decisions: int
    """Those that the network has learned from so far."""
    games: int
    """Those that were played to learn so far."""
    processor_s: float
    """The processor time so far, measurements included."""
    bot: str
    share: float
    """How often the policy was placed before the bot in the other seats; a shared place counts
    half."""


class Trainer:
    """Trains a network for a variant."""

    def __init__(self, variant_id: str, settings: TrainingSettings) -> None:
        """Make a network that has learned nothing.

        Raises:
            EngineError: the variant is unknown.
        """
        self.settings = settings
        self.variant = get_variant(variant_id)
        self.encoding = self.variant.encoding()
        parts = parts_of(self.encoding, groups_in(self.variant.game))
        self._rng = np.random.default_rng(settings.seed)
        self.network = Network(self.encoding, parts, settings.widths, self._rng)
        self._decisions = self._games = 0

    def train(self) -> Iterator[CurvePoint]:
        """Train the network, and yield its learning curve."""
        yield from self._measure("start")
        if self.settings.lessons:
            yield from self._imitate()
        yield from self._reinforce()

    def _imitate(self) -> Iterator[CurvePoint]:
        """Learn the decisions of the teacher."""
        settings, adam = self.settings, Adam(self.network)
        teacher = as_agent(class_of(settings.teacher))
        games, seed = settings.lessons, settings.seed
        lessons = decisions_of(teacher, self.variant, self.encoding, games, seed)
        self._games += games
        for number in range(settings.passes):
            rate = 1e-3 * (1 - number / settings.passes)
            for batch in lessons.batches(512, self._rng):
                imitate(self.network, adam, batch, rate)
            self._decisions += len(lessons.actions)
            if number % 2 or number == settings.passes - 1:
                yield from self._measure("imitation")

    def _reinforce(self) -> Iterator[CurvePoint]:
        """Improve the policy by PPO."""
        settings, adam = self.settings, Adam(self.network)
        self_play = self._collector(settings.games, 0)
        with_bots = [
            self._collector(settings.games_with_bots, place, self._others(name))
            for place, name in enumerate(settings.opponents, 1)
        ]
        snapshots = [self.network.snapshot()]
        for number in range(1, settings.iterations + 1):
            chosen = snapshots[self._rng.integers(len(snapshots))]
            self_play.seat(chosen, self._snapshot_seats())
            experience = joined(
                [
                    play.collect(self.network, settings.steps, settings.ppo.smoothing)
                    for play in (self_play, *with_bots)
                ]
            )
            self._games += sum([play.finished for play in (self_play, *with_bots)])
            improve(self.network, adam, experience, settings.ppo, self._rng)
            self._decisions += len(experience.actions)
            if number % settings.snapshot_every == 0:
                snapshots = [*snapshots[1 - MAX_SNAPSHOTS :], self.network.snapshot()]
            if number % settings.measure_every == 0 or number == settings.iterations:
                yield from self._measure("ppo")

    def _collector(
        self, games: int, place: int, opponents: Mapping[int, Agent] | None = None
    ) -> Collector:
        """Return what plays games at once; `place` gives it deals of its own."""
        env = VectorEnv(
            self.variant.id,
            games,
            seed=100 * self.settings.seed + place,
            rewards="points",
            opponents=opponents or {},
        )
        return Collector(env, self._reward, self._rng)

    def _others(self, bot: str) -> dict[int, Agent]:
        """Return a bot of the arena, in this process, in all seats but the first."""
        return dict.fromkeys(range(1, self.variant.seats), as_agent(class_of(bot)))

    def _snapshot_seats(self) -> NDArray[np.bool_]:
        """Return by game and seat whether a snapshot sits there: in half of the games."""
        games, seats = self.settings.games, self.variant.seats
        theirs = np.ones((games, seats), bool)
        theirs[: games // 2] = False
        theirs[np.arange(games), self._rng.integers(seats, size=games)] = False
        return theirs

    def _reward(self, points: Floats) -> Floats:
        """Return by seat: the share of other seats behind it, less the share ahead, and its lead.

        The lead is the mean over the other seats, in points, times `TrainingSettings.lead`.
        """
        leads = points[:, None] - points
        found: Floats = np.sign(leads) + np.float32(self.settings.lead) * leads
        mean: Floats = found.sum(axis=1) / np.float32(len(points) - 1)
        return mean

    def _measure(self, stage: str) -> Iterator[CurvePoint]:
        """Yield how the policy does against each bot now, always on the same deals."""
        for bot in self.settings.measured:
            share = self._share_against(bot)
            spent_s = time.process_time()
            yield CurvePoint(stage, self._decisions, self._games, spent_s, bot, share)

    def _share_against(self, bot: str) -> float:
        """Return how often the policy, which plays its best action, is placed before a bot."""
        tables = min(50, self.settings.measured_games)
        wanted = self.settings.measured_games // tables
        opponents, seed = self._others(bot), FIRST_MEASURED_DEAL
        env = VectorEnv(self.variant.id, tables, seed=seed, rewards="ranks", opponents=opponents)
        counts, total = np.zeros(tables, int), 0.0
        while counts.min() < wanted:
            logs, _ = self.network.evaluate(env.observations, env.masks)
            _, rewards, dones, _, _ = env.step(logs.argmax(axis=1))
            counted = dones & (counts < wanted)
            total += float(rewards[counted].sum())
            counts += dones
        return 0.5 + total / (tables * wanted) / 2
