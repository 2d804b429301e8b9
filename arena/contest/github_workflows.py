"""Workflows of GitHub Actions: for the repository of a contest, and for that of a student."""

from pathlib import Path

from arena.errors import SettingsError

TEMPLATES = Path(__file__).with_name("github_template")
WORKFLOWS = Path(".github", "workflows")
NOTHING_TO_BUILD = "echo nothing to build"


def add_contest_workflow(folder: Path) -> Path:
    """Add the workflow that plays a contest and publishes its site to the contest's folder.

    Raises:
        SettingsError: it is there already, or cannot be written.
    """
    return _write(folder, "contest.yml", (TEMPLATES / "contest.yml").read_text("utf-8"))


def add_check_workflow(folder: Path, game: str, build: str) -> Path:
    """Add the workflow that checks a bot on each push to the bot's folder.

    Args:
        folder: the folder of the bot, which is the root of its repository.
        game: the game that the check plays.
        build: the command that makes the bot's program, or an empty string.

    Raises:
        SettingsError: it is there already, or cannot be written.
    """
    text = (TEMPLATES / "check.yml").read_text("utf-8").replace("GAME_NAME", game)
    return _write(folder, "check.yml", text.replace("BUILD_COMMAND", build or NOTHING_TO_BUILD))


def _write(folder: Path, name: str, text: str) -> Path:
    path = folder / WORKFLOWS / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise SettingsError(f"{path} exists already and was not changed") from None
    except OSError as error:
        raise SettingsError(f"cannot write {path}: {error.strerror}") from None
    return path
