"""`arena verify`: verify the records of a run."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import click

from arena.base.errors import ArenaError
from arena.commands.common import open_run, results_option, source_argument
from arena.contest.secret_file import read_secret
from arena.narration.telling import counted
from arena.terminal.console import notice, say
from arena.tournament.digest import digest_lines, read_digest
from arena.tournament.export import Export, open_export
from arena.tournament.game_checks import Difference
from arena.tournament.runs import is_file
from arena.tournament.verification import Verified, verify_export, verify_run

MAX_SHOWN = 20
"""Maximum number of differences to print in each category, such as games or settings."""


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
    help="Also compare the run with this digest from `arena run`. Spaces are ignored.",
)
@click.option(
    "--secret",
    "secret_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with the run's secret, to check the deals. Default: the one in the run's folder.",
)
@results_option
def verify_command(
    source: str, published: str | None, secret_file: Path | None, results: Path
) -> None:
    """Verify a run or an exported file, and print each difference.

    All games are replayed. The schedule, deals, withdrawals, leaderboard and digest are
    recomputed. All other stored data is compared with the digests that were computed when it was
    stored.

    FILE contains JSON lines from `arena export`. A file whose name ends in .gz, as on a
    published site, is decompressed first.
    """
    secret = read_secret(secret_file, is_public=True) if secret_file else None
    if is_file(source):
        path = Path(source)
        with open_export(path) as file:
            verified = verify_export(Export(file, str(path)), secret)
    else:
        with open_run(results, source) as store, store.snapshot():
            verified = verify_run(store, secret)
    for text in verified.notices:
        notice(text)
    if not verified.games and not verified.in_run:
        raise ArenaError(f"nothing to verify in {source}: it contains no complete board")
    if published is not None:
        verified.add("digest", _compare(verified, published))
    _report(verified)
    if verified.digest is not None:
        say("digest of the run" + (", as published:" if published else ":"))
        for line in digest_lines(verified.digest):
            say(f"  {line}")


def _compare(verified: Verified, published: str) -> Iterator[str]:
    if verified.digest is None:
        yield f"got none, since it cannot be computed, expected the published {published}"
    elif verified.digest != published:
        yield f"got {verified.digest}, expected the published {published}"


def _report(verified: Verified) -> None:
    _print(verified.in_games, "games")
    for subject, own in groupby(verified.in_run, key=lambda difference: difference.game):
        _print(list(own), subject)
    in_games, in_run = len(verified.in_games), len(verified.in_run)
    if number := in_games + in_run:
        raise ArenaError(
            f"{counted(number, 'difference')}: {in_games} in games, {in_run} in the "
            f"run as a whole ({verified.games} games checked)"
        )
    say(f"{verified.games} games match their records")


def _print(differences: Sequence[Difference], subject: str) -> None:
    for difference in differences[:MAX_SHOWN]:
        say(str(difference))
    if (more := len(differences) - MAX_SHOWN) > 0:
        say(f"... and {more} more differences of {subject}")
