"""A bot that takes the legal action to which its policy gives the highest value.

The policy is in `policy.npz`, as `arena.extras.learn.policy_file.save_policy` writes it, or in
`policy.onnx`: a model with one input, the vector of the encoding as float32 of shape (1, size), and
one output, a value for each action. Its metadata are `variant`, `encoding` and `history`.
"""

import os
from pathlib import Path
from typing import Any

# Threads take longer to start than a decision takes, and memory that a sandbox may not give.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import msgspec
import numpy as np

from arena.bot import Bot, Start, run
from engine import get_variant

FOLDER = Path(__file__).parent


class Layers:
    """The layers of a `policy.npz`."""

    def __init__(self, file: Path) -> None:
        with np.load(file) as arrays:
            self.about = {key: str(arrays[key]) for key in ("variant", "encoding", "history")}
            self._is_relu = str(arrays["activation"]) == "relu"
            layers = range(sum([key.startswith("weight_") for key in arrays]))
            self._layers = [(arrays[f"weight_{k}"], arrays[f"bias_{k}"]) for k in layers]

    def values(self, vector: Any) -> Any:
        """Return a value for each action."""
        *hidden, (weight, bias) = self._layers
        for inner, shift in hidden:
            vector = inner @ vector + shift
            vector = np.maximum(vector, 0) if self._is_relu else np.tanh(vector)
        return weight @ vector + bias


class Onnx:
    """The model of a `policy.onnx`."""

    def __init__(self, file: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(file), options)
        self.about = self._session.get_modelmeta().custom_metadata_map
        self._input = self._session.get_inputs()[0].name

    def values(self, vector: Any) -> Any:
        """Return a value for each action."""
        return self._session.run(None, {self._input: vector[None]})[0][0]


npz = FOLDER / "policy.npz"
POLICY = Layers(npz) if npz.exists() else Onnx(FOLDER / "policy.onnx")
VARIANT = get_variant(POLICY.about["variant"])
ENCODING = VARIANT.encoding(int(POLICY.about["history"]))
if POLICY.about["encoding"] != ENCODING.name:
    raise ValueError(
        f"the policy was trained with {POLICY.about['encoding']!r}, expected {ENCODING.name!r}: "
        "train it again"
    )


class MyBot(Bot):
    """Plays one game."""

    games = (VARIANT.game,)

    def start(self, table: Start) -> None:
        """Refuse a variant for which there is no policy."""
        if table.variant != VARIANT.id:
            raise ValueError(f"got a game of {table.variant}, expected {VARIANT.id}")
        self.heard: list[Any] = []

    def events(self, events: list[Any]) -> None:
        """Keep the events that the policy sees."""
        self.heard = [*self.heard, *events][-ENCODING.history :] if ENCODING.history else []

    def act(self, view: Any, legal: list[str]) -> str:
        """Return the legal action with the highest value."""
        vector = ENCODING.encode(msgspec.convert(view, VARIANT.view_type), self.heard)
        values = POLICY.values(np.asarray(vector, np.float32))
        return legal[int(values[ENCODING.numbers(legal)].argmax())]


if __name__ == "__main__":
    run(MyBot)
