"""Tests that contest files and options of `arena run` accept the same settings."""

import re
from pathlib import Path

import click
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.base.errors import SettingsError
from arena.commands.run import run_command as run
from arena.commands.setting_options import CONTEST_TEMPLATE, OPTIONS, read_setting
from arena.contest.contest_file import decode, line_of, read_contest
from arena.contest.settings import (
    Contest,
    Program,
    all_settings,
    chosen_variants,
    override,
    value_of,
)
from arena.plugins import bots
from tests.arena.command import arena


def refusal(text: str) -> str:
    with pytest.raises(SettingsError) as caught:
        decode(text, "contest.toml")
    return str(caught.value)


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
        ("limits.move_ms=soon", "expected a whole number, got 'soon'"),
        ("machine.workers=0", "expected a whole number >= 1, got 0"),
        ("epsilon=nan", "expected a number > 0.0, got nan"),
    ):
        said = arena("run", "--set", typed)
        assert said.exit_code
        assert named in " ".join(said.stderr.split())


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
    for key in all_settings():
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


MISTAKES: list[tuple[str, list[str]]] = [
    ("ronds = 3", ["line 1: ronds: unknown setting 'ronds': did you mean 'rounds'?", "seed"]),
    ("\n\nmove_ms = 3", ["line 3: move_ms: it belongs under [limits]"]),
    ("[limits]\nseed = 3", ["line 2: limits.seed: it belongs above the first [table]"]),
    ("[limits]\nmove = 3", ["line 2", "setting of [limits] 'move': did you mean 'move_ms'?"]),
    ("seed = 1\nrounds = 0", ["line 2: rounds: expected a whole number >= 1, got 0"]),
    ("rounds = 'many'", ['line 1: rounds: expected a whole number, got "many"']),
    ("games = [\n  'bribery', # a\n  3,\n]\n", ["line 1: games: expected text in quotes, got 3"]),
    ("games = ['pot-de-vim']", ["line 1: games", "did you mean 'pot-de-vin'?", "bribery"]),
    ("variants = ['bribery/33']", ["line 1: variants", "variants of bribery are bribery/2, "]),
    ("[sandbox]\nlevel = 'isolate'", ["line 2: sandbox.level", "did you mean 'isolated'?"]),
    ("[machine]\npin = 1", ["line 2: machine.pin: expected true or false, got 1"]),
    (f"\nrounds = {'9' * 30}", ["line 2: rounds: expected a whole number <= 1000000, got 9"]),
    (f"seed = {'9' * 5_000}", ["contest.toml cannot be read", "4300 digits"]),
    (f"{BOT}\n{BOT}nmae = 1\n", ["line 10: bot.nmae", "of [bot] 'nmae': did you mean 'name'?"]),
    ("[[bot]]\ncommand = []", ["line 2: bot.command: expected a list of length >= 1, got []"]),
    ("[entrants]\ninterpreters = ['/bin/x']", ["line 2: entrants.interpreters: '/bin/x' is"]),
    ("seed = 1\nrounds =", ["contest.toml is not TOML", "line 2"]),
]


def test_error_names_line_and_known_words() -> None:
    for text, parts in MISTAKES:
        said = refusal(text)
        assert said.startswith("contest.toml")
        assert [part for part in parts if part not in said] == [], text


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[entrants]\nbots = ['gredy']", ["line 2: entrants.bots", "'greedy'?"]),
        (BOT, ["line 4: bot.folder: there is no 'boss' in"]),
        (
            BOT.replace("'boss'", "'no boss'", 1).replace("r = 'boss'", "r = '.'"),
            ["line 2: bot.name"],
        ),
        ("secret = 'secret.txt'\nseed = 1\n", ["line 2: seed: ", "`secret`"]),
        ("[entrants]\ninbox = 'x'", ["line 2: entrants.inbox: ", "'x'"]),
        ("[sandbox]\nreadable = ['x']", ["line 2: sandbox.readable: ", "'x'"]),
    ],
)
def test_error_names_line_of_missing_path(tmp_path: Path, text: str, parts: list[str]) -> None:
    with pytest.raises(SettingsError) as caught:
        read_contest(write(tmp_path, text))
    for part in [str(tmp_path / "contest.toml"), *parts]:
        assert part in str(caught.value)


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
    with pytest.raises(SettingsError, match=r"line 3: sandbox\.readable: .*secret"):
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


# -- lines -------------------------------------------------------------------------------------

KEYS = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6, unique=True)
VALUES = st.sampled_from(
    ["1", "'x = 2'", "[\n  1, # a = 3\n\n  2,\n]", '"""\n[a]\nb = 1\n"""', "{ a = 1, b = 2 }"]
)
GAPS = st.sampled_from(["", "\n", "# a = 1\n", "\n# [b]\n\n"])


@given(st.data(), KEYS)
@settings(max_examples=60)
def test_finds_line_of_a_key(data: st.DataObject, names: list[str]) -> None:
    text = ""
    lines = {}
    for number, name in enumerate(names):
        text += data.draw(GAPS)
        if data.draw(st.booleans()):
            text += f"[table{number}]\n"
        lines[name] = text.count("\n") + 1
        text += f"{name} = {data.draw(VALUES)}\n"
    tables = iter(msgspec.toml.decode(text).items())
    for key, value in tables:
        inner = value if key.startswith("table") else {key: value}
        for name in inner:
            where = (key, name) if key.startswith("table") else (name,)
            assert line_of(text, where) == lines[name]
