"""Runs of bots that die at any time have the same records, whoever plays them and how often."""

from collections import Counter
from pathlib import Path

import pytest

from arena.base.record import read_record
from arena.tournament.executors.local import Workers
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.settings import Settings
from tests.arena.runs import ignore, in_portions, make_bot, make_bots, played, settings_of, silent

VARIANT = "pot-de-vin/3"
MORTAL_BOT = """\
import json, os, random, sys, time

def say(**message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()

dice = {{}}
games = 0
for line in sys.stdin:
    message = json.loads(line)
    kind, table = message["type"], message.get("table")
    if kind == "hello":
        say(type="ready", protocol=1)
    elif kind == "start":
        games += 1
        dice[table] = random.Random(message["seed"])
        {start}
    elif kind == "end":
        {end}
    elif kind == "turn":
        action = dice[table].choice(message["legal"])
        is_unlucky = dice[table].random() < 0.05
        {act}
        say(type="act", table=table, turn=message["turn"], action=action)
        {after}
"""
DEATHS = {
    "in-act": {"act": "if is_unlucky: os._exit(1)"},
    "after-answer": {"after": "if is_unlucky: os._exit(2)"},
    "speaks": {"after": "if is_unlucky: say(type='act', table=table, turn=0, action='')"},
    "at-the-end": {"end": "raise RuntimeError('lost')"},
    "fourth-game": {"start": "if games == 4: os.kill(os.getpid(), 9)"},
    "in-company": {"start": "if len(dice) > 1: sys.exit()"},
}
"""What takes the place of a part of the bot."""
FAULTY = {"in-act", "after-answer", "speaks"}


def make_mortals(folder: Path, deaths: dict[str, dict[str, str]]) -> list[Path]:
    """Make two bots that live on, and one for each kind of death."""
    parts = dict.fromkeys(("start", "end", "act", "after"), "pass")
    mortals = [
        make_bot(folder, name, MORTAL_BOT.format(**(parts | own))) for name, own in deaths.items()
    ]
    return make_bots(folder, 2) + mortals


def records(folder: Path, settings: Settings, workers: int, tables: int | None) -> list[bytes]:
    """Return the records of a run that this number of workers plays."""
    with open_or_create(folder, settings, silent) as store:
        play_missing(store, settings, Workers(workers, silent, tables=tables), ignore)
        return played(store)


def faults(run: list[bytes]) -> Counter[str]:
    """Return the number of faults by bot."""
    return Counter(
        record.entrants[fault.seat] for record in map(read_record, run) for fault in record.faults
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "crews", [(1, 3), pytest.param((1, 2, 3, 1, 2, 3), marks=pytest.mark.long)]
)
def test_records_do_not_depend_on_who_plays_bots_that_die(
    tmp_path: Path, crews: tuple[int, ...]
) -> None:
    bots = make_mortals(tmp_path / "bots", DEATHS)
    settings = in_portions(settings_of(bots, VARIANT, rounds=6), 4, 4)
    assert settings.withdrawal
    first, *others = [
        records(tmp_path / f"run-{number}", settings, workers, None)
        for number, workers in enumerate(crews)
    ]
    assert set(faults(first)) == FAULTY, "a death after the last decision of a game is none"
    for other in others:
        assert other == first
