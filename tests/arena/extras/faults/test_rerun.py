"""A recorded game is played again by the bots as they are now, and compared."""

import re
from pathlib import Path

from tests.arena.runs import DICE_BOT, RUN_OPTIONS, bot_options, make_bots, run_arena

VARIANT = "pot-de-vin/3"


def test_a_run_is_played_again_until_a_bot_changes(tmp_path: Path) -> None:
    folders = make_bots(tmp_path / "bots", 3)
    options = [*bot_options(folders), "--variant", VARIANT, "--rounds", "3", *RUN_OPTIONS]
    at = ["--results", str(tmp_path)]
    assert run_arena("run", *options, "--name", "spring", *at).returncode == 0
    title = f"{VARIANT} board 1 rotation 2"
    same = run_arena("debug", "spring", *title.split(), *at)
    assert (same.returncode, same.stderr) == (0, "")
    assert same.stdout.startswith(f"{title}: ")
    (folders[1] / "bot.py").write_text(
        DICE_BOT.replace(".choice(", ".choice(sorted(").replace(
            'message["legal"])', 'message["legal"])[::-1])'
        )
    )
    other = run_arena("debug", "spring", *title.split(), *at)
    assert other.returncode == 1
    assert "bot-2 " in other.stderr
    assert re.search(f"Error: {title} .*: move ", other.stderr)
    assert "(bot-2)" in other.stderr
