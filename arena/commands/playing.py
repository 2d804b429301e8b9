"""What `arena run` does while its workers start, and after that: lineup, games, leaderboard."""

import shlex
import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from arena.commands.common import DEFAULT_RESULTS
from arena.contest.contest_check import sandbox_of
from arena.contest.secret_file import SECRET_FILE
from arena.contest.settings import Contest
from arena.contest.snapshots import Snapshots
from arena.contest.submissions import unpacking
from arena.contest.variant_choice import chosen_variants
from arena.contracts import Executor
from arena.errors import ArenaError, GameError
from arena.match.broken_game import BROKEN_GAME
from arena.publish.layout import INDEX
from arena.publish.refresh import refreshing
from arena.terminal.console import Progress, notice, progress_bar, terminal, warning
from arena.tournament.contest_run import (
    RunSoFar,
    former_settings,
    keep_roster,
    lineup_of,
    secret_of,
    settings_of,
)
from arena.tournament.games import count_games, games_to_play, rounds_by_variant
from arena.tournament.resuming import Given, check_resumable, grow
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.store import Store
from engine import get_variant

if TYPE_CHECKING:
    from arena.rating.certainty import Certificate
    from arena.tournament.run_leaderboard import RunLeaderboard


class RunArguments(NamedTuple):
    """What was typed after `arena run`: a contest, and where it is played."""

    contest: Contest
    contest_file: Path | None
    options: Collection[str]
    """Keys of the settings that were given on the command line."""
    folder: Path
    """The folder of the run, which may have begun."""


def play(arguments: RunArguments, executor: Executor, *, all_tables: bool) -> None:
    """Play a run with the workers of `executor`, and print its leaderboard.

    With `all_tables`, the table of each variant is printed too.
    """
    contest, folder = arguments.contest, arguments.folder
    variants = chosen_variants(contest.variants, contest.games)
    former = former_settings(folder)
    secret = secret_of(contest, folder, former)
    source = Given(arguments.contest_file, arguments.options)
    if former:
        contest, variants, grown = grow(contest, variants, former, source)
        for text in grown:
            notice(text)
    executor.expect(variants)
    submissions = contest.entrants.submissions
    with Snapshots(folder) as snapshots:
        so_far = RunSoFar(former, secret, snapshots)
        with unpacking(Path(submissions) if submissions is not None else None):
            sandbox = sandbox_of(contest, notice)
            lineup = lineup_of(contest, variants, sandbox, so_far)
            for text in lineup.notices:
                notice(text)
            for text in lineup.warnings:
                warning(text)
            settings = settings_of(contest, variants, sandbox, lineup, so_far)
        if former:
            check_resumable(folder.name, former, settings, source)
        _say_guests(settings)
        with open_or_create(folder, settings, notice, secret) as store:
            snapshots.keep(settings.entrants)
            keep_roster(store, contest, lineup)
            _say_rounding(settings)
            _say_chance(settings, folder)
            _play_games(store, settings, executor, arguments)
            _print_results(store, finish(store), Path(contest.results), all_tables)
    if contest.site:
        notice(f"site of the run: {contest.site / INDEX}")
    if left_out := lineup.left_out:
        warning(
            f"{len(left_out)} submissions left out, for the reasons above: {', '.join(left_out)}"
        )


def _play_games(
    store: Store, settings: Settings, executor: Executor, arguments: RunArguments
) -> None:
    """Play the games that the store does not have, with a progress bar."""
    folder = arguments.folder
    done, has_rule = store.count(), settings.stop_rule is not msgspec.UNSET
    before = f", {done} of them played before" if done else ""
    notice(f"{folder}: {games_to_play(settings)}{before}")
    with (
        refreshing(folder, arguments.contest.site, notice) as refresh,
        progress_bar(count_games(settings), done, has_text=has_rule) as progress,
    ):

        def advance(games: int) -> None:
            progress.update(games)
            refresh()

        looks = _Looks(progress, len(settings.variants))
        try:
            play_missing(store, settings, executor, advance, looks.show)
            progress.complete()  # with a stop rule it may be less
        except ArenaError as error:
            named = [] if arguments.contest.name else ["--name", folder.name]
            again = shlex.join([*sys.argv[1:], *named])
            if isinstance(error, GameError):
                error = ArenaError(f"{error}; {_reproduction(store, error)}")
            raise type(error)(
                f"{error}; the games played are kept; resume with `arena {again}`"
            ) from None


def _reproduction(store: Store, error: GameError) -> str:
    """Write what reproduces an exception of a game to the run's folder, and return the command."""
    store.write(BROKEN_GAME, error.broken.decode())
    return f"see it again with `arena check-game --again {store.folder / BROKEN_GAME}`"


class _Looks:
    """Shows what the last look at each variant says: on the progress bar, or else as lines."""

    def __init__(self, progress: Progress, variants: int) -> None:
        self._progress = progress
        self._variants = variants
        self._certain: set[str] = set()

    def show(self, variant: str, certificate: "Certificate") -> None:
        """Show what is certain about the order of a variant."""
        from arena.rating.certificate_texts import certainty_text

        text = certainty_text(certificate)
        if certificate.is_certain:
            self._certain.add(variant)
            notice(f"{variant}: certain after {certificate.boards} boards: {text}")
        elif not self._progress.is_shown:
            notice(f"{variant}: after {certificate.boards} boards {text}")
        if self._variants > 1:  # a line has room for one of them
            text = f"{len(self._certain)} of {self._variants} certain; {variant}: {text}"
        self._progress.add_text(text)


def _say_guests(settings: Settings) -> None:
    guests = {one.name for one in settings.entrants if one.guest}
    for variant in settings.variants if guests else ():
        seated = [name for name in settings.players(get_variant(variant)) if name in guests]
        if seated:
            notice(f"{variant} is filled up with {', '.join(seated)}")


def _say_rounding(settings: Settings) -> None:
    for variant, rounds in rounds_by_variant(settings).items():
        if rounds != settings.rounds:
            notice(
                f"{variant} plays {rounds} rounds instead of {settings.rounds}, to complete "
                f"boards of {get_variant(variant).seats} games"
            )


def _say_chance(settings: Settings, folder: Path) -> None:
    if settings.secret:
        notice(
            f"all deals follow from the secret in {folder / SECRET_FILE}; its SHA-256, which you "
            f"can publish now, is {settings.secret.hash}"
        )
    else:
        notice(
            f"all deals follow from the seed {settings.seed}, so bots may predict them; without "
            "--seed a run draws a secret"
        )


def _print_results(store: Store, board: "RunLeaderboard", results: Path, all_tables: bool) -> None:
    # Not above: the first game starts earlier without ratings and tables.
    from arena.terminal.leaderboard_table import print_leaderboard
    from arena.tournament.digest import digest_lines
    from arena.tournament.run_names import named_board, names_of
    from arena.tournament.standings import digest_of

    print_leaderboard(named_board(board, names_of(store)), terminal(), all_tables=all_tables)
    for variant, certificate in (board.certificate or {}).items():
        if variant in board.variants and not certificate.is_certain:
            notice(f"{variant} is not certain within all its rounds: more --rounds play on")
    if any(row.faults for row in board.overall):
        run = store.folder.name if results == DEFAULT_RESULTS else str(store.folder)
        notice(f"see the faults with `arena faults {shlex.quote(run)}`")
    notice("digest of the run, which `arena verify` checks:")
    for line in digest_lines(digest_of(store, board).value):
        notice(f"  {line}")
