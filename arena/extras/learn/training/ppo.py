"""Proximal policy optimization (PPO) with action masks, over many games at once.

One network decides for all seats that learn. The decisions of a seat in a game are a sequence, with
a reward at its end.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.extras.learn.training.network import Adam, Floats, Network, Outputs, log_softmax
from arena.extras.learn.vector import VectorEnv


class PpoSettings(NamedTuple):
    """TrainingSettings of the updates."""

    rate: float = 2.5e-4
    clip: float = 0.2
    """How far the probability of an action may move in an update, as a ratio."""
    entropy: float = 0.01
    """The weight of the entropy of the policy, which keeps it exploring."""
    value: float = 0.5
    """The weight of the loss of the values."""
    smoothing: float = 0.95
    """Lambda of generalized advantage estimation."""
    epochs: int = 2
    """How often an update sees each decision."""
    batch: int = 1024


class Experience(NamedTuple):
    """Decisions of finished games, row by row."""

    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]
    logs: Floats
    """The logarithms of the probabilities with which the actions were taken."""
    advantages: Floats
    targets: Floats
    """What the values should have been."""

    def rows(self, numbers: NDArray[np.int64]) -> "Experience":
        """Return some rows."""
        return Experience(
            self.observations[numbers],
            self.masks[numbers],
            self.actions[numbers],
            self.logs[numbers],
            self.advantages[numbers],
            self.targets[numbers],
        )


def joined(parts: Sequence[Experience]) -> Experience:
    """Return all rows of the parts."""
    return Experience(*map(np.concatenate, zip(*parts, strict=True)))


class _Decision(NamedTuple):
    observation: NDArray[np.int8]
    mask: NDArray[np.int8]
    action: int
    log: float
    value: float


class Collector:
    """Plays games at once, and collects the decisions of the seats that learn."""

    def __init__(
        self, env: VectorEnv, reward: Callable[[Floats], Floats], rng: np.random.Generator
    ) -> None:
        """Make a collector.

        Args:
            env: games that have just begun.
            reward: returns what to learn from by seat, of the rewards of a game by seat.
            rng: draws actions.
        """
        self._env, self._reward, self._rng = env, reward, rng
        games = len(env.seats)
        self._open: list[dict[int, list[_Decision]]] = [{} for _ in range(games)]
        self._snapshot: Network | None = None
        self._is_snapshot = np.zeros((games, env.variant.seats), bool)
        self.finished = 0
        """The games that ended in the last `collect`."""

    def seat(self, snapshot: Network, seats: NDArray[np.bool_]) -> None:
        """Let a snapshot, which does not learn, decide in some seats, by game and seat."""
        self._snapshot, self._is_snapshot = snapshot, seats

    def collect(self, network: Network, steps: int, smoothing: float) -> Experience:
        """Take steps in each game, and return the decisions of the games that ended.

        Args:
            network: decides for the seats that learn.
            steps: their number in each game.
            smoothing: lambda of generalized advantage estimation.
        """
        self.finished = 0
        found: list[Experience] = []
        for _ in range(steps):
            actions = self._decide(network)
            self._env.play(actions)
            rewards = self._env.buffers.rewards
            for game in np.flatnonzero(self._env.buffers.dones).tolist():
                self.finished += 1
                final = self._reward(rewards[game])
                for seat, decisions in self._open[game].items():
                    found.append(_experience(decisions, float(final[seat]), smoothing))
                self._open[game] = {}
        return joined(found)

    def _decide(self, network: Network) -> NDArray[np.int64]:
        """Return the actions of all games, and note those of learners."""
        env = self._env
        games, seats = np.arange(len(env.seats)), env.seats.astype(int)
        logs, values = network.evaluate(env.observations, env.masks)
        theirs = self._is_snapshot[games, seats]
        if self._snapshot and theirs.any():
            logs[theirs], _ = self._snapshot.evaluate(env.observations[theirs], env.masks[theirs])
        actions = draw(logs, self._rng)
        observations, masks = env.observations.copy(), env.masks.copy()  # the next step writes them
        taken = logs[games, actions]
        for game in np.flatnonzero(~theirs).tolist():
            decision = _Decision(
                observations[game],
                masks[game],
                int(actions[game]),
                float(taken[game]),
                float(values[game]),
            )
            self._open[game].setdefault(int(seats[game]), []).append(decision)
        return actions


def draw(logs: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return an action for each row, drawn with the probabilities whose logarithms are `logs`."""
    noise = rng.gumbel(size=logs.shape).astype(np.float32)  # the greatest sum is such a draw
    drawn: NDArray[np.int64] = np.argmax(logs + noise, axis=1)
    return drawn


def _experience(decisions: Sequence[_Decision], reward: float, smoothing: float) -> Experience:
    """Return the experience of a seat in a game, with this reward at the end."""
    observations, masks, actions, logs, values = zip(*decisions, strict=True)
    advantages, targets = estimates(values, reward, smoothing)
    return Experience(
        np.stack(observations),
        np.stack(masks),
        np.array(actions),
        np.array(logs, np.float32),
        advantages,
        targets,
    )


def estimates(values: Sequence[float], reward: float, smoothing: float) -> tuple[Floats, Floats]:
    """Return generalized advantage estimates, without a discount, and the targets of the values.

    Args:
        values: by decision of a seat in a game, as the network estimated them.
        reward: at the end of the game.
        smoothing: lambda; 1 compares the reward with each value.
    """
    advantages = [0.0] * len(values)
    following, later = reward, 0.0
    for place in reversed(range(len(values))):
        later = advantages[place] = following - values[place] + smoothing * later
        following = values[place]
    found = np.array(advantages, np.float32)
    return found, found + np.array(values, np.float32)


def improve(
    network: Network,
    adam: Adam,
    experience: Experience,
    settings: PpoSettings,
    rng: np.random.Generator,
) -> None:
    """Improve a network by experience."""
    advantages = experience.advantages
    spread = advantages.std() + np.float32(1e-6)
    experience = experience._replace(advantages=(advantages - advantages.mean()) / spread)
    for _ in range(settings.epochs):
        order = rng.permutation(len(advantages))
        for first in range(0, len(order), settings.batch):
            batch = experience.rows(order[first : first + settings.batch])
            outputs = network.outputs(batch.observations)
            by_logits, by_values = loss_gradient(outputs, batch, settings)
            adam.step(network.gradient(outputs, by_logits, by_values), settings.rate)


def loss_gradient(
    outputs: Outputs, batch: Experience, settings: PpoSettings
) -> tuple[Floats, Floats]:
    """Return the gradient of the loss of a batch by the logits and by the values.

    The loss is the clipped surrogate, less the entropy, plus half the squared error of the values,
    with their weights.
    """
    rows = np.arange(len(batch.actions))
    logs = log_softmax(outputs.logits, batch.masks)
    chances = np.exp(logs)
    ratio = np.exp(logs[rows, batch.actions] - batch.logs)
    gains = batch.advantages > 0
    is_clipped = np.where(gains, ratio > 1 + settings.clip, ratio < 1 - settings.clip)
    by_log = np.where(is_clipped, 0, -ratio * batch.advantages).astype(np.float32)
    # The logarithm of a probability has, by the logits, the gradient: the action less the chances.
    by_logits = -chances * by_log[:, None]
    by_logits[rows, batch.actions] += by_log
    logs = np.where(batch.masks, logs, 0)
    entropy = -(chances * logs).sum(axis=1, keepdims=True)
    by_logits += np.float32(settings.entropy) * chances * (logs + entropy)
    by_values = np.float32(settings.value) * (outputs.values - batch.targets)
    share = np.float32(1 / len(rows))
    return share * by_logits, share * by_values
