"""Whatever strangers call themselves and their files, nothing of it steers a terminal."""

import io
import unicodedata
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from arena.base.protocol import SeatFault
from arena.base.record import (
    Evidence,
    GameRecord,
    Note,
    Observations,
    read_record,
    write_record,
)
from arena.cli import main
from arena.contest.entrants import find_entrants, introduce
from arena.terminal.console import terminal, wrapped
from arena.tournament.export import export_lines
from arena.tournament.run import play_missing
from arena.tournament.store import Store
from tests.arena.playing import PATIENT
from tests.arena.runs import Crew, ignore, made_up_settings

STEERS = "\x1b[31m\x1b]0;owned\x07\x9b2J\x7f\u202e\r\x08"
"""Colours, the title of the window, an empty screen, right to left, and back over the line."""
BOT = f"""\
STEERS = {STEERS!a}

class Stranger:
    author = "Ann " + STEERS
    games = ["pot-de-vin", "chess " + STEERS]

    def act(self, view, legal):
        self.note = STEERS
        return legal[0] if view["round"] < 3 else STEERS
"""


def arena(*arguments: object, keys: str = "") -> str:
    """Run `arena`, and return all that it says, which steers nothing."""
    result = CliRunner().invoke(
        main, [str(one) for one in arguments], keys, prog_name="arena", color=True
    )
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    message = result.stdout + result.stderr
    left = {c for c in message if unicodedata.category(c) in ("Cc", "Cf", "Cs")} - {"\n", "\t"}
    assert not left, message
    return message


def nasty(record: GameRecord) -> GameRecord:
    """Return a record as a file from a stranger may have it."""
    fault = SeatFault(0, 2, "illegal", f"answered {STEERS}", (f"play {STEERS}",))
    withdrawn = SeatFault(1, 3, "withdrawn", f"too many {STEERS}")
    return msgspec.structs.replace(
        record, faults=(fault, withdrawn), notes=(Note(1, f"hi {STEERS}"),)
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run made elsewhere, with names that were not checked."""
    folder = tmp_path_factory.mktemp("results") / "run"
    settings = made_up_settings(3, "pot-de-vin/3")
    entrants = [
        msgspec.structs.replace(one, name=one.name + STEERS, author=STEERS)
        for one in settings.entrants
    ]
    settings = msgspec.structs.replace(settings, entrants=tuple(entrants))
    made = folder.with_name("made")
    with Store.create(made, settings) as store:
        play_missing(store, settings, Crew(), ignore)
        records = list(store.records())
    with Store.create(folder, settings) as store:
        evidence = Evidence(0, STEERS, STEERS, STEERS)
        seen = Observations((evidence,))
        store.add(
            (record.key, place, write_record(nasty(record)), seen)
            for place, record in enumerate(records)
        )
    return folder


def test_escapes_text_of_foreign_runs(run: Path) -> None:
    game = "pot-de-vin/3 board 1 rotation 0"
    for command in (
        *("leaderboard RUN", "leaderboard RUN --matrix", "logs RUN --all", "leaderboard RUN --all"),
        *("verify RUN", f"replay RUN {game}", f"debug random RUN {game} --seat 0"),
    ):
        words = [f"{run}" if word == "RUN" else word for word in command.split()]
        message = arena(*words, keys="f\ne\n\x1b[31m\n")
        assert "e1" in message or command.startswith(("verify", "debug"))


def test_escapes_text_of_exports(run: Path, tmp_path: Path) -> None:
    with Store.open(run) as store:
        header, *lines = export_lines(store)
    variants = ("pot-de-vin/3", STEERS, "pot-de-vin/3")
    for number, (record, variant) in enumerate(zip(map(read_record, lines), variants, strict=True)):
        actions = (STEERS, *record.actions[1:])
        lines[number] = write_record(
            msgspec.structs.replace(record, variant=variant, actions=actions)
        )
    path = tmp_path / "records.jsonl"
    path.write_bytes(b"\n".join([header, *lines]))
    assert "line 3: expected a game record" in arena("verify", path)


def test_escapes_text_of_bots(tmp_path: Path) -> None:
    path = tmp_path / "stranger.py"
    path.write_text(BOT)
    (own,) = introduce(find_entrants([str(path)]), PATIENT)
    assert own.author.startswith("Ann ")
    assert own.author.isprintable()
    assert all(game.isprintable() for game in own.games)
    sandbox = ("--sandbox", "none")
    assert "note: \\x1b" in arena("try", path, "--watch", 1, *sandbox)
    assert "only pot-de-vin, chess" in arena("try", path, "--variant", "bribery/2", *sandbox)
    checked = ("check", path, "--variant", "pot-de-vin/3", "--faults", tmp_path)
    assert "stranger" in arena(*checked, *sandbox)


@pytest.mark.parametrize("kind", ["nothing", "file", "folder"])
def test_escapes_file_names(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"bot{STEERS}.py"
    if kind == "file":
        path.write_text("name = '\x1b'")
    elif kind == "folder":
        path.mkdir()
    for command in (
        *("run --bot PATH", "run --name PATH", "run PATH", "submit PATH --to PATH", "try PATH"),
        *("leaderboard PATH", "play --against PATH", "replay PATH PATH", "new PATH", "PATH"),
    ):
        assert arena(*[word.replace("PATH", str(path)) for word in command.split()])


def test_escapes_names_of_contest_folders(tmp_path: Path) -> None:
    folder = tmp_path / f"spring{STEERS}"
    assert "contest.toml" in arena("init", folder)
    (folder / "contest.toml").write_text('games = ["\\u001b[31m"]')
    assert "contest.toml" in arena("run", folder / "contest.toml")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("no bot here: type `arena new x`", ["no bot here:", "type", "`arena new x`"]),
        ("short", ["short"]),
        ("  an indented line", ["  an", "  indented", "  line"]),
        ("averyverylongword and", ["averyverylongword", "and"]),
        ("kept  blanks\ntwo lines", ["kept  blanks", "two lines"]),
    ],
)
def test_wraps_text_but_not_commands(text: str, lines: list[str]) -> None:
    assert wrapped(text, 12).split("\n") == lines


def test_usage_errors_are_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.cli.fitted", lambda text, _: wrapped(text, 50))
    lines = CliRunner().invoke(main, ["new", "x", "--language", "y"]).stderr.splitlines()
    assert [line for line in lines if len(line) > 50] == []


def test_escapes_text_on_a_real_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    printed = io.StringIO()
    terminal(printed).print("a \x1b[31m \u202e", markup=False)
    assert printed.getvalue() == "a \\x1b[31m \\u202e\n"
