"""A policy in numpy, with weights from a file."""

import os
from pathlib import Path
from typing import Any

# Threads take longer to start than a decision takes, and memory that a sandbox may not give.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from engine import Encoding

FOLDER = Path(__file__).parent


def file_of(variant_id: str) -> Path:
    """Return the file with the weights for a variant, which may not exist."""
    return FOLDER / f"{variant_id.replace('/', '-')}.npz"


class Policy:
    """A network that treats all parts of a game alike, such as all cards.

    Each part goes through the same layers, together with the context, which sees the whole vector.
    """

    def __init__(self, file: Path, encoding: Encoding) -> None:
        """Read the weights.

        Raises:
            ValueError: they were trained with another encoding.
        """
        with np.load(file) as arrays:
            name = str(arrays["encoding"])
            if name != encoding.name:
                raise ValueError(
                    f"{file.name}: got weights for {name!r}, expected {encoding.name!r}; train "
                    "them again"
                )
            self._tables = {key: arrays[key] for key in ("inputs", "actions", "rest_actions")}
            self._weights = {
                key: arrays[key].astype(np.float32)
                for key in arrays
                if key != "encoding" and key not in self._tables
            }
        self._encoding = encoding

    def act(self, view: Any, legal: list[str]) -> str:
        """Return the best legal action. `view` is of the type of views of the variant."""
        logits = self._logits(np.frombuffer(self._encoding.encode(view), np.int8))
        return legal[int(logits[self._encoding.numbers(legal)].argmax())]

    def _logits(self, observation: np.ndarray[Any, np.dtype[np.int8]]) -> Any:
        """Return a logit for each action."""
        w, inputs = self._weights, self._tables["inputs"]
        vector = observation * w["scale"]
        own = np.where(inputs < 0, np.float32(0), vector[inputs])
        context = np.maximum(vector @ w["context"] + w["context_bias"], 0)
        first = np.maximum(own @ w["own"] + w["part"] + context @ w["from_context"], 0)
        mean = first.mean(axis=0) @ w["from_mean"] + w["second_bias"]
        second = np.maximum(first @ w["second"] + mean, 0)
        rest = second.mean(axis=0) @ w["rest"] + context @ w["rest_from_context"] + w["rest_bias"]
        by_part, actions = second @ w["logits"] + w["logits_bias"], self._tables["actions"]
        logits = np.empty(len(self._encoding.actions), np.float32)
        logits[actions[actions >= 0]] = by_part[actions >= 0]
        logits[self._tables["rest_actions"]] = rest[:-1]  # the last one is the value
        return logits
