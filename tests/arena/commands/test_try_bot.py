"""A bot is tried: a score from all games, and games to watch."""

import re
from pathlib import Path

import pytest

from arena.base.errors import SettingsError
from arena.check.trial import seat_opponents
from engine import get_variant
from tests.arena.command import arena
from tests.arena.runs import DICE_BOT, made_up, make_bot, make_bots

BREAKS = DICE_BOT.replace('dice[table].choice(message["legal"])', "dice[table].nothing()")


def tried_table(stdout: str) -> dict[str, list[str]]:
    """Return the cells of the table of `arena try` by bot."""
    lines = stdout.splitlines()
    first = next(at for at, line in enumerate(lines) if line.split()[:2] == ["bot", "points"])
    last = next(at for at, line in enumerate(lines) if line.startswith("score = "))
    return {row[0]: row[1:] for row in map(str.split, lines[first + 1 : last])}


def test_prints_result_and_replays_of_the_worst_games(tmp_path: Path) -> None:
    own, other = make_bots(tmp_path, 2)
    arguments = ["--against", f"{other},random", "--variant", "pot-de-vin/3", "--games", "7"]
    tried = arena("try", own, *arguments)
    assert tried.exit_code == 0, tried.stderr
    lines = tried.stdout.splitlines()
    assert len(lines) < 24, "a screen"
    table = tried_table(tried.stdout)
    assert list(table) == ["bot-1", "bot-2", "random"]
    assert {cells[-2] for cells in table.values()} == {"9"}, "3 a board"
    assert re.search(r"^score of bot-1: \d+%.* \(9 games on 3 boards\)", tried.stdout, re.M)
    worst = re.findall(r"place (\d), (\d+) points?: .* --watch (\d+)`$", tried.stdout, re.M)
    assert len(worst) == 3
    place, points, number = worst[0]
    watched = arena("try", own, *arguments, "--watch", number).stdout.splitlines()
    moves = [line.split()[1] for line in watched if line.startswith("move ")]
    assert moves == [str(n + 1) for n in range(len(moves))]
    assert any(re.match(rf"{place}\. bot-1, seat \d: {points} point", line) for line in watched)


def test_shows_output_of_concurrent_games(tmp_path: Path) -> None:
    bot = tmp_path / "loud.py"
    bot.write_text(
        "class Loud:\n"
        "    def act(self, view, legal):\n"
        "        print('AHEM', flush=True)\n"
        f"        open({str(tmp_path / 'turns')!r}, 'a').write('.')\n"
        "        return legal[0]\n"
    )
    options = ["--variant", "bribery/2", "--games", "12", "--sandbox", "none", "--all"]
    tried = arena("try", bot, "--against", "random", *options)
    turns = len((tmp_path / "turns").read_text())
    assert (tried.stdout + tried.stderr).count("AHEM") == turns > 100


def test_prints_faults(tmp_path: Path) -> None:
    folder = make_bot(tmp_path, "breaks", BREAKS)
    tried = arena("try", folder, "--variant", "bribery/2", "--games", "2")
    assert tried.exit_code == 1, tried.stderr
    assert "score of breaks: 0% " in tried.stdout, "never -0"
    assert tried_table(tried.stdout)["breaks"][-1] == "2"
    assert tried.stdout.count("\nbreaks: crash in bribery/2 board ") == 1, "those alike have one"
    assert "no attribute 'nothing'" in tried.stdout.replace("\n", " ")


def test_numbers_identical_bots() -> None:
    own, other, third = made_up(3)
    variant = get_variant("pot-de-vin/4")
    names = [bot.name for bot in seat_opponents(own, [other], variant)]
    assert names == ["e1", "e2", "e2-2", "e2-3"]
    names = [bot.name for bot in seat_opponents(own, [own, third], variant)]
    assert names == ["e1", "e1-1", "e3", "e1-3"]


def test_rejects_bot_that_does_not_play_the_game() -> None:
    (own,) = made_up(1, games=("bribery",))
    with pytest.raises(SettingsError, match=r"e1 .*pot-de-vin.*bribery"):
        seat_opponents(own, made_up(2)[1:], get_variant("pot-de-vin/3"))


@pytest.mark.parametrize(
    ("variant", "games", "expected_text"),
    [
        ("bribery/2", 11, r", 95% interval \d+% to \d+% \(12 games on 6 boards\)"),
        ("bribery/4-teams", 3, r" \(4 games on 1 board\); no interval, .* teams .*"),
    ],
)
def test_score_has_a_confidence_interval(
    variant: str, games: int, expected_text: str, tmp_path: Path
) -> None:
    (own,) = make_bots(tmp_path, 1)
    tried = arena("try", own, "--variant", variant, "--games", games).stdout
    assert re.search(rf"^score of bot-1: \d+%{expected_text}$", tried, re.M)
