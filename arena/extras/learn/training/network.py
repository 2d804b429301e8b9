"""A network in numpy, for a policy and a value, with its gradient.

It treats all parts of a game alike, such as all cards: each goes through the same layers, together
with the context, which sees the whole vector. So what is learned of one part helps with all others.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.extras.learn.training.network_parts import NONE, Parts
from engine import Encoding

Floats = NDArray[np.float32]
MASKED = np.float32(-1e9)
"""The logit of an action that is not legal."""


class Widths(NamedTuple):
    """The widths of the hidden layers."""

    context: int = 128
    first: int = 64
    second: int = 64


class Outputs(NamedTuple):
    """The outputs of the layers for rows of vectors, and what comes of them."""

    vector: Floats
    """Scaled, of shape (rows, numbers)."""
    own: Floats
    """The features of each part, of shape (rows, parts, features)."""
    context: Floats
    first: Floats
    """Of shape (rows, parts, width), as `second`."""
    second: Floats
    logits: Floats
    """Of shape (rows, actions)."""
    values: Floats
    """Of shape (rows,): the reward that is expected."""


class Network:
    """Layers of weights, in float32."""

    def __init__(
        self, encoding: Encoding, parts: Parts, widths: Widths, rng: np.random.Generator
    ) -> None:
        """Make a network with random weights.

        Args:
            encoding: of the vectors and actions.
            parts: of the game.
            widths: of the hidden layers.
            rng: draws the weights.
        """
        self.encoding, self.parts = encoding, parts
        self.scale = scale_of(encoding)
        count, features = parts.inputs.shape
        named = parts.actions[parts.actions != NONE]
        self.rest = np.setdiff1d(np.arange(len(encoding.actions)), named)
        """The numbers of the actions that name no part."""
        context, first, second = widths
        shapes = {
            "context": (encoding.size, context),
            "own": (features, first),
            "from_context": (context, first),
            "second": (first, second),
            "from_mean": (first, second),
            "logits": (second, parts.actions.shape[1]),
            "rest": (second, len(self.rest) + 1),
            "rest_from_context": (context, len(self.rest) + 1),
        }
        self.weights: dict[str, Floats] = {
            name: rng.normal(0, np.sqrt(1.5 / shape[0]), shape).astype(np.float32)
            for name, shape in shapes.items()
        }
        for name in ("logits", "rest", "rest_from_context"):
            self.weights[name] *= np.float32(0.05)  # at first all actions are about as likely
        self.weights["part"] = rng.normal(0, 0.5, (count, first)).astype(np.float32)
        for name, width in {
            "context_bias": context,
            "second_bias": second,
            "logits_bias": parts.actions.shape[1],
            "rest_bias": len(self.rest) + 1,
        }.items():
            self.weights[name] = np.zeros(width, np.float32)

    def snapshot(self) -> "Network":
        """Return a copy with weights of its own."""
        copied = object.__new__(Network)
        copied.__dict__ |= self.__dict__
        copied.weights = {name: weights.copy() for name, weights in self.weights.items()}
        return copied

    def save(self, file: Path) -> None:
        """Write the weights in float16, with all that a policy needs to use them."""
        np.savez_compressed(
            file,
            encoding=np.array(self.encoding.name),
            scale=self.scale,
            inputs=self.parts.inputs.astype(np.int16),
            actions=self.parts.actions.astype(np.int16),
            rest_actions=self.rest.astype(np.int16),
            allow_pickle=False,
            **{name: weights.astype(np.float16) for name, weights in self.weights.items()},
        )

    def outputs(self, observations: NDArray[np.int8]) -> Outputs:
        """Return the outputs of all layers for vectors of shape (rows, numbers)."""
        w, parts = self.weights, self.parts
        vector = observations * self.scale
        own = np.where(parts.inputs == NONE, np.float32(0), vector[:, parts.inputs])
        context = np.maximum(vector @ w["context"] + w["context_bias"], 0)
        shared = context @ w["from_context"]
        first = np.maximum(_each(own, w["own"]) + w["part"] + shared[:, None], 0)
        mean = first.mean(axis=1) @ w["from_mean"] + w["second_bias"]
        second = np.maximum(_each(first, w["second"]) + mean[:, None], 0)
        by_part = _each(second, w["logits"]) + w["logits_bias"]
        rest = second.mean(axis=1) @ w["rest"] + context @ w["rest_from_context"] + w["rest_bias"]
        logits = np.empty((len(vector), len(self.encoding.actions)), np.float32)
        is_action = parts.actions != NONE
        logits[:, parts.actions[is_action]] = by_part[:, is_action]
        logits[:, self.rest] = rest[:, :-1]
        return Outputs(vector, own, context, first, second, logits, rest[:, -1])

    def evaluate(
        self, observations: NDArray[np.int8], masks: NDArray[np.int8]
    ) -> tuple[Floats, Floats]:
        """Return the logarithms of the probabilities (rows, actions), and the values (rows,)."""
        outputs = self.outputs(observations)
        return log_softmax(outputs.logits, masks), outputs.values

    def gradient(self, outputs: Outputs, by_logits: Floats, by_values: Floats) -> dict[str, Floats]:
        """Return the gradient by all weights, from that by the logits and by the values."""
        w, parts = self.weights, self.parts
        count = np.float32(len(parts.actions))
        is_action = parts.actions != NONE
        by_part = np.zeros((len(by_logits), *parts.actions.shape), np.float32)
        by_part[:, is_action] = by_logits[:, parts.actions[is_action]]
        by_rest = np.column_stack([by_logits[:, self.rest], by_values])
        by_second = _each(by_part, w["logits"].T) + (by_rest @ w["rest"].T / count)[:, None]
        by_second *= outputs.second > 0
        by_mean = by_second.sum(axis=1)
        by_first = _each(by_second, w["second"].T) + (by_mean @ w["from_mean"].T / count)[:, None]
        by_first *= outputs.first > 0
        by_shared = by_first.sum(axis=1)
        by_context = by_rest @ w["rest_from_context"].T + by_shared @ w["from_context"].T
        by_context *= outputs.context > 0
        return {
            "context": outputs.vector.T @ by_context,
            "context_bias": by_context.sum(axis=0),
            "own": _summed(outputs.own, by_first),
            "part": by_first.sum(axis=0),
            "from_context": outputs.context.T @ by_shared,
            "second": _summed(outputs.first, by_second),
            "from_mean": outputs.first.mean(axis=1).T @ by_mean,
            "second_bias": by_mean.sum(axis=0),
            "logits": _summed(outputs.second, by_part),
            "logits_bias": by_part.sum(axis=(0, 1)),
            "rest": outputs.second.mean(axis=1).T @ by_rest,
            "rest_from_context": outputs.context.T @ by_rest,
            "rest_bias": by_rest.sum(axis=0),
        }


def scale_of(encoding: Encoding) -> Floats:
    """Return what the network multiplies each number of a vector by.

    It is one over the square root of the greatest number: most numbers are far below it.
    """
    bounds = np.ones(encoding.size, np.float32)
    for part in encoding.slices:
        bounds[part.start : part.start + part.length] = max(part.high, 1)
    return (1 / np.sqrt(bounds)).astype(np.float32)


def _each(rows: Floats, weights: Floats) -> Floats:
    """Return the product of each part of each row with the weights."""
    flat = rows.reshape(-1, rows.shape[-1]) @ weights  # one product is faster than one for each row
    return flat.reshape(*rows.shape[:-1], -1)


def _summed(inputs: Floats, by_outputs: Floats) -> Floats:
    """Return the gradient by weights that all parts share."""
    return inputs.reshape(-1, inputs.shape[-1]).T @ by_outputs.reshape(-1, by_outputs.shape[-1])


def log_softmax(logits: Floats, masks: NDArray[np.int8]) -> Floats:
    """Return the logarithms of the probabilities of legal actions; others are about `MASKED`."""
    legal = np.where(masks, logits, MASKED)
    legal -= legal.max(axis=1, keepdims=True)
    total: Floats = legal - np.log(np.exp(legal).sum(axis=1, keepdims=True))
    return total


class Adam:
    """The optimizer Adam, with a bound on the norm of a gradient."""

    def __init__(self, network: Network, max_norm: float = 0.5) -> None:
        self._weights = network.weights
        self._max_norm = max_norm
        self._steps = 0
        self._moments = {
            name: (np.zeros_like(weights), np.zeros_like(weights))
            for name, weights in self._weights.items()
        }

    def step(self, gradient: Mapping[str, Floats], rate: float) -> None:
        """Change the weights by a gradient as `Network.gradient` returns it."""
        self._steps += 1
        norm = np.sqrt(sum([float(np.vdot(slope, slope)) for slope in gradient.values()]))
        shrink = np.float32(min(1.0, self._max_norm / (norm + 1e-8)))
        correction = np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        for name, step in gradient.items():
            first, second = self._moments[name]
            first += np.float32(0.1) * (shrink * step - first)
            second += np.float32(0.001) * (shrink * shrink * step * step - second)
            change = first / (np.sqrt(second) + np.float32(1e-8))
            self._weights[name] -= np.float32(rate * correction) * change
