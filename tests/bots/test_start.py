"""Tests of how bundled bots start: their handshake, and imports before the first game."""

import json
import subprocess
import sys
from pathlib import Path

from arena.base.protocol import Bye, Hello, Limits, Ready, read_from_bot, write
from arena.contest.entrants import find_entrants
from arena.contest.fingerprint import files_in, fingerprint
from bots.plugin import register_bots
from bots.start import bot_in
from tests.bots.boards import classes

QUICK = [bot.name for bot in register_bots() if bot.quick]
COMMANDS = {bot.name: bot.command for bot in register_bots()}
SHOW_MODULES = """
import sys
from bots.start import main
main()
names = [*sys.modules]
import json
print(json.dumps(names), file=sys.stderr)
"""


def test_started_bot_matches_its_class() -> None:
    for name in QUICK:
        started, own = bot_in(*COMMANDS[name][-2:]), classes()[name]
        message = Ready(1, own.name, own.author, tuple(own.games), own.detail)
        assert (
            Ready(1, started.name, started.author, tuple(started.games), started.detail) == message
        )
        assert type(started()) is own


def test_compiled_modules_keep_the_fingerprint() -> None:
    for bot in register_bots():
        folder = Path(bot.folder)
        parts = [folder / part for part in bot.code]
        files = {file for part in parts for file in ([part] if part.is_file() else files_in(part))}
        sources = [file for file in files if file.suffix not in (".so", ".pyd")]
        expected = fingerprint(bot.command, sources, folder)
        assert find_entrants([bot.name])[0].fingerprint == expected


def test_bot_is_ready_before_importing_its_code() -> None:
    module, name = COMMANDS["planner"][-2:]
    done = subprocess.run(
        [sys.executable, "-P", "-c", SHOW_MODULES, module, name],
        input=write(Hello(1, "0.1.0", "planner", Limits())) + write(Bye()),
        capture_output=True,
        check=True,
    )
    assert read_from_bot(done.stdout.strip()) == Ready(1, "planner", "", ("pot-de-vin",))
    modules = set(json.loads(done.stderr))
    assert "bots.start" in modules
    assert not modules & {module, "msgspec", "typing", "random", "runpy", "engine"}
