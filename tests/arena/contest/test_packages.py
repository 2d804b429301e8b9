"""Submissions require Python packages that the teacher allows, and get nothing else."""

import sys
import zipfile
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import SettingsError, SubmissionError
from arena.base.protocol import Hello
from arena.base.record import ENVIRONMENTS, Entrant
from arena.check.bot_check import CheckSettings, check_bot
from arena.check.fault_file import save_fault
from arena.contest.packages import (
    equip,
    prepare_packages,
    requirement_name,
    requirements_in,
)
from arena.contest.reader import Reader
from arena.contest.settings import PackagesTable
from tests.arena.command import arena
from tests.arena.levels import LEVELS, read, sandbox_settings_of, start
from tests.arena.playing import PATIENT

BOT = """
import tiny_dice
from arena.bot import Bot, run

class Tiny(Bot):
    def act(self, view, legal):
        return tiny_dice.throw(legal)

run(Tiny)
"""
PEP_723 = """# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "tiny-dice>=1",
# ]
# ///
"""


def make_wheel(folder: Path, version: str = "1.0") -> Path:
    """Write a wheel of the package `tiny-dice`, as PyPI would have one."""
    folder.mkdir()
    info = f"tiny_dice-{version}.dist-info"
    files = {
        "tiny_dice.py": "def throw(legal):\n    return legal[0]\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: tiny-dice\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    with zipfile.ZipFile(folder / f"tiny_dice-{version}-py3-none-any.whl", "w") as wheel:
        for name, text in [*files.items(), (f"{info}/RECORD", record)]:
            wheel.writestr(name, text)
    return folder


each_level = pytest.mark.parametrize(
    "level", [*[pytest.param(one, marks=pytest.mark.long) for one in LEVELS[:-1]], LEVELS[-1]]
)
"""Long but for the strictest one."""


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PackagesTable:
    """Packages of a contest that are prepared, from an index that is a folder."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(make_wheel(tmp_path / "index")))
    table = PackagesTable(("tiny-dice",), str(tmp_path / "packages"))
    assert prepare_packages(table) == ["tiny-dice 1.0"]
    monkeypatch.delenv("PIP_FIND_LINKS")
    return table


def bot(folder: Path, program: str = BOT, requirements: str = "", name: str = "ann") -> Entrant:
    """Write the bot of a student."""
    folder.mkdir()
    (folder / "bot.py").write_text(program)
    if requirements:
        (folder / "requirements.txt").write_text(requirements)
    return Entrant(name, ("python", "-P", "bot.py"), str(folder), "f")


def equipped(entrant: Entrant, packages: PackagesTable) -> Entrant:
    """Return a bot with its packages."""
    with Reader() as reader:
        return equip(entrant, packages, reader)


def test_requirements_are_read_from_both_places(tmp_path: Path) -> None:
    entrant = bot(tmp_path / "ann", PEP_723 + BOT, "# mine\nnumpy==2.1 # fast\n\n")
    assert requirements_in(Path(entrant.folder), "bot.py") == ("numpy==2.1", "tiny-dice>=1")
    assert requirements_in(Path(bot(tmp_path / "ben").folder), "bot.py") == ()
    broken = bot(tmp_path / "cem", PEP_723.replace('"tiny', "tiny"))
    with pytest.raises(SubmissionError, match=r"script` of bot.py cannot be read"):
        requirements_in(Path(broken.folder), "bot.py")


def test_nothing_but_names_and_versions_can_be_required() -> None:
    for requirement in (
        "-e .",
        "--index-url https://x",
        "./x.whl",
        "x @ https://x/x.whl",
        "x; 1",
        "",
    ):
        with pytest.raises(SubmissionError, match="is no package that can be required"):
            requirement_name(requirement)


@pytest.mark.slow
@each_level
def test_a_fault_of_a_bot_with_packages_is_seen_again(
    tmp_path: Path, packages: PackagesTable, level: str
) -> None:
    sandbox = sandbox_settings_of(level)
    program = BOT.replace("tiny_dice.throw(legal)", "tiny_dice.throw([tiny_dice.__name__])")
    place = tmp_path / "ann"
    ann = bot(place, program, "tiny-dice\n")
    (place / "bot.toml").write_text('name = "ann"\ncommand = ["python", "-P", "bot.py"]\n')
    wrong = equipped(
        msgspec.structs.replace(ann, command=(sys.executable, "-P", "bot.py")), packages
    )
    checks = check_bot(wrong, ["bribery/2"], CheckSettings(PATIENT, sandbox))
    (fault,) = [one.failure for one in checks if one.failure]
    file = save_fault(fault, tmp_path / "faults")
    again = arena("debug", file, "--sandbox", level)
    assert "has not changed since the fault" in again.stderr
    assert "now: the same fault" in again.stdout, again.output


def test_names_are_compared_in_their_usual_form() -> None:
    names = {requirement_name(one) for one in ("Tiny_Dice", "tiny.dice ~=1.0", "tiny-dice[x]>1,<2")}
    assert names == {"tiny-dice"}


def test_what_is_not_allowed_is_refused_in_a_sentence(tmp_path: Path) -> None:
    unprepared = PackagesTable(("tiny-dice",), str(tmp_path / "none"))
    with pytest.raises(SubmissionError, match="ann requires torch, which this contest does not al"):
        equipped(bot(tmp_path / "ann", requirements="torch\ntiny-dice\n"), unprepared)
    with pytest.raises(SubmissionError, match="has not prepared the packages"):
        equipped(bot(tmp_path / "cem", requirements="tiny-dice\n"), unprepared)
    with pytest.raises(SettingsError, match="no package is allowed"):
        prepare_packages(PackagesTable())


@pytest.mark.slow
def test_all_bots_share_one_environment_and_a_run_keeps_its_own(
    tmp_path: Path, packages: PackagesTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    wordings = ["tiny-dice\n", "Tiny_Dice>=1\n", "tiny.dice <2, >0.5\n"]
    bots = [
        equipped(bot(tmp_path / str(number), requirements=text), packages)
        for number, text in enumerate(wordings)
    ]
    (made,) = {Path(each.packages) for each in bots}
    assert bots[0].command == ("/usr/bin/env", f"PYTHONPATH={made}", "python", "-P", "bot.py")
    assert (made / "tiny_dice.py").is_file()
    with pytest.raises(SubmissionError, match=r"ben requires tiny-dice==9, and .* tiny-dice 1\.0"):
        equipped(bot(tmp_path / "ben", requirements="tiny-dice==9\n", name="ben"), packages)
    plain = bot(tmp_path / "c")
    assert equipped(plain, packages) is plain
    monkeypatch.setenv("PIP_FIND_LINKS", str(make_wheel(tmp_path / "newer", "1.1")))
    assert prepare_packages(packages) == ["tiny-dice 1.1"]
    now = equipped(bot(tmp_path / "d", requirements="tiny-dice\n"), packages)
    assert Path(now.packages) != made
    assert (made / "tiny_dice.py").is_file()
    links = [path for path in made.parent.iterdir() if path.is_symlink()]
    assert [link.resolve() for link in links] == [Path(now.packages)]


def test_an_isolated_bot_sees_its_own_packages_only(tmp_path: Path) -> None:
    sandbox = sandbox_settings_of("isolated")
    environments = tmp_path / ENVIRONMENTS
    for name in ("own", "other"):
        (environments / name).mkdir(parents=True)
    program = f"import os; print(os.listdir({str(environments)!r}), flush=True)"
    command = ("/usr/bin/env", f"PYTHONPATH={environments / 'own'}", "python3", "-c", program)
    (tmp_path / "ann").mkdir()
    ann = Entrant("ann", command, str(tmp_path / "ann"), "f")
    with start("", sandbox, ann) as process:
        process.send(Hello(1, "", ann.name, PATIENT))
        assert read(process)[0] == "['own']"


@pytest.mark.slow
@each_level
def test_a_bot_with_packages_is_submitted_and_plays(
    tmp_path: Path, packages: PackagesTable, level: str
) -> None:
    sandbox_settings_of(level)  # skips where it does not work
    folder = tmp_path / "ann"
    bot(folder, PEP_723 + BOT)
    contest = tmp_path / "contest.toml"
    (tmp_path / "submissions").mkdir()
    contest.write_text(
        'name = "x"\nvariants = ["bribery/2"]\nrounds = 2\nresults = "results"\nseed = 1\n'
        '[entrants]\nsubmissions = "submissions"\nbots = ["random"]\n'
        f'[sandbox]\nlevel = "{level}"\n[packages]\nallow = ["tiny-dice"]\n'
        f"[limits]\nmove_ms = {PATIENT.move_ms}\nstart_ms = {PATIENT.start_ms}\n"
    )
    submitted = arena("submit", folder, "--to", contest)
    assert submitted.exit_code == 0, submitted.output
    played = arena("run", contest, "--workers", "1")
    assert played.exit_code == 0, played.output
    results = ["--results", tmp_path / "results"]
    assert "no faults" in arena("faults", "x", *results).stdout
    again = arena("debug", "x", "bribery/2 board 1 rotation 0", *results)
    assert again.exit_code == 0, again.output
    assert "changed" not in again.stderr
    contest.write_text(contest.read_text().replace('allow = ["tiny-dice"]', "allow = []"))
    refused = arena("submit", folder, "--to", contest, "--no-check", "--as", "ann")
    assert refused.exit_code == 1
    assert "tiny-dice>=1, which this contest does not allow" in refused.stderr
