"""A policy in numpy, with weights from a file that `arena.envs.training` wrote."""

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
    """Rectified layers, and a logit for each action."""

    def __init__(self, file: Path, encoding: Encoding) -> None:
        """Read the weights.

        Raises:
            ValueError: they were trained with another encoding.
        """
        with np.load(file) as arrays:
            name = str(arrays["encoding"])
            if name != encoding.name:
                raise ValueError(
                    f"{file.name} was trained with {name!r}, and this is {encoding.name!r}: train "
                    "it again"
                )
            self._scale = arrays["scale"]
            count = sum([key.startswith("weights") for key in arrays])
            self._layers = [
                (
                    arrays[f"weights{place}"].astype(np.float32),
                    arrays[f"bias{place}"].astype(np.float32),
                )
                for place in range(count)
            ]
        self._encoding = encoding

    def act(self, view: Any, legal: list[str]) -> str:
        """Return the best legal action. `view` is of the type of views of the variant."""
        output = np.frombuffer(self._encoding.encode(view), np.int8) * self._scale
        for weights, bias in self._layers[:-1]:
            output = np.maximum(output @ weights + bias, 0)
        numbers = self._encoding.numbers(legal)
        weights, bias = self._layers[-1]
        logits = output @ weights[:, numbers] + bias[numbers]
        return legal[int(logits.argmax())]
