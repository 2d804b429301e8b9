"""Trains a policy: `python -m arena.extras.learn.training VARIANT --folder FOLDER`.

The folder gets the weights and the learning curve, both after each measurement, and a picture of
the curve at the end. `OPENBLAS_NUM_THREADS=1` in the environment gives the same weights each time,
and takes less processor time.
"""

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path

from arena.extras.learn.training.curve_picture import draw_curve
from arena.extras.learn.training.training import SETTINGS, CurvePoint, Trainer


def train_into(folder: Path, trainer: Trainer) -> Iterator[CurvePoint]:
    """Train, write to the folder, and yield the learning curve.

    A training that is stopped leaves what it has learned so far.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / trainer.variant.id.replace("/", "-")
    curve = file.with_suffix(".csv")
    with open(curve, "w", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(CurvePoint._fields)
        for row in trainer.train():
            writer.writerow([*row[:3], round(row.processor_s, 1), row.bot, round(row.share, 4)])
            lines.flush()
            trainer.network.save(file.with_suffix(".npz"))
            yield row
    draw_curve(curve, curve.with_suffix(".svg"))


def main() -> None:
    """Train, and say how it goes."""
    parser = argparse.ArgumentParser(
        prog="python -m arena.extras.learn.training", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("variant", choices=list(SETTINGS))
    parser.add_argument("--folder", type=Path, default=Path("weights"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    settings = SETTINGS[options.variant]._replace(seed=options.seed)
    for row in train_into(options.folder, Trainer(options.variant, settings)):
        print(
            f"{row.stage}: {row.games} games, {row.processor_s:.0f} s: placed before {row.bot} in "
            f"{row.share:.1%}",
            flush=True,
        )


if __name__ == "__main__":
    main()
