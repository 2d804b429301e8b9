"""A bot is debugged: step by step, and by pdb in its process, which reads the terminal."""

import re
from collections.abc import Sequence
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from tests.arena.runs import ARENA, DICE_BOT, make_bot
from tests.arena.terminal_talk import typed_in_terminal

OPTIONS = ("--variant", "bribery/2", "--sandbox", "none")
SDK_BOT = """\
from arena.bot import Bot, run


class MyBot(Bot):
    def act(self, view, legal):
        print("my thoughts \\x1b[31m")
        self.note = "my note"
        return legal[0]


run(MyBot)
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(SDK_BOT)
    return file


def debug(bot: Path, *keys: str, options: Sequence[str] = OPTIONS) -> Result:
    """Debug a bot, and type these keys."""
    assert isinstance(main, click.Group)
    typed = "".join([f"{key}\n" for key in keys])
    return CliRunner().invoke(main, ["debug", str(bot), *options], input=typed)


def test_each_decision_is_shown_and_waits_for_a_key(bot: Path) -> None:
    stepped = debug(bot, "", "?", "v", "n")
    assert stepped.exit_code == 0, stepped.output
    shown = stepped.stdout
    assert len(re.findall(r"^legal actions: ", shown, re.MULTILINE)) == 3
    assert shown.count("my thoughts \\x1b[31m\nanswer: ") == 2
    assert shown.count("(note: my note)") == 2
    assert len(re.findall(r"move \d+, seat 0 \(mine\)", shown)) == 3
    assert shown.count("Enter next · ") == 4, "at each decision, and for an unknown key"
    assert 'event: {"event":' in shown, "as the bot gets it"
    assert re.search(r"^round 1 begins, led by ", shown, re.MULTILINE), "in a sentence"
    assert "hand: " in shown
    assert "how the points came about" not in shown, "the end of the input ends the game"


def test_the_bot_sits_where_it_is_told_to_until_the_end(bot: Path, tmp_path: Path) -> None:
    played = debug(make_bot(tmp_path, "plain", DICE_BOT), "d", "e")  # in any language
    assert re.search(r"^[12]\. plain, seat 0: \d+ points?", played.stdout, re.MULTILINE)
    assert "how the points came about" in played.stdout
    played = debug(bot, "e", options=(*OPTIONS, "--seat", "1"))
    assert re.search(r"move \d+, seat 1 \(mine\)", played.stdout)
    assert re.search(r"^[12]\. mine, seat 1: ", played.stdout, re.MULTILINE)
    refused = debug(bot, options=(*OPTIONS, "--seat", "2"))
    assert refused.exit_code == 2
    assert "got --seat 2, expected 0 to 1" in refused.stderr


def test_opponents_that_do_not_fit_the_table_take_turns_by_seed(bot: Path) -> None:
    for seed, opponent in enumerate(["random", "fixer"]):
        options = (*OPTIONS, "--against", "random,fixer", "--seed", str(seed))
        assert re.search(
            rf"^[12]\. {opponent}, seat 1: ", debug(bot, "e", options=options).stdout, re.M
        )


def test_fields_of_a_view_fit_the_terminal(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    options = ("--variant", "brides-and-bribes/3", "--sandbox", "none", "--seat", "2")
    shown = debug(bot, "e", options=options).stdout
    lines = [line for line in shown.splitlines() if not line.startswith("legal actions: ")]
    assert max(map(len, lines)) <= 60
    assert shown.count("own: {") > 2, "each time that it changes"


def test_an_illegal_action_is_told_and_a_stand_in_plays_on(bot: Path) -> None:
    bot.write_text(SDK_BOT.replace("legal[0]", '"no action"'))
    played = debug(bot, "e")
    assert "answer: no action" in played.stdout
    assert "this is not legal: in a run it is a fault" in played.stdout
    assert "fault (illegal) at move " in played.stdout


@pytest.mark.parametrize(
    ("code", "named"),
    [
        (SDK_BOT.replace("legal[0]", "legal[99]"), "mine exited with code 1"),
        (SDK_BOT.replace("(Bot):", '(Bot):\n    games = ("x",)'), "mine does not play bribery"),
    ],
)
def test_a_bot_that_breaks_ends_the_game_with_a_sentence(bot: Path, code: str, named: str) -> None:
    bot.write_text(code)
    broken = debug(bot, "e")
    assert broken.exit_code == 1
    assert f"Error: {named}" in broken.stderr


def test_pdb_in_the_bot_reads_the_terminal(bot: Path) -> None:
    bot.write_text(SDK_BOT.replace("self.note", "breakpoint(); self.note", 1))
    said = typed_in_terminal(
        [*ARENA, "debug", str(bot), *OPTIONS],
        [
            ("legal actions: ", ""),
            ("(Pdb) ", "p 'hello ' * 2"),
            ("'hello hello '", "c"),
            ("answer: ", "?"),
            ("legal actions: ", "d"),
            ("(Pdb) ", "p len(legal) > 0"),
            ("True", "c"),
            ("(Pdb) ", "c"),
            ("answer: ", "q"),
        ],
    )
    assert "mine.py(6)act()" in said, "at the start of `act`"
    assert "Error" not in said
