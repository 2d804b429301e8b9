"""`arena init`: create a folder for a new contest."""

import shlex
from pathlib import Path

import click

from arena.base.errors import SettingsError
from arena.commands.setting_options import CONTEST_TEMPLATE
from arena.contest.contest_file import CONTEST_FILE
from arena.contest.secret_file import SECRET_FILE, draw_secret, write_secret
from arena.contest.settings import checked_run_name
from arena.schedule.randomness import Secret
from arena.terminal.console import say

IGNORED = ".gitignore"
# These files must not be committed to Git.
PRIVATE = (SECRET_FILE, "server.db*", "inbox.db*", "bots/")
DEFAULT_NAME = "my-contest"
_COMMENT_COLUMN = 31


@click.command("init")
@click.argument(
    "folder", metavar="[FOLDER]", default=".", type=click.Path(file_okay=False, path_type=Path)
)
def init_command(folder: Path) -> None:
    """Create a folder for a new contest.

    The contest's settings are in the file contest.toml. The file secret.txt determines how the
    cards are dealt in every game. Keep secret.txt private.
    """
    for made in make_contest(folder, draw_secret()):
        say(str(made))
    contest = shlex.quote(str(folder))
    say(f"submit a bot: `arena submit my_bot.py --to {contest} --name STUDENT`")
    say(f"play the contest: `arena run {contest}`")


def make_contest(folder: Path, secret: Secret) -> list[Path]:
    name = folder.resolve().name
    try:
        checked_run_name(name)
    except SettingsError:
        name = DEFAULT_NAME
    before, now = (f'name = "{word}"'.ljust(_COMMENT_COLUMN) for word in (DEFAULT_NAME, name))
    text = CONTEST_TEMPLATE.read_text("utf-8").replace(before, now, 1)
    secret_file = folder / SECRET_FILE
    for path in (folder / CONTEST_FILE, secret_file):  # write neither file if one of them exists
        if path.exists():
            raise SettingsError(f"{path} already exists and was not changed")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / CONTEST_FILE
        file.write_text(text, encoding="utf-8")
        write_secret(secret_file, secret)
        _ignore_private(folder)
    except OSError as error:
        raise SettingsError(f"cannot write {error.filename}: {error.strerror}") from None
    return [file, secret_file]


def _ignore_private(folder: Path) -> None:
    file = folder / IGNORED
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    missing = [name for name in PRIVATE if name not in lines]
    if missing:
        file.write_text("\n".join([*lines, *missing, ""]), encoding="utf-8")
