"""The time from Enter to the first game, over that of a program that does only what has to be done.

    python -m benchmarks.first_game_floor

The program starts a worker, imports the libraries of the command line and the rules, and creates a
database. Its worker imports the rules and starts six quick bots side by side. When all are ready,
a row is stored. No game is played, nothing is read, checked, tried out, scheduled or printed. Both
take turns, on the clock, since the speed of a shared machine drifts.
"""

import sys

import arena.quick_msgspec  # noqa: F401  # before what imports msgspec

GAME = "pot-de-vin"
VARIANT = "pot-de-vin/4"
ROUNDS = 3


def least_run(path: str, bots: list[list[str]]) -> None:
    """Create the database in `path`, and store a row in it when the `bots` of a worker are ready.

    Each bot is its folder and its command.
    """
    import json
    import sqlite3
    import subprocess

    command = [sys.executable, "-m", "benchmarks.first_game_floor", "worker"]
    with subprocess.Popen(
        [*command, json.dumps(bots)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as worker:
        import click  # noqa: F401  # as the command line does
        import pluggy  # noqa: F401

        from engine import get_variant

        get_variant(VARIANT)
        database = sqlite3.connect(path)
        database.executescript("PRAGMA journal_mode = WAL; CREATE TABLE games (record BLOB);")
        database.execute("PRAGMA synchronous = FULL")
        assert worker.stdout
        ready = worker.stdout.readline()
        with database:
            database.execute("INSERT INTO games VALUES (?)", [ready])
        print(flush=True)
        database.close()
        worker.communicate()


def least_worker(bots: list[list[str]]) -> None:
    """Import the rules, start the bots, and say when all are ready."""
    import subprocess

    from arena import __version__
    from arena.protocol import PROTOCOL, Hello, Limits, write
    from engine import get_variant

    processes = [
        subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        for folder, *command in bots
    ]
    get_variant(VARIANT)
    hello = write(Hello(PROTOCOL, __version__, "bot", Limits()))
    for process in processes:
        assert process.stdin
        process.stdin.write(hello)
    for process in processes:
        assert process.stdout
        process.stdout.readline()
    print("ready", flush=True)
    sys.stdin.read()
    for process in processes:
        process.communicate()


def main() -> None:
    """Print the times of both, in milliseconds."""
    import json
    import os
    import subprocess
    import tempfile
    import time
    from pathlib import Path
    from statistics import median

    from arena.extras.bench.match_workloads import quick_bots
    from arena.extras.bench.run_figures import Runs
    from arena.extras.bench.timing import in_turn

    bots = json.dumps([[bot.folder, *bot.command] for bot in quick_bots(GAME)])
    # Otherwise modules that were never compiled would be compiled at each start.
    environment = {key: os.environ[key] for key in os.environ if "BYTECODE" not in key}
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(Path(folder))

        def floor() -> float:
            database = Path(folder) / "floor.db"
            command = [sys.executable, "-m", "benchmarks.first_game_floor"]
            begin = time.perf_counter()
            with subprocess.Popen(
                [*command, "run", str(database), bots], stdout=subprocess.PIPE, env=environment
            ) as process:
                assert process.stdout
                process.stdout.readline()
                took = time.perf_counter() - begin
            database.unlink()
            return took

        workloads = {"floor": floor, "arena run": lambda: runs.play(GAME, 1).first_game_s}
        times = in_turn(workloads, ROUNDS)
    for name, own in times.items():
        print(f"{name:10} {1e3 * median(own):6.0f} ms, best {1e3 * min(own):.0f}")
    over = [one / least for one, least in zip(times["arena run"], times["floor"], strict=True)]
    best = min(times["arena run"]) / min(times["floor"])
    print(f"over the floor: {median(over):.2f}, of the best {best:.2f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["worker"]:
        import json

        least_worker(json.loads(sys.argv[2]))
    elif sys.argv[1:2] == ["run"]:
        import json

        least_run(sys.argv[2], json.loads(sys.argv[3]))
    else:
        main()
