"""Tests that contest files and options of `arena run` accept the same settings."""

import re
from pathlib import Path

import click
import pytest

from arena.base.errors import SettingsError
from arena.commands.run import run_command as run
from arena.commands.setting_options import CONTEST_TEMPLATE, OPTIONS, read_setting
from arena.contest.contest_file import decode, read_contest
from arena.contest.settings import (
    Contest,
    Program,
    ServeTable,
    SiteTable,
    all_settings,
    chosen_variants,
    override,
    value_of,
)
from arena.plugins import bots
from tests.arena.command import arena


def write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "contest.toml"
    path.write_text(text, encoding="utf-8")
    return path


# -- twins -------------------------------------------------------------------------------------


def test_settings_without_option_are_set_with_set() -> None:
    assert OPTIONS.keys() < all_settings().keys()
    assert sum(isinstance(option, click.Option) for option in run.params) <= 17, "with --set"


def test_set_accepts_toml_values_and_bare_text() -> None:
    for key, text, value in (
        ("rounds", "3", 3),
        ("name", "2026", "2026"),
        ("withdrawal", "false", False),
        ("deadline.due", "2026-12-01", "2026-12-01"),
        ("entrants.interpreters", "node, deno", ("node", "deno")),
        ("variants", '["bribery/2"]', ("bribery/2",)),
    ):
        assert read_setting(key, text) == value


def test_set_rejects_invalid_values() -> None:
    for typed, named in (
        ("limit.move_ms=1", "did you mean 'limits.move_ms'"),
        ("limits.move_ms", "KEY=VALUE"),
        ("limits.move_ms=soon", "limits.move_ms: Expected `int`, got `str`"),
        ("machine.workers=0", "machine.workers: Expected `int` >= 1"),
    ):
        result = arena("run", "--set", typed)
        assert result.exit_code
        assert named in " ".join(result.stderr.split())


def test_overrides_only_given_settings() -> None:
    contest = decode("rounds = 3\nseed = 4\n[limits]\nmove_ms = 5\nstart_ms = 6\n", "")
    now = override(contest, {"seed": 7, "limits.move_ms": 8})
    assert (now.rounds, now.seed, now.limits.move_ms, now.limits.start_ms) == (3, 7, 8, 6)
    assert (contest.seed, contest.limits.move_ms) == (4, 5)


def test_seed_and_secret_override_each_other() -> None:
    with_secret = decode('secret = "a"\n', "")
    now = override(with_secret, {"seed": 7})
    assert (now.seed, now.secret) == (7, None)
    assert override(now, {"secret": "b"}) == decode('secret = "b"\n', "")


def test_game_option_overrides_variants_of_the_file() -> None:
    contest = decode('variants = ["pot-de-vin/3"]\n', "")
    now = override(contest, {"games": ("bribery",)})
    assert (now.games, now.variants) == (("bribery",), ())
    with pytest.raises(SettingsError, match="bribery/2 and its game bribery: remove"):
        chosen_variants(("bribery/2",), ("bribery",))


# -- the file of `arena init` ------------------------------------------------------------------


def test_new_file_lists_every_setting_as_comment() -> None:
    text = CONTEST_TEMPLATE.read_text("utf-8")
    assert max(map(len, text.splitlines())) <= 105
    lines = [line.removeprefix("# ") for line in text.splitlines() if re.search(r"=|^# \[", line)]
    whole = decode("\n".join([*_above(text, lines)]), "contest.toml")
    keys = [*all_settings(SiteTable, "site."), *all_settings(ServeTable, "serve.")]
    for key in [*all_settings(), *keys]:
        line = next(one for one in lines if one.startswith(f"{key.rpartition('.')[2]} = "))
        is_comment = f"# {line}" in text
        if is_comment and value_of(Contest(), key) is not None:
            assert value_of(whole, key) == value_of(Contest(), key), key


def _above(text: str, lines: list[str]) -> list[str]:
    """Return the text with all commented-out settings activated."""
    return [
        line.removeprefix("# ") if line.removeprefix("# ") in lines else line
        for line in text.splitlines()
    ]


# -- programs --------------------------------------------------------------------------------------

BOT = "[[bot]]\nname = 'boss'\ncommand = ['podman', 'run']\nfolder = 'boss'\n"


def test_bot_table_enters_any_program(tmp_path: Path) -> None:
    (tmp_path / "boss").mkdir()
    contest = read_contest(write(tmp_path, f"{BOT}waits = true\n"))
    assert contest.programs == (Program("boss", ("podman", "run"), str(tmp_path / "boss"), True),)


# -- mistakes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ronds = 3", "unknown setting 'ronds': did you mean 'rounds'?"),
        ("[limits]\nmove = 3", "unknown setting of [limits] 'move': did you mean 'move_ms'?"),
        (f"{BOT}\n{BOT}nmae = 1\n", "unknown setting of [bot] 'nmae': did you mean 'name'?"),
        ("rounds = 0", "Expected `int` >= 1 - at `$.rounds`"),
        ("games = [3]", "Expected `str`, got `int` - at `$.games[0]`"),
        ("[machine]\npin = 1", "Expected `bool`, got `int` - at `$.machine.pin`"),
        ("games = ['pot-de-vim']", "games: unknown game 'pot-de-vim': did you mean"),
        ("variants = ['bribery/33']", "variants of bribery are bribery/2, "),
        ("[sandbox]\nlevel = 'isolate'", "did you mean 'isolated'?"),
        (f"seed = {'9' * 5_000}", "is not valid TOML: Exceeds the limit"),
        ("[entrants]\ninterpreters = ['/bin/x']", "entrants.interpreters: '/bin/x' is"),
        ("secret = 'secret.txt'\nseed = 1\n", "got both `seed` and `secret`"),
        ("games = []\n", "games: an empty list"),
        (
            "[entrants]\nbots = ['gredy']",
            "entrants.bots: unknown bot 'gredy'",
        ),
        (BOT, "bot.folder: there is no 'boss' in"),
        (BOT.replace("'boss'", "'no boss'", 1), "bot.name: 'no boss' cannot be"),
        ("[entrants]\ninbox = 'x'", "entrants.inbox: there is no 'x' in"),
        ("[sandbox]\nreadable = ['x']", "sandbox.readable: there is no 'x' in"),
    ],
)
def test_error_names_setting_and_known_words(text: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        read_contest(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


def test_rejects_unreadable_file(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"No such file.*`arena init`"):
        read_contest(tmp_path / "contest.toml")
    (tmp_path / "contest.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(SettingsError, match="UTF-8"):
        read_contest(tmp_path / "contest.toml")


@pytest.mark.parametrize("readable", [".", "../spring", "secret.txt"])
def test_rejects_secret_that_bots_can_read(tmp_path: Path, readable: str) -> None:
    folder = tmp_path / "spring"
    folder.mkdir()
    (folder / "secret.txt").touch()
    text = f"secret = 'secret.txt'\n[sandbox]\nreadable = ['{readable}']\n"
    with pytest.raises(SettingsError, match=r"sandbox\.readable: .*secret"):
        read_contest(write(folder, text))


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "spring"
    (folder / "subs").mkdir(parents=True)
    (folder / "mine.py").touch()
    (folder / "random").touch()
    text = (
        "[entrants]\ninbox = 'subs'\nbots = ['random', 'mine.py', 'quick']\n"
        "challengers = ['mine.py', 'ann']\n[sandbox]\nreadable = ['subs', '/']\n"
    )
    contest = read_contest(write(folder, text))
    who = contest.entrants
    assert who.inbox == str(folder / "subs")
    assert who.bots == ("random", str(folder / "mine.py"), "quick")
    assert who.challengers == (str(folder / "mine.py"), "ann")
    assert contest.sandbox.readable == (str(folder / "subs"), "/")
    assert contest.results == str(folder / "results")
    assert "random" in bots()
