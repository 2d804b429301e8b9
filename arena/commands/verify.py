"""`arena verify`: verify the records of a run."""

from pathlib import Path

import click

from arena.base.errors import ArenaError
from arena.commands.common import open_run, results_option, source_argument
from arena.contest.secret_file import read_secret
from arena.terminal.console import notice, say
from arena.tournament.database import Database
from arena.tournament.digest import digest_lines, read_digest
from arena.tournament.export import open_exported_run
from arena.tournament.runs import is_file
from arena.tournament.verification import verify


def _digest_option(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> str | None:
    try:
        return None if text is None else read_digest(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command("verify")
@source_argument
@click.option(
    "--digest",
    "published",
    metavar="DIGEST",
    callback=_digest_option,
    help="Also compare the run's digest with this one. Spaces are ignored.",
)
@click.option(
    "--secret",
    "secret_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File that contains the run's secret. The secret is used to check the deals. Default: "
    "the file in the run's folder.",
)
@results_option
def verify_command(
    source: str, published: str | None, secret_file: Path | None, results: Path
) -> None:
    """Verify a run or an exported file by replaying its games.

    The command recomputes the run's schedule, deals, withdrawals, leaderboard and digest. Data
    that can't be recomputed is checked against the stored digests. The command stops at the
    first difference.

    FILE is the output of `arena export`, or a compressed .gz file from a published site.
    """
    secret = read_secret(secret_file, is_public=True) if secret_file else None
    if is_file(source):
        opened: Database = open_exported_run(Path(source), is_unchecked=True)
    else:
        opened = open_run(results, source)
    with opened as store, store.snapshot():
        if not store.count():
            raise ArenaError(f"nothing to verify in {source}: it contains no complete board")
        verified = verify(store, secret, notice)
    if published not in (None, verified.digest):
        raise ArenaError(f"digest: got {verified.digest}, expected the published {published}")
    say(f"{verified.games} games match their records")
    say("digest of the run" + (", as published:" if published else ":"))
    for line in digest_lines(verified.digest):
        say(f"  {line}")
