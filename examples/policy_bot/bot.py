"""A bot that plays the policy in `policy.npz`, a file written by `train_maskable_ppo.py`."""

import os
from pathlib import Path
from typing import Any

# Threads take longer to start than a decision takes, and memory that a sandbox may not give.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from arena.bot import Bot, run
from engine import get_variant

WEIGHTS = dict(np.load(Path(__file__).with_name("policy.npz")))
VARIANT = get_variant(str(WEIGHTS.pop("variant")))
ENCODING = VARIANT.encoding()
if (trained := str(WEIGHTS.pop("encoding"))) != ENCODING.name:
    raise ValueError(f"the policy was trained with {trained}, expected {ENCODING.name}")


class Learner(Bot):
    games = (VARIANT.game,)
    detail = "none"  # the world contains everything the policy sees
    worlds = True

    def act(self, view: Any, legal: list[str]) -> str:
        values = np.asarray(ENCODING.encode(self.world, self.table.seat), np.float32)
        for layer in range(len(WEIGHTS) // 2):
            hidden = np.maximum(values, 0) if layer else values
            values = WEIGHTS[f"weight_{layer}"] @ hidden + WEIGHTS[f"bias_{layer}"]
        return legal[int(values[ENCODING.numbers(legal)].argmax())]


run(Learner)
