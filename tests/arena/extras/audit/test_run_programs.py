"""The programs of a run's bots, read from the copies of their files."""

import shutil
from pathlib import Path

import pytest

from arena.base.record import Entrant
from arena.contest.entrants import find_entrant
from arena.contest.snapshots import Snapshots
from arena.extras.audit.run_audit import NO_COPY, programs_of
from arena.extras.develop.bot_template import make_bot as make_new_bot
from arena.extras.shared.like_programs import MAX_PROGRAM_BYTES, TOO_LITTLE
from engine import get_variant
from tests.arena.playing import bundled

LINES = (
    "    {} x[{}] {} y{}:".format(
        "if" if number % 3 else "while", number, "<" if number % 5 else ">", "()" * (number % 4)
    )
    + f"\n        z {'+-*/'[number % 4]}= f({', '.join('abcdefg'[: number % 7])})\n"
    for number in range(60)
)
OWN = "def act(view, legal):\n" + "".join(LINES)


def started(folder: Path, *paths: Path, also: tuple[Entrant, ...] = ()) -> list[Entrant]:
    """Return the entrants of a run in `folder`, with the copies that it keeps."""
    found = [*[find_entrant(str(path)) for path in paths], *also]
    with Snapshots(folder) as snapshots:
        entrants = [snapshots.settled(snapshots.take(entrant)) for entrant in found]
        folder.mkdir(parents=True)
        snapshots.keep(entrants)
    return entrants


def new(tmp_path: Path, name: str, program: str | None = None) -> Path:
    """Return the folder that `arena new` makes, with another program if there is one."""
    folder = tmp_path / name
    make_new_bot(folder, name, "python", get_variant("pot-de-vin/3"))
    if program is not None:
        (folder / "bot.py").write_text(program)
    return folder


@pytest.mark.slow
def test_bots_from_the_template_are_no_copies(tmp_path: Path) -> None:
    run = tmp_path / "results" / "spring"
    programs = programs_of(started(run, new(tmp_path, "ann"), new(tmp_path, "bob")), run)
    assert (programs.pairs, programs.compared) == ((), ())


def test_a_renamed_copy_is_named_after_its_original_is_gone(tmp_path: Path) -> None:
    run = tmp_path / "results" / "spring"
    bots = [
        new(tmp_path, "ann", OWN),
        new(tmp_path, "bob", OWN.replace("z", "total").replace("x[", "table[")),
        new(tmp_path, "cid"),
    ]
    entrants = started(run, *bots, also=(bundled("greedy"),))
    for folder in bots:
        shutil.rmtree(folder)
    moved = run.rename(tmp_path / "results" / "autumn")
    programs = programs_of(entrants, moved)
    (alike,) = programs.pairs
    assert (alike.bots, alike.share) == (("ann", "bob"), 1.0)
    assert programs.left_out == {"cid": TOO_LITTLE}


def test_what_cannot_be_compared_is_said(tmp_path: Path) -> None:
    run = tmp_path / "results" / "spring"
    shell = tmp_path / "shell"
    make_new_bot(shell, "shell", "shell", get_variant("pot-de-vin/3"))
    (shell / "test_bot.py").unlink()
    large = new(tmp_path, "large", "x = 1\n" + "#" * MAX_PROGRAM_BYTES)
    latin = new(tmp_path, "latin", "x = 1  # \n")
    (latin / "bot.py").write_bytes(b"x = 1  # \xe9\n")
    entrants = started(run, new(tmp_path, "changed", OWN), large, latin, shell)
    (copy,) = (run / "arena.bots").glob("changed-*")
    (copy / "bot.py").write_text("x = 1")
    left_out = programs_of(entrants, run).left_out
    assert left_out == {
        "changed": NO_COPY,
        "large": f"its program has more than {MAX_PROGRAM_BYTES:,} bytes",
        "latin": TOO_LITTLE,
        "shell": TOO_LITTLE,
    }


@pytest.mark.slow
def test_programs_made_to_be_hard_to_read_leave_out_their_bots_alone(tmp_path: Path) -> None:
    run = tmp_path / "results" / "spring"
    ann, bob = new(tmp_path, "ann", OWN), new(tmp_path, "bob", OWN)
    hard = ("(" * 100_000, "f'" + "{" * 100_000)
    bad = [new(tmp_path, f"bad-{number}", text) for number, text in enumerate(hard)]
    programs = programs_of(started(run, *bad, ann, bob), run)
    assert [pair.bots for pair in programs.pairs] == [("ann", "bob")]
    assert programs.left_out.keys() == {"bad-0", "bad-1"}
