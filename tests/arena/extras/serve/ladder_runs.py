"""Start, watch and kill the ladder process in tests."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from arena.extras.serve.ladder.ladder_files import STATE, LadderState
from arena.extras.serve.server import LADDER
from arena.tournament.store import DATABASE, Store
from arena.tournament.verification import verify
from tests.arena.contest.submitted import accept
from tests.arena.extras.serve.visiting import make_contest
from tests.arena.playing import PATIENT, WAIT_S, wait_for
from tests.arena.runs import DICE_BOT, GATED_BOT

LIMITS = f"[limits]\nmove_ms = {PATIENT.move_ms}\nstart_ms = {PATIENT.start_ms}\n"


@contextlib.contextmanager
def ladder(contest_file: Path, log: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Start the ladder process, and stop it at the end of the context.

    Its output is appended to `log`, by default a file next to the contest file.
    """
    command = [sys.executable, "-P", "-m", LADDER, str(contest_file), "1"]
    log = log or contest_file.with_name("ladder.log")
    with (
        log.open("ab") as message,
        subprocess.Popen(command, stdin=subprocess.PIPE, stderr=message) as process,
    ):
        try:
            yield process
        finally:
            process.communicate(timeout=WAIT_S)
    assert "Traceback" not in log.read_text()


def state_of(contest_file: Path) -> LadderState | None:
    return STATE.read(contest_file.parent)


def is_over(contest_file: Path, run: str = "spring", with_bot: str = "") -> bool:
    """Return whether the ladder has finished a run, in which `with_bot` plays if it is given."""
    state = state_of(contest_file)
    if not state or (state.activity, state.run) != ("over", run):
        return False
    return not with_bot or with_bot in entrants_of(run_folder(contest_file, run))


def wait_until_over(contest_file: Path, with_bot: str = "") -> None:
    wait_for(lambda: is_over(contest_file, with_bot=with_bot), "the ladder is over")


def run_folder(contest_file: Path, run: str = "spring") -> Path:
    return contest_file.parent / "results" / run


def make_gated_contest(folder: Path, more: str = "", rounds: int = 10) -> tuple[Path, Path]:
    """Return the file of a contest whose games stop at some point, and the gate for this."""
    file, gate = make_contest(folder / "contest", f"{LIMITS}{more}"), folder / "gate"
    file.write_text(file.read_text().replace("rounds = 3", f"rounds = {rounds}"))
    gate.touch()
    submit(file, "ann", GATED_BOT.format(gate=str(gate)))
    return file, gate


def submit(contest_file: Path, bot: str, code: str = DICE_BOT) -> None:
    accept(contest_file.parent, bot, code)


def entrants_of(run: Path) -> dict[str, str]:
    """Return the fingerprint of each bot of a run, by name."""
    with Store.open(run) as store:
        return {one.name: one.fingerprint for one in store.settings().entrants}


def stored_games(run: Path) -> dict[int, tuple[str, bytes]]:
    """Return the key and record of each stored game, by number."""
    if not (run / DATABASE).is_file():
        return {}
    with Store.open(run) as store:
        return {game.number: (game.key, game.record) for game in store.all_games()}


def check_run(run: Path) -> None:
    """Check that a run is complete, and that no game is missing, duplicated or changed."""
    with Store.open(run) as store:
        notices: list[str] = []
        verify(store, notice=notices.append)
        assert not notices
        keys = [game.key for game in store.counting_games()]
        assert len(keys) == len(set(keys))
