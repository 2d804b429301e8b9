"""Fixed-seed runs give the records and leaderboards that are kept beside this test.

`python -m tests.regression.test_same_results` writes them again. Do so only for a change that is
meant to change results, and say why in its commit.
"""

import csv
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).with_name("results.json")
BOT = Path(__file__).with_name("digest_bot.py")
ARENA = (sys.executable, "-P", "-c", "from arena.cli import main; main(prog_name='arena')")
HABITS = ("plain", "plain", "plain", "crash", "cheat")
NAMES = ("ann", "bob", "cem", "dora", "eli")
VARIANTS = {
    "pot-de-vin/3": 30,
    "bribery/4-teams": 8,
    "bribery/2-advanced": 4,
    "brides-and-bribes/3": 3,
}


def play(folder: Path, variant: str, rounds: int, workers: int) -> dict[str, Any]:
    """Play one run and return what is kept of it."""
    options: list[str] = []
    for name, habit in zip(NAMES, HABITS, strict=True):
        bot = folder / "bots" / name
        if not bot.exists():
            bot.mkdir(parents=True)
            (bot / "bot.py").write_bytes(BOT.read_bytes())
            command = json.dumps(["python", "-P", "bot.py", habit])
            (bot / "bot.toml").write_text(f'name = "{name}"\ncommand = {command}\n')
        options += ["--bot", str(bot)]
    name = f"{variant.replace('/', '-')}-{workers}"
    results = folder / "results"
    arena(
        "run", *options, "--variant", variant, "--rounds", str(rounds), "--seed", "5",
        "--name", name, "--results", str(results), "--workers", str(workers),
        "--sandbox", "none", "--set", "limits.move_ms=60000",
        "--set", "limits.start_ms=60000",
    )  # fmt: skip
    records = [json.loads(line) for line in arena("export", str(results / name)).splitlines()]
    kept = [
        {field: value for field, value in record.items() if field not in ("key", "seeds")}
        for record in records
        if "variant" in record and "actions" in record
    ]
    rows = list(csv.reader((results / name / "leaderboard.csv").read_text().splitlines()))
    return {
        "games": len(kept),
        "actions": digest([record["actions"] for record in kept]),
        "faults": digest([record.get("faults", []) for record in kept]),
        "records": digest(kept),
        "leaderboard": rows,
    }


def arena(*arguments: str) -> str:
    """Run `arena` as a process and return what it prints."""
    done = subprocess.run([*ARENA, *arguments], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def digest(value: object) -> str:
    """Return a digest of plain JSON data."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(variant, marks=[pytest.mark.slow] if variant.startswith("bribery") else [])
        for variant in VARIANTS
    ],
)
def test_fixed_seed_gives_stored_results(variant: str, tmp_path: Path) -> None:
    kept = json.loads(KEPT.read_text("utf-8"))[variant]
    assert play(tmp_path, variant, VARIANTS[variant], workers=2) == kept


def main() -> None:
    """Write the results that are kept."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {
            variant: play(Path(folder), variant, rounds, workers=1)
            for variant, rounds in VARIANTS.items()
        }
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
