"""`arena backup`: a consistent copy of a contest, also while a server runs."""

from pathlib import Path

import click

from arena.commands.common import contest_argument, required_contest
from arena.terminal.console import notice, say, warning


@click.command("backup")
@contest_argument
@click.option(
    "--to",
    "target",
    metavar="FILE",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file of the backup, such as spring.tar.gz, outside of the contest's folder. It is "
    "replaced at once.",
)
@click.option(
    "--without-secrets",
    is_flag=True,
    help="Write a zip for keeping and for other programs instead: runs, grades, submissions and "
    "people, as JSON, CSV and plain files. No contest can be resumed from it.",
)
def backup(place: Path | None, target: Path, without_secrets: bool) -> None:
    """Copy the whole folder of a contest to a file, also while a server or a run uses it.

    Unpack the file with `tar xzf`, and `arena serve` or `arena run` goes on where the backup was
    made. It contains all secrets of the contest, so only you may read it.
    """
    contest = required_contest(place)
    if without_secrets:
        from arena.extras.serve.archive.contest_export import export_contest

        done = export_contest(contest, target)
        for text in done.left_out:
            warning(f"left out: run {text}")
        say(str(target))
        notice(f"{done.runs} runs and {done.submitted_files} submitted files; it names students")
        return
    from arena.extras.serve.archive.backup import back_up  # not above: help comes sooner

    made = back_up(contest, target)
    for path in made.outside:
        warning(f"not in the backup, since it is outside of the contest's folder: {path}")
    say(str(target))
    notice(f"{made.databases} databases and {made.files} other files, for your eyes only")
