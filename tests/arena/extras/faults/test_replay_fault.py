"""A fault is written to a file, and a bot is brought to that moment, or plays a game, again."""

import os
import re
import shutil
from functools import partial
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.base.atomic_file import MAX_BYTES
from arena.base.contracts import Bounds, SandboxSettings
from arena.base.errors import FaultFileError
from arena.base.record import Entrant, GameRecord, Observations
from arena.check.fault_file import FaultFile, FaultSource, describe_fault, save_fault
from arena.extras.faults.fault_replay import Detour, Retrace, read_fault, replay_fault, sent_lines
from arena.match.playing import watch_games
from arena.match.referee import start_game
from arena.match.seats import Ask, Reply
from arena.match.settings import MatchSettings
from tests.arena.command import arena
from tests.arena.playing import BOTS, PATIENT, PYTHON, by_name, first, make_game, plug_in, program
from tests.arena.runs import (
    DICE_BOT,
    RUN_OPTIONS,
    bot_options,
    make_bot,
    make_bots,
    play_out,
    run_arena,
)

SANDBOX = SandboxSettings()
replace = msgspec.structs.replace


@pytest.fixture(autouse=True)
def _toys(toys: None) -> None:
    """Register the toy games."""


def play(bad: Entrant) -> tuple[GameRecord, Observations]:
    """Play a game with the bot in the middle."""
    game = make_game("high-card/3", 1, ("first", bad.name, "other"))
    (played,) = watch_games([game], by_name(first(), bad, first("other")), MatchSettings(PATIENT))
    return played


def fault_of(bad: Entrant) -> FaultFile:
    """Return the file of a bot's fault in a game."""
    record, seen = play(bad)
    (fault,) = record.faults
    source = FaultSource(bad, PATIENT, Bounds())
    return describe_fault(source, fault, seen.evidence_of(fault.seat), [record])


@pytest.fixture(scope="module")
def file() -> FaultFile:
    """The fault of a bot that has taken the last action once, and then breaks the rules."""
    with plug_in():
        return fault_of(program("bad", "breaks_the_rules"))


# -- the moment --------------------------------------------------------------------------------


def test_a_bot_that_is_as_it_was_does_the_same(file: FaultFile) -> None:
    replayed = replay_fault(file, program("bad", "breaks_the_rules"), SANDBOX)
    assert replayed.again
    assert replayed.again.fault == file.fault
    assert replayed.again.evidence.asked == file.evidence.asked
    assert (replayed.asked, replayed.detours, replayed.answer) == (1, (), None)


def test_a_fixed_bot_comes_to_the_same_moment_and_its_detours_are_told(file: FaultFile) -> None:
    replayed = replay_fault(file, first("bad"), SANDBOX)
    assert replayed.again is None
    assert replayed.answer == file.fault.legal[0]
    (was,) = [action for move, action in enumerate(file.games[0].actions) if move % 3 == 1]
    ((title, detour),) = replayed.detours
    assert title == file.games[0].title
    assert (detour.move, detour.then) == (1, was)
    assert detour.now != was


def test_a_bot_that_does_something_else_wrong_is_not_fixed(file: FaultFile) -> None:
    again = replay_fault(file, program("bad", "crashes_in_act"), SANDBOX).again
    assert again
    assert (again.fault.kind, again.fault.action) == ("crash", file.fault.action)
    again = replay_fault(file, program("bad", "crashes_at_once"), SANDBOX).again
    assert again
    assert (again.fault.kind, again.games) == ("start", ())
    bad = program("speaks_unasked")
    again = replay_fault(fault_of(bad), bad, SANDBOX).again
    assert again
    assert (again.fault.kind, again.evidence.asked) == ("malformed", "")


HEARS = """\
import json, sys
with open(sys.argv[1], "ab") as heard:
    for line in sys.stdin.buffer:
        heard.write(line)
        heard.flush()
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps(dict(type="ready", protocol=1, detail=sys.argv[2])), flush=True)
        elif message["type"] == "turn":
            answer = dict(type="act", table=message["table"], turn=message["turn"])
            answer["action"] = message["legal"][-1] if message["turn"] < 3 else "oops"
            print(json.dumps(answer), flush=True)
"""


@pytest.mark.parametrize("detail", ["full", "brief", "none"])
def test_the_lines_are_those_that_the_bot_was_sent(detail: str, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    bad = Entrant("bad", (*PYTHON, "-c", HEARS, str(heard), detail), str(BOTS), "")
    file = fault_of(bad)
    sent = sent_lines(file)
    assert len(sent) == 5, "hello, start, three turns"
    assert heard.read_bytes().splitlines(keepends=True)[:5] == sent


# -- following a record ------------------------------------------------------------------------


@given(number=st.integers(0, 50), seat=st.integers(0, 2), data=st.data())
def test_the_record_is_followed_by_any_answer(number: int, seat: int, data: st.DataObject) -> None:
    record = play_out(make_game("high-card/3", number, ("a", "b", "c")))
    upto = data.draw(st.integers(0, len(record.actions)))
    retrace = Retrace(seat, record.actions[:upto])
    expected: list[Detour] = []
    own = range(seat, len(record.actions), 3)
    refereeing = retrace.referee(start_game(record.variant, record.deal))
    answer: Reply | None = None
    asked: list[int] = []
    try:
        while True:
            ask: Ask = refereeing.send(answer)  # type: ignore[arg-type]  # None starts it
            asked.append(own[ask.turn - 1])
            answer = Reply(data.draw(st.sampled_from(ask.legal)))
            if asked[-1] < upto and answer.action != record.actions[asked[-1]]:
                expected.append(Detour(asked[-1], record.actions[asked[-1]], answer.action))
    except StopIteration as stop:
        ending = stop.value
    assert ending.actions[:upto] == record.actions[:upto]
    assert (len(ending.actions), ending.faults) == (len(record.actions), ())
    assert retrace.detours == expected
    assert asked == [move for move in own if move <= upto]
    assert (retrace.answer is not None) == (upto in own)


# -- on disk -----------------------------------------------------------------------------------


def test_a_fault_has_one_file_and_no_other_is_written_over(file: FaultFile, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "faults"
    first, other = [save_fault(one, folder) for one in (file, replace(file, tables=2))]
    seen_later = replace(file, evidence=replace(file.evidence, wall_ms=7))
    assert save_fault(seen_later, folder) == first
    read = msgspec.json.encode(read_fault(first))
    assert msgspec.json.decode(read) == msgspec.json.decode(msgspec.json.encode(seen_later))
    assert {path.name for path in folder.iterdir()} == {first.name, other.name}
    assert all(re.fullmatch(r"fault-bad-[0-9a-f]{12}\.json", path.name) for path in (first, other))
    guest = replace(file, bot=replace(file.bot, name="random (guest)"))
    assert save_fault(guest, folder).name.startswith("fault-random-(guest)-")


def test_what_is_no_fault_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    for content, text in (
        (b"", "is not a fault file of format 1"),
        (b"[" * 100_000, "is not a fault file of format 1"),
        (b'{"format": 2}', "Invalid enum value 2"),
        (b'{"format": 1, "\\u001b[2J": 1}', "unknown field"),
    ):
        path.write_bytes(content)
        with pytest.raises(FaultFileError) as caught:
            read_fault(path)
        assert text in str(caught.value)
        assert str(caught.value).isprintable()
    with pytest.raises(FaultFileError, match="No such file"):
        read_fault(tmp_path / "nothing")
    os.truncate(path, MAX_BYTES + 1)
    with pytest.raises(FaultFileError, match=f" {MAX_BYTES:,} bytes"):
        read_fault(path)


UNPLAYABLE: list[tuple[dict[str, object], str]] = [
    ({"variant": "chess/2"}, "chess/2"),
    ({"rules_version": 99}, "was played by version 99 of the rules; here is version"),
    ({"deal": msgspec.Raw(b"[" * 5000 + b"]" * 5000)}, "cannot be played again"),
    ({"seat": 3}, "has 3 seats, none is 3"),
    ({"seat": 0}, "does not end where it is the bot's turn"),
    ({"actions": ("hide 99",)}, "cannot be played again"),
]


def test_games_that_cannot_be_played_are_refused(file: FaultFile, tmp_path: Path) -> None:
    path = save_fault(file, tmp_path)
    path.write_text(path.read_text().replace('"faulty": 0', '"faulty": 1'))
    with pytest.raises(FaultFileError, match="`faulty` is 1, of 1 games from 0"):
        read_fault(path)
    for changes, text in UNPLAYABLE:
        other = replace(file, games=(replace(file.games[0], **changes),))
        for use in (
            partial(replay_fault, other, first("bad"), SANDBOX),
            partial(sent_lines, other),
        ):
            with pytest.raises(FaultFileError) as caught:
                use()
            assert text in str(caught.value)


# -- from a teacher to a student ---------------------------------------------------------------

BREAKS = """\
from arena.bot import Bot, run

class Breaks(Bot):
    def act(self, view, legal):
        return legal[0].missing()

run(Breaks)
"""


def test_a_fault_goes_from_teacher_to_student(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    folder = make_bot(tmp_path / "teacher", "breaks", BREAKS)
    enters = bot_options([folder, *make_bots(tmp_path / "teacher", 1)])
    options = ["--variant", "bribery/2", "--rounds", "2", *RUN_OPTIONS, "--name", "x"]
    assert run_arena("run", *enters, *options, "--workers", "1", cwd=tmp_path).returncode == 0
    saved = arena("logs", "x", "--all", "--save", "for the class")
    assert saved.exit_code == 0, saved.stderr
    files = sorted(Path("for the class").iterdir())
    assert len(files) == 2
    for file in files:
        assert f"  again       arena debug '{file}'" in saved.stdout
    assert arena("logs", "x", "--all", "--save", "for the class").stdout == saved.stdout
    assert sorted(Path("for the class").iterdir()) == files
    assert arena("logs", "x").stdout.endswith("    arena logs x --save faults\n")

    own = folder.rename(tmp_path / "student")
    replay = ["debug", files[0], "--sandbox", "none"]
    of_the_run = arena(*replay)
    assert of_the_run.exit_code == 1
    assert "breaks" in of_the_run.stderr
    shutil.rmtree("results")  # with the run's copy of the bot
    lost = arena(*replay)
    assert lost.exit_code == 1
    assert lost.stderr.startswith("Error: ")
    still = arena(*replay, "--bot", "student")
    assert still.exit_code == 1
    assert "the same fault\n" in still.stdout
    assert "no attribute 'missing'" in still.stdout.replace("\n              ", " ")
    (own / "bot.py").write_text(BREAKS.replace(".missing()", ""))
    fixed = arena(*replay, "--bot", "student")
    assert fixed.exit_code == 0, fixed.stdout
    assert "fixed: " in fixed.stdout
    lines = arena(*replay[:2], "--lines").stdout.splitlines()
    assert [line.split(",")[0] for line in lines] == [
        '{"type":"hello"', '{"type":"start"', '{"type":"turn"'
    ]  # fmt: skip


VARIANT = "pot-de-vin/3"


@pytest.mark.slow
def test_a_run_is_played_again_until_a_bot_changes(tmp_path: Path) -> None:
    folders = make_bots(tmp_path / "bots", 3)
    options = [*bot_options(folders), "--variant", VARIANT, "--rounds", "3", *RUN_OPTIONS]
    at = ["--results", str(tmp_path)]
    assert arena("run", *options, "--name", "spring", *at).exit_code == 0
    title = f"{VARIANT} board 1 rotation 2"
    same = arena("debug", "spring", *title.split(), *at)
    assert (same.exit_code, same.stderr) == (0, "")
    assert same.stdout.startswith(f"{title}: ")
    (folders[1] / "bot.py").write_text(
        DICE_BOT.replace(".choice(", ".choice(sorted(").replace(
            'message["legal"])', 'message["legal"])[::-1])'
        )
    )
    other = arena("debug", "spring", *title.split(), *at)
    assert other.exit_code == 1
    assert re.search(f"Error: {title} .*: move ", other.stderr)
    assert "(bot-2)" in other.stderr
