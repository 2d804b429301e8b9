"""Each check fails for a bot made to fail it, and its file leads back to the fault."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from arena.check.bot_stack import split_stack
from arena.check.check import (
    COMPANY,
    IN_TIME,
    LEAVES,
    MEMORY,
    PLAYS,
    READY,
    SAME,
    STARTS,
    TABLES,
    Checked,
    CheckSettings,
    check_bot,
)
from arena.check.fault_report import card
from arena.check.replay_fault import replay_fault
from arena.check.session import SessionPlan, run_session
from arena.cli import main
from arena.contest.entrants import find_entrant
from arena.contracts import Bounds, SandboxSettings
from arena.match.referee import Reply
from arena.match.seats import Script
from arena.match.settings import MatchSettings
from arena.protocol import Limits
from arena.record import Entrant
from tests.arena.jumping_clock import JUMPS_ONLY, JumpingClock
from tests.arena.levels import sandbox_settings_of
from tests.arena.playing import (
    PATIENT,
    PYTHON,
    WAIT_S,
    children,
    code,
    descriptors,
    first,
    make_game,
    program,
)
from tests.arena.runs import PATIENT_OPTIONS, make_bot, run_arena

VARIANTS = ("high-card/3", "high-card/2")
ALL_PLAYS = tuple([PLAYS.format(variant) for variant in VARIANTS])
NAMES = (STARTS, READY, *ALL_PLAYS, IN_TIME, MEMORY, COMPANY, SAME, LEAVES)
LATE = Limits(start_ms=120_000, move_ms=1_000)
"""For bots that never answer."""
LISTEN = """\
import json, os, signal, sys, time

def say(**message):
    print(json.dumps(message), flush=True)

def act(message, action):
    say(type="act", table=message["table"], turn=message["turn"], action=action)

def hear():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="ready", protocol=1)
        else:
            yield message

def play():
    for message in hear():
        if message["type"] == "turn":
            act(message, message["legal"][0])

"""


@pytest.fixture(autouse=True)
def _toys(toys: None) -> None:
    """Register the toy games."""


def check(
    entrant: Entrant,
    limits: Limits = PATIENT,
    sandbox: SandboxSettings | None = None,
    leave_s: float = WAIT_S,
    games: int = 1,
) -> dict[str, Checked]:
    """Return the checks of a bot by name, and hold that each is there once and none leaks."""
    before = descriptors()
    done = list(
        check_bot(
            entrant,
            VARIANTS,
            CheckSettings(
                limits,
                sandbox or SandboxSettings(),
                games,
                leave_s=leave_s,
                run_leave_s=WAIT_S,  # however slow the machine is
            ),
        )
    )
    assert [one.name for one in done] == list(NAMES)
    assert descriptors() == before
    assert not children()
    assert all(one.text.isprintable() for one in done)
    assert all(one.failure is None for one in done if one.outcome != "failed")
    return {one.name: one for one in done}


def failed(done: dict[str, Checked]) -> list[str]:
    """Return the names of the checks that failed."""
    return [name for name, one in done.items() if one.outcome == "failed"]


def assert_replayed(checked: Checked, entrant: Entrant, leave_s: float = WAIT_S) -> None:
    """Hold that the file of a failure brings the bot to the same fault again."""
    file = checked.failure
    assert file
    again = replay_fault(file, entrant, SandboxSettings(), leave_s=leave_s).again
    assert again
    assert (again.fault, again.where.partition("move")[2]) == (
        file.fault,
        file.where.partition("move")[2],
    )
    assert again.evidence.came == file.evidence.came


# -- the right check fails ---------------------------------------------------------------------


@pytest.mark.parametrize("games", [1, 3])
def test_a_bot_that_does_all_right_passes_all(games: int) -> None:
    done = check(first(), games=games)
    assert {name: one.outcome for name, one in done.items()} == dict.fromkeys(NAMES, "passed")
    whole = "a whole game" if games == 1 else "3 whole games"
    assert done[ALL_PLAYS[0]].text == f"{whole}, {4 * games} answers"
    assert f"of {4 * games * 2} answers; 120,000 ms are allowed" in done[IN_TIME].text
    assert done[READY].text.endswith("it plays all games, with full views")


@pytest.mark.parametrize(
    ("name", "failing", "text"),
    [
        ("crashes_at_once", (STARTS,), "exited with code "),
        ("greets", (READY,), "sent no message of the protocol: "),
        ("speaks_version_2", (READY,), "speaks version 2 of the protocol, expected 1"),
        ("breaks_the_rules", ALL_PLAYS, r"answered 'hide \x1b[31mall', which is not legal, at"),
        ("crashes_in_act", ALL_PLAYS, "exited with code 1, at move 4"),
        ("crashes_between_turns", ALL_PLAYS, "exited with code 3, at move "),
        ("counts_true", ALL_PLAYS, "sent no message of the protocol: Expected `int`"),
        ("answers_another_table", ALL_PLAYS, "answered something else than it was asked, at"),
        ("sends_a_long_line", ALL_PLAYS, "sent a line of more than 65536 bytes, at move 4"),
        ("leaves_in_company", (COMPANY,), f"with {TABLES} games at once: exited with code 0"),
    ],
)
def test_what_a_bot_does_wrong_fails_one_check(
    name: str, failing: tuple[str, ...], text: str
) -> None:
    entrant = program(name)
    done = check(entrant)
    assert tuple(failed(done)) == failing
    assert done[failing[0]].text.startswith(text)
    assert_replayed(done[failing[0]], entrant)


def test_who_does_not_answer_is_late() -> None:
    entrant = program("falls_silent")
    done = check(entrant, LATE)
    assert failed(done) == [IN_TIME]
    assert done[IN_TIME].text == "no whole answer within 1000 ms"
    assert done[ALL_PLAYS[0]].outcome == "not run"
    assert_replayed(done[IN_TIME], entrant)


def test_who_is_never_ready_has_started() -> None:
    done = check(program("is_never_ready"), Limits(start_ms=300))
    assert failed(done) == [READY]
    assert done[READY].text == "not ready within 300 ms"
    assert {done[name].outcome for name in ALL_PLAYS} == {"not run"}


def test_a_program_that_is_not_there_does_not_start() -> None:
    done = check(Entrant("none", ("/no/such/program",), ".", ""))
    assert failed(done) == [STARTS]
    assert "No such file or directory" in done[STARTS].text
    assert done[LEAVES].outcome == "not run"
    file = done[STARTS].failure
    assert file
    shown = card("none", file.where, file.fault, file.evidence).splitlines()
    assert shown[0] == "none: start before its first game"
    assert shown[-1].startswith("  to do       see in its folder whether the program that ")


def test_who_takes_too_much_memory_fails_that_check() -> None:
    sandbox = sandbox_settings_of("limits", Bounds(memory_mib=64))
    much = "for message in hear():\n    if message['type'] == 'turn':\n"
    much += "        much = bytearray(b'x') * (80 << 20)\n        signal.pause()\n"
    done = check(code("hog", LISTEN + much), sandbox=sandbox)
    assert failed(done) == [MEMORY]
    assert done[MEMORY].text.endswith(" MiB of memory; 64 MiB are allowed")
    assert done[ALL_PLAYS[0]].text.startswith("broken off, it took too much at move ")


def test_memory_without_a_bound_is_only_remarked_upon() -> None:
    much = "much = bytearray(b'x') * (24 << 20)\nplay()\n"
    done = check(
        code("large", LISTEN + much), sandbox=SandboxSettings(bounds=Bounds(memory_mib=16))
    )
    assert failed(done) == []
    assert done[MEMORY].outcome in ("remark", "not run")  # where the system does not tell


def test_a_bot_that_breaks_in_company_is_charged_where_it_was_asked() -> None:
    breaks = "for message in hear():\n    if message['type'] == 'turn':\n"
    breaks += "        assert message['table'] != 3\n        act(message, message['legal'][0])\n"
    done = check(code("third", LISTEN + breaks))
    assert failed(done) == [COMPANY]
    failure = done[COMPANY].failure
    assert failure
    assert failure.faulty == 2
    assert_replayed(done[COMPANY], code("third", LISTEN + breaks))


def test_a_session_that_the_host_stalled_is_repeated_and_seen_once() -> None:
    clock = JumpingClock(1, "first")
    game = make_game("high-card/2", 1, ("first", "random"))
    settings = MatchSettings(
        Limits(120_000, 900), tables=1, always_charge=True, excused_share=JUMPS_ONLY
    )
    opponents = {"random": Script(lambda asked: Reply(asked.legal[0]))}
    plan = SessionPlan(first(), [game], settings, opponents, WAIT_S)
    session = run_session(plan, clock.open_transport)
    assert clock.jumps == 0
    ((record, seen),) = session.played
    assert (record.faults, seen.stalls) == ((), 1)
    assert len(session.answers_s) == len(record.actions) // 2


def test_who_does_not_leave_fails_that_check_even_if_it_plays_well() -> None:
    entrant = code("stays", LISTEN + "play()\nwhile True:\n    signal.pause()\n")
    done = check(entrant, leave_s=0.2)
    assert failed(done) == [LEAVES]
    assert done[LEAVES].text == "still ran 0.2 s after `bye`"
    assert_replayed(done[LEAVES], entrant, leave_s=0.2)


def test_a_bot_may_log_more_than_a_pipe_holds_before_it_leaves() -> None:
    code_at_end = 'play()\nprint("bye " * 100_000, file=sys.stderr)\n'
    assert not failed(check(code("chatty", LISTEN + code_at_end), leave_s=WAIT_S))


def test_who_plays_otherwise_with_the_same_seed_is_remarked_upon(tmp_path: Path) -> None:
    """It takes the last action once it has been started for the fourth time: in company."""
    text = "open('starts', 'a').write('x')\nlate = os.path.getsize('starts') > 3\n"
    text += "for message in hear():\n    if message['type'] == 'turn':\n"
    text += "        act(message, message['legal'][-1 if late else 0])\n"
    done = check(Entrant("moody", (*PYTHON, "-c", LISTEN + text), str(tmp_path), ""))
    assert failed(done) == []
    assert done[SAME].outcome == "remark"
    where = "it plays otherwise: high-card/3 board 1 rotation 0, move 1, seat 0 (moody): 'hide "
    assert done[SAME].text.startswith(where)


def test_who_plays_none_of_the_games_is_told_so() -> None:
    text = LISTEN.replace("protocol=1", r"protocol=1, games=['che\nss\x1b[2J']")
    done = check(code("other", f"{text}play()"))
    assert failed(done) == [READY]
    assert done[READY].text == (r"it plays only che ss\x1b[2J; it was to be checked in high-card")
    assert done[LEAVES].outcome == "passed"


def test_an_unknown_game_is_remarked_upon() -> None:
    text = LISTEN.replace("protocol=1", "protocol=1, games=['high-card', 'bribary']")
    done = check(code("other", f"{text}play()"))
    assert failed(done) == []
    assert done[READY].outcome == "remark"
    assert "bribary, but there are only pot-de-vin, " in done[READY].text


def test_after_three_variants_that_went_wrong_no_more_are_played() -> None:
    variants = ("high-card/3", "high-card/2", "high-card/4-teams", "high-card/3")
    settings = CheckSettings(PATIENT, SandboxSettings())
    done = list(check_bot(program("crashes_in_act"), variants, settings))
    plays = [one.outcome for one in done if one.name.startswith("plays ")]
    assert plays == ["failed", "failed", "failed", "not run"]


def test_the_same_bot_is_checked_in_the_same_way() -> None:
    entrant = program("breaks_the_rules")
    failures = [check(entrant)[ALL_PLAYS[0]].failure for _ in range(2)]
    one, other = [failure and (failure.fault, failure.games) for failure in failures]
    assert one == other


def test_a_fault_in_a_later_game_of_a_process_is_found_again() -> None:
    text = "games = 0\nfor message in hear():\n    games += message['type'] == 'start'\n"
    text += "    if message['type'] == 'turn':\n        if games == 3:\n            sys.exit(7)\n"
    text += "        act(message, message['legal'][0])\n"
    entrant = code("tires", LISTEN + text)
    done = check(entrant, games=4)
    assert failed(done) == list(ALL_PLAYS)
    file = done[ALL_PLAYS[0]].failure
    assert file
    assert (file.faulty, len(file.games), file.tables) == (2, 3, 1)
    assert_replayed(done[ALL_PLAYS[0]], entrant)


def test_the_time_of_a_game_is_a_limit_too() -> None:
    done = check(first(), msgspec.structs.replace(PATIENT, bank_ms=240_000))
    assert done[IN_TIME].text.endswith("; 120,000 ms are allowed, 240,000 in a game")


# -- the command -------------------------------------------------------------------------------

OPTIONS = ("--variant", "bribery/2", *PATIENT_OPTIONS)
LOSES_ITS_WAY = LISTEN + (
    "for message in hear():\n    if message['type'] == 'turn':\n"
    "        sys.stderr.write('now \\x1b[31mlost\\n')\n"
    "        act(message, 'go \\x1b[2J' if message['turn'] == 3 else message['legal'][0])\n"
)


def arena(*arguments: str, columns: int = 100, charset: str = "utf-8") -> Result:
    """Run `arena` in this process."""
    return CliRunner(charset, {"COLUMNS": str(columns)}).invoke(main, arguments)


def test_a_student_finds_a_fault_mends_it_and_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = make_bot(tmp_path, "lost", LOSES_ITS_WAY)
    found = run_arena("check", "lost", *OPTIONS, cwd=tmp_path)
    assert found.returncode == 1
    lines = found.stdout.splitlines()
    assert all(line.isprintable() for line in lines)
    assert any(line.startswith("✗ plays bribery/2") for line in lines)
    assert lines[-1] == "lost fails: plays bribery/2"
    assert r"  stderr      now \x1b[31mlost" in lines
    (file,) = [path.name for path in tmp_path.iterdir() if path != folder]
    assert f"  again       arena replay-fault {file} --sandbox none" in lines

    again = arena("replay-fault", file, "--sandbox", "none")
    assert again.exit_code == 1
    assert "now: the same fault\n" in again.stdout
    assert "the code of lost has not changed since" in again.stderr

    (folder / "bot.py").write_text(LISTEN + "play()\n")
    fixed = arena("replay-fault", file, "--sandbox", "none")
    assert (fixed.exit_code, fixed.stderr) == (0, "")
    assert "before it: 2 answers, all unchanged\nnow: fixed: the bot answers '" in fixed.stdout
    fit = arena("check", "lost", *OPTIONS)
    assert (fit.exit_code, fit.stdout.splitlines()[-1]) == (0, "lost is fit for a run")


def test_it_is_readable_in_80_columns_without_colour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make_bot(tmp_path, "lost", LOSES_ITS_WAY)
    command = ["check", "lost", *OPTIONS]
    found = arena(*command, columns=80)
    assert found.exit_code == 1
    lines = found.stdout.splitlines()
    assert all(len(line) <= 80 and line.isprintable() for line in lines)
    plain = arena(*command, columns=80, charset="ascii")
    marks = [line[0] for line in plain.stdout.splitlines() if line[1:2] == " " and line[0] != " "]
    assert "".join(marks) == "++x++--+"


def test_failures_that_are_alike_have_one_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make_bot(
        tmp_path, "leaves", LISTEN + "for message in hear():\n    if 'legal' in message: exit(3)\n"
    )
    two = ["--variant", "bribery/2", "--variant", "bribery/3", "--sandbox", "none"]
    found = arena("check", "leaves", *two)
    assert found.stdout.count("  what        exited with code 3") == 1
    again = r"  same as above; .* arena replay-fault fault-leaves-[0-9a-f]+\.json --sandbox none"
    assert [line for line in found.stdout.splitlines() if re.fullmatch(again, line)]
    full = arena("check", "leaves", *two, "--full")
    assert full.stdout.count("  what        exited with code 3") == 2


def test_programs_read_the_checks_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    make_bot(tmp_path, "lost", LOSES_ITS_WAY)
    found = arena("check", "lost", *OPTIONS, "--json", "--faults", "found")
    assert found.exit_code == 1
    report = json.loads(found.stdout)
    assert (report["bot"], report["passed"]) == ("lost", False)
    (failing,) = [one for one in report["checks"] if one["outcome"] == "failed"]
    assert failing["fault"]["kind"] == "illegal"
    assert [str(path) for path in Path("found").iterdir()] == [failing["file"]]


def test_the_card_of_a_late_bot_says_in_which_line_it_was(tmp_path: Path) -> None:
    file = tmp_path / "dreams.py"
    file.write_text(
        "class Dreams:\n"
        "    def act(self, view, legal):\n"
        "        return self.dream()\n"
        "    def dream(self):\n"
        "        while True:\n"
        "            pass\n"
    )
    limits = Limits(start_ms=PATIENT.start_ms, move_ms=500)
    settings = CheckSettings(limits, SandboxSettings())
    checked = {one.name: one for one in check_bot(find_entrant(str(file)), ["bribery/2"], settings)}
    failure = checked[IN_TIME].failure
    assert failure
    assert failure.fault.kind == "timeout"
    _, frames = split_stack(failure.evidence.stderr)
    assert [(frame.function, frame.file) for frame in frames][:2] == [
        ("dream", "dreams.py"),
        ("act", "dreams.py"),
    ]
    assert frames[0].line in (5, 6)
