"""Trains the policies of the bundled bot: `python -m arena.envs.training VARIANT --folder FOLDER`.

`OPENBLAS_NUM_THREADS=1` in the environment gives the same weights each time. The folder gets the
weights and the learning curve, which both grow while it runs.
"""

import argparse
import csv
from pathlib import Path

from arena.envs.training.training import SETTINGS, Row, Trainer


def main() -> None:
    """Train, and write what was learned after each measurement."""
    parser = argparse.ArgumentParser(prog="python -m arena.envs.training", description=__doc__)
    parser.add_argument("variant", choices=list(SETTINGS))
    parser.add_argument("--folder", type=Path, default=Path(), help="by default this one")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(options.variant, SETTINGS[options.variant]._replace(seed=options.seed))
    name = options.variant.replace("/", "-")
    with open(options.folder / f"{name}.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row._fields)
        for row in trainer.train():
            writer.writerow([*row[:3], round(row.processor_s, 1), row.bot, round(row.share, 4)])
            file.flush()
            trainer.network.save(options.folder / f"{name}.npz")
            print(
                f"{row.stage}: {row.games} games, {row.processor_s:.0f} s: "
                f"{row.share:.1%} against {row.bot}",
                flush=True,
            )


if __name__ == "__main__":
    main()
