"""A contest from `arena init` to its leaderboard, as a teacher types it."""

import csv
import io
import re
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.contest.inbox import Inbox
from arena.contest.secret_file import read_secret
from arena.rating.leaderboard import Leaderboard
from arena.schedule.randomness import SecretSettings
from arena.tournament.settings import Settings
from arena.tournament.store import DATABASE, Store
from tests.arena.command import arena, contest_text, done, refused
from tests.arena.contest.submitted import accept, write, zipped
from tests.arena.playing import PATIENT
from tests.arena.runs import made_up_settings

PLAIN = "class MyBot:\n    def act(self, view, legal):\n        return legal[0]\n"
ILL = "class Ill:\n    def act(self, view, legal):\n        return '\\x1b[31mdance'\n"
DEAD = "import sys\nprint('\\x1b[31mno licence', file=sys.stderr)\nsys.exit(3)\n"
CONTEST = contest_text("random")


@pytest.fixture
def contest(tmp_path: Path) -> Path:
    """The file of a contest with two students."""
    folder = tmp_path / "spring"
    folder.mkdir()
    (folder / "contest.toml").write_text(CONTEST)
    for name in ("ann", "ben"):
        accept(folder, name, PLAIN)
    return folder / "contest.toml"


def settings_of(contest: Path, name: str = "spring") -> Settings:
    """Return the settings of the contest's run."""
    with Store.open(contest.parent / "results" / name) as store:
        return store.settings()


def names(contest: Path, run: str = "spring") -> set[str]:
    """Return who plays."""
    return {one.name for one in settings_of(contest, run).entrants}


# -- init --------------------------------------------------------------------------------------


def test_new_contest_can_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    output = done("init", "spring").stdout
    (submit,) = re.findall(r"^submit a bot: `arena (.*)`$", output, re.M)
    (run,) = re.findall(r"^play the contest: `arena (.*)`$", output, re.M)
    Path("my_bot.py").write_text(PLAIN)
    done(*submit.replace("STUDENT", "ann").split(), "--no-check")
    played = done(*run.split(), "--rounds", 1, "--variant", "pot-de-vin/3", "--sandbox", "none")
    assert " ann " in played.stdout
    secret = read_secret(tmp_path / "spring" / "secret.txt")
    assert settings_of(tmp_path / "spring" / "contest.toml").secret == SecretSettings(secret.hash)
    assert "spring" in refused("init", "spring")
    assert read_secret(tmp_path / "spring" / "secret.txt").hash == secret.hash


# -- run ---------------------------------------------------------------------------------------


def test_repeated_command_continues_the_contest(contest: Path) -> None:
    first = done("run", contest)
    assert names(contest) == {"ann", "ben", "random"}
    settings = settings_of(contest)
    assert (settings.rounds, settings.seed, settings.variants) == (3, 5, ("pot-de-vin/3",))
    assert settings.limits == PATIENT
    again = done("run", contest)
    assert again.stdout == first.stdout
    assert "3 games, 3 of them" in again.stderr
    board = (contest.parent / "results" / "spring" / "leaderboard.json").read_bytes()
    assert msgspec.json.decode(board, type=Leaderboard).games == 3


def test_option_overrides_the_contest_file(contest: Path, tmp_path: Path) -> None:
    done(
        "run", contest, "--name", "other", "--seed", 9, "--bot", "greedy",
        "--results", tmp_path / "elsewhere",
        "--set", "withdrawal=false",
    )  # fmt: skip
    with Store.open(tmp_path / "elsewhere" / "other") as store:
        settings = store.settings()
    assert settings.seed == 9
    assert not settings.withdrawal
    assert {one.name for one in settings.entrants} == {"ann", "ben", "greedy"}
    assert settings.rounds == 3


@pytest.mark.slow
def test_excluded_bots_are_listed_again_at_the_end(contest: Path) -> None:
    accept(contest.parent, "cem", DEAD)
    played = done("run", contest)
    assert names(contest) == {"ann", "ben", "random"}
    *_, last = played.stderr.splitlines()
    assert re.search(r"cem\b.*code 3", played.stderr)
    assert "no licence" in played.stderr
    assert re.match("1 .*: cem$", last)
    assert "\x1b" not in played.stderr


# -- submit ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_submitted_bot_is_checked_with_contest_settings(contest: Path, tmp_path: Path) -> None:
    bot = tmp_path / "my_bot.py"
    bot.write_text(PLAIN)
    output = done("submit", bot, "--to", contest, "--name", "cem").stdout
    assert "plays pot-de-vin/3" in output
    assert "bribery" not in output
    assert output.endswith("cem: accepted as version 1\n")
    again = done("submit", bot, "--to", contest, "--name", "cem", "--no-check").stdout
    assert again.endswith("cem: unchanged, the same as version 1\n")
    bot.write_text(f"{PLAIN}\n")
    again = done("submit", bot, "--to", contest, "--name", "cem", "--no-check").stdout
    assert "cem: accepted as version 2" in again
    other = done(
        "submit", bot, "--to", contest, "--name", "cem", "--as", "cem-2", "--no-check"
    ).stdout
    assert "cem (cem-2): accepted as version 1" in other
    done("run", contest)
    assert "cem" in names(contest)


@pytest.mark.parametrize(
    ("code", "check", "part"),
    [(DEAD, "starts", "no licence"), (ILL, "plays pot-de-vin/3", "[31mdance")],
)
def test_rejects_failing_bot_with_report(
    contest: Path, tmp_path: Path, code: str, check: str, part: str
) -> None:
    bot = tmp_path / "cem.py"
    bot.write_text(code)
    result = arena("submit", bot, "--to", contest)
    assert result.exit_code == 1
    assert f"`{check}`" in result.stderr
    assert part in result.stdout
    assert "\x1b" not in result.stdout + result.stderr
    assert [one.owner for one in Inbox(contest.parent).lineup()] == ["ann", "ben"]
    done("submit", bot, "--to", contest, "--no-check")


@pytest.mark.slow
def test_shows_names_in_any_script(contest: Path, tmp_path: Path) -> None:
    for name in ("李雷", "Zoë Müller"):
        (tmp_path / "bot.py").write_text(f"{PLAIN}# {name}\n")
        done("submit", tmp_path / "bot.py", "--to", contest, "--name", name, "--no-check")
    played = done("run", contest)
    run = contest.parent / "results" / "spring"
    commands = (
        ("leaderboard", run),
        ("leaderboard", run, "--matrix"),
        ("leaderboard", run, "--all"),
    )
    for output in (played.stdout, *[done(*words).stdout for words in commands]):
        assert "李雷" in output
        assert "Zoë Müller" in output
        assert "Zoe-Muller" not in output
    assert "Zoe-Muller" in names(contest)
    site = tmp_path / "site"
    done("publish", run, "--to", site)
    index = (site / "index.html").read_text()
    assert "李雷" in index
    assert ">Zoe-Muller<" not in index
    (own,) = (site / "bot").glob("Zoe-Muller*.html")
    assert f'href="bot/{own.name}" title="Zoë Müller">Zoë Müller</a>' in index
    for form in ("--json", "--csv"):
        assert "Zoe-Muller" in done("leaderboard", run, form).stdout


@pytest.mark.slow
def test_submits_each_bot_of_a_platform_archive(contest: Path, tmp_path: Path) -> None:
    place = "{}_{}_assignsubmission_file_/bot.py"
    with zipfile.ZipFile(tmp_path / "moodle.zip", "w") as made:
        made.writestr(place.format("李雷", 11), PLAIN)
        made.writestr(place.format("Ill", 12), ILL)
    result = arena("submit", tmp_path / "moodle.zip", "--to", contest)
    assert result.exit_code == 1
    assert "李雷" in result.stdout
    assert "accepted as version 1" in result.stdout
    assert "not submitted: Ill: " in result.stderr
    assert "1 of 2 not submitted" in result.stderr
    again = done("submit", tmp_path / "moodle.zip", "--to", contest, "--no-check").stdout
    assert "unchanged" in again
    (tmp_path / "x.zip").write_bytes((tmp_path / "moodle.zip").read_bytes()[:50])
    assert "is not a zip" in refused("submit", tmp_path / "x.zip", "--to", contest)


def test_grades_have_one_row_per_student(contest: Path) -> None:
    (contest.parent / "roster.csv").write_text(
        "id,name,e-mail\nann,Ann Lee,=1+1\nben,李雷,\ncem,Cem,\n"
    )
    roster = f"entrants.roster={contest.parent / 'roster.csv'}"
    done("run", contest, "--set", roster)
    run = contest.parent / "results" / "spring"
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO(done("grades", run).stdout))}
    assert list(rows) == ["ann", "ben", "cem"]
    assert (rows["ben"]["name"], rows["ann"]["e-mail"]) == ("李雷", "'=1+1")
    assert [rows["ann"][key] for key in ("versions", "late", "baselines")] == ["1", "no", "1"]
    assert {rows["ann"]["games"], rows["ben"]["games"], rows["cem"]["games"]} == {"3", ""}
    assert '"baselines_beaten"' in done("grades", run, "--json").stdout
    with closing(sqlite3.connect(run / DATABASE)) as database:
        database.execute("DELETE FROM games WHERE position = 0")
        database.execute("UPDATE run SET digest = NULL")
        database.commit()
    assert "got 2 of 3 games" in refused("grades", run)
    assert "2 of 3 games" in done("grades", run, "--partial").stderr
    Store.create(contest.parent / "results" / "other", made_up_settings(3, "pot-de-vin/3")).close()
    assert "has no students" in refused("grades", contest.parent / "results" / "other")


def test_contest_without_inbox_rejects_submissions(tmp_path: Path) -> None:
    (tmp_path / "contest.toml").write_text("")
    (tmp_path / "bot.py").write_text(PLAIN)
    message = refused("submit", tmp_path / "bot.py", "--to", tmp_path / "contest.toml")
    assert '`inbox = "."`' in message


def test_submits_each_bot_of_a_folder(contest: Path, tmp_path: Path) -> None:
    collected = tmp_path / "collected"
    write(collected / "Cem.py")
    write(collected / "dora" / "bot.py", f"{PLAIN}# dora\n")
    (collected / "eve.zip").write_bytes(zipped({"x/bot.py": PLAIN}))
    write(collected / "gus" / "notes.txt")
    result = arena("submit", collected, "--to", contest, "--no-check")
    assert result.exit_code == 1
    assert "not submitted: gus: there is no bot in" in result.stderr
    assert "1 of 4 not submitted" in result.stderr
    playing = [one.owner for one in Inbox(contest.parent).lineup()]
    assert playing == ["Cem", "ann", "ben", "dora", "eve"]


def test_members_of_a_team_share_one_bot(contest: Path, tmp_path: Path) -> None:
    people = "id,name,team\nann,Ann,\nben,Ben,\ncem,Cem,red\ndora,Dora,Red\n"
    (contest.parent / "roster.csv").write_text(people)
    table = '[entrants]\nroster = "roster.csv"\n'
    contest.write_text(contest.read_text().replace("[entrants]\n", table))
    bot = write(tmp_path / "bot.py")
    with zipfile.ZipFile(tmp_path / "moodle.zip", "w") as made:
        made.writestr("Cem_3_assignsubmission_file_/bot.py", f"{PLAIN}# 2\n")
        made.writestr(zipfile.ZipInfo("Dora_4_assignsubmission_file_/bot.py"), f"{PLAIN}# 1\n")
    write(tmp_path / "both" / "Cem.py", f"{PLAIN}# 3\n")
    write(tmp_path / "both" / "dora.py", f"{PLAIN}# 4\n")
    by_id = (bot, "--as", "dora")
    for version, words in (1, by_id), (3, [tmp_path / "moodle.zip"]), (5, [tmp_path / "both"]):
        output = done("submit", *words, "--to", contest, "--no-check").stdout
        assert f"red (cem): accepted as version {version}\n" in output
    inbox = Inbox(contest.parent)
    assert [one.by for one in inbox.versions("cem")] == ["dora", "dora", "cem", "cem", "dora"]
    assert [one.owner for one in inbox.lineup()] == ["ann", "ben", "cem"]
    assert "all students have an accepted bot" in done("roster", "status", contest).stdout
    (contest.parent / "roster.csv").write_text(people.replace("cem,", "bo,Bo,red\ncem,"))
    assert "red (cem)" in done("submit", bot, "--as", "bo", "--to", contest, "--no-check").stdout


def test_imports_bots_accepted_by_an_earlier_version(contest: Path, tmp_path: Path) -> None:
    old = tmp_path / "submissions"
    for number in (1, 2, 10):
        write(old / "zoe" / str(number) / "bot.py", f"{PLAIN}# {number}\n")
    write(old / "zoe" / ".name", "Zoë Müller\n")
    output = done("submit", old, "--to", contest, "--no-check").stdout
    assert output == "Zoë Müller (zoe): accepted as version 1\n"
    inbox = Inbox(contest.parent)
    (zoe,) = inbox.versions("zoe")
    folder = Path(inbox.bot_of(zoe).entrant.folder)
    assert (folder / "bot.py").read_text().endswith("# 10\n")


@pytest.mark.parametrize(
    "files", [["main.py", "lib/x.py"], ["mybot/bot.py", "data/x.txt"], ["bot.py", "a.py", "b.py"]]
)
def test_folder_with_one_bot_is_a_single_submission(
    contest: Path, tmp_path: Path, files: list[str]
) -> None:
    for name in files:
        write(tmp_path / "one" / name)
    output = done("submit", tmp_path / "one", "--to", contest, "--no-check").stdout
    assert output == "one: accepted as version 1\n"
