"""Play the run of a contest."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from arena.base.contracts import IN_PROCESS, Attack, Executor, SandboxSettings
from arena.base.errors import ArenaError, SettingsError
from arena.base.protocol import indented
from arena.base.record import Entrant
from arena.check.sandbox_probe import INEXACT, has_exact_clock
from arena.contest.admission import private_paths, rules_of, sandbox_of
from arena.contest.lineup import Lineup, find_lineup, lineup_of_trusted
from arena.contest.run_roster import ROSTER, read_run_roster, run_roster
from arena.contest.secret_file import SECRET_FILE, keep_private
from arena.contest.settings import QUICK, Contest, chosen_variants
from arena.contest.snapshots import Snapshots
from arena.tournament.executors.plugin import executor_of
from arena.tournament.games import games_to_play, rounds_by_variant, with_dropped
from arena.tournament.resuming import grow
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.run_secret import RunSecret, other_run, secret_of
from arena.tournament.runs import runs_with_deals_of
from arena.tournament.settings import Settings, check_bot_folders, check_settings
from arena.tournament.store import DATABASE, Store
from engine import get_variant

if TYPE_CHECKING:
    from arena.rating.certificate import Certificate
    from arena.rating.leaderboard import Leaderboard
    from arena.tournament.comparison import SequentialComparison


SEPARATION: Attack = "see other processes"
HARM = "bots of different people can harm one another (docs/security.md)"


class RunRequest(NamedTuple):
    contest: Contest
    folder: Path
    contest_file: Path | None = None
    options: Collection[str] = ()
    """Keys of the settings that the user gave as options or arguments, which override the contest
    file."""
    is_final: bool = False
    accepts_risk: bool = False
    """Whether to play a final run even if time limits aren't exact or bots can interfere with each
    other."""
    keeps_bots: bool = False
    """Whether to resume a run with its previous bots, even if their files have changed."""
    trusted: Sequence[Entrant] = ()
    """Python bots that replace the contest's bots and play in this process, without a sandbox."""


class StartedRun(NamedTuple):
    store: Store
    contest: Contest
    settings: Settings
    lineup: Lineup | None  # None: the run was resumed with its previous bots


class PlayedRun(NamedTuple):
    settings: Settings
    lineup: Lineup | None
    board: "Leaderboard"


class RunObserver:
    """Receives the events of a run. Subclasses override the methods they need.

    To stop the run, raise `KeyboardInterrupt` in a method that is called while games are played,
    such as `advance()`. Finished games are kept.
    """

    again = ""
    """A hint on how to resume the run, for error messages."""

    def notice(self, text: str) -> None:
        """Show a message about the run."""

    def detail(self, text: str) -> None:
        """Show a message about the run's result."""

    def sandbox(self, text: str) -> None:
        """Show which sandbox was selected automatically."""

    def warning(self, text: str) -> None:
        """Show a warning about a bot or submission that can't play."""

    def playing(self, run: StartedRun) -> AbstractContextManager[None]:
        """Return a context manager that is entered before the games begin and exited after they
        end.
        """
        return nullcontext()

    def advance(self, games: int) -> None:
        """Add `games` to the number of completed games. The value is negative if completed games
        must be played again.
        """

    def on_ranking(self, variant: str, certificate: "Certificate") -> None:
        """Show how certain the order of a variant's leaderboard is. Only called in runs with a stop
        rule.
        """

    def on_comparison(self, comparison: "SequentialComparison") -> None:
        """Show the evidence of a comparison so far."""


def play_contest(
    request: RunRequest, observer: RunObserver, executor: Executor | None = None
) -> PlayedRun:
    """Start or resume a run, play its remaining games, and write its leaderboard.

    Raises:
        RunStopped: The run was interrupted. Finished games are kept.
        BotError: A bot doesn't exist or fails to start.
        SettingsError: The settings are contradictory or don't match the existing run.
    """
    folder = request.folder
    former = former_settings(folder)
    if request.is_final and former and not former.is_final:
        raise SettingsError(
            f"the run {folder.name} is not a final and can't become one: choose another name with "
            "--name"
        )
    if request.is_final or (former and former.is_final):
        contest = msgspec.structs.replace(request.contest, seed=None, secret=None)
        request = request._replace(contest=contest, is_final=True)
    keep_private([folder, *private_paths(request.contest)])
    run = other_run(request.contest, folder, request.contest_file, request.options)
    secret = secret_of(request.contest, folder, former, run)
    with Snapshots(folder) as snapshots:
        so_far = RunSoFar(former, secret, snapshots)
        has_copies = former and all(Path(bot.folder).is_dir() for bot in former.entrants)
        if former and has_copies and (request.is_final or request.keeps_bots):
            contest, settings, lineup = request.contest, former, None
        else:
            contest, settings, lineup = _plan(request, so_far, observer, executor)
        if not former and (others := runs_with_deals_of(settings, folder)):
            observer.notice(
                f"this run shares its deals with {', '.join(others)}: bots may have seen them"
            )
        drawn = secret and secret.secret
        with open_or_create(folder, settings, observer.notice, drawn) as store:
            if lineup:  # before copying bots, after which finals need no lineup
                keep_roster(store, contest, lineup)
            snapshots.keep(settings.entrants)
            for text in details_of(settings):
                observer.detail(text)
            done = store.count()
            before = f", {done} of them played before" if done else ""
            observer.notice(f"{folder}: {games_to_play(store.settings())}{before}")
            started = StartedRun(store, contest, settings, lineup)
            return PlayedRun(settings, lineup, play_started(started, observer, executor))


def play_started(
    run: StartedRun, observer: RunObserver, executor: Executor | None = None
) -> "Leaderboard":
    store, settings = run.store, run.settings
    if executor is None:
        executor = executor_of(run.contest.machine, store.folder, observer.notice)
    with observer.playing(run):
        try:
            play_missing(
                store,
                settings,
                executor,
                observer.advance,
                observer.on_ranking,
                observer.on_comparison,
            )
        except ArenaError as error:
            if observer.again:
                kept = f"the games played are kept; resume with {observer.again}"
                error = type(error)(f"{error}; {kept}")
            raise error from None
    return finish(store)


class RunSoFar(NamedTuple):
    former: Settings | None
    secret: RunSecret | None
    snapshots: Snapshots


def _plan(
    request: RunRequest, run: RunSoFar, observer: RunObserver, executor: Executor | None
) -> tuple[Contest, Settings, Lineup | None]:
    contest, former = request.contest, run.former
    variants = chosen_variants(contest.variants, contest.games)
    if former:
        contest, variants, grown = grow(contest, variants, former, request.options)
        for text in grown:
            observer.notice(text)
    if executor:
        executor.expect(variants)
    if request.trusted:
        sandbox, lineup = IN_PROCESS, lineup_of_trusted(request.trusted, variants)
    else:
        sandbox = sandbox_of(contest, observer.sandbox)
        former_bots = former.entrants if former else ()
        lineup = find_lineup(contest, variants, sandbox, run.snapshots, former_bots)
    for text in lineup.notices:
        is_named = not {QUICK, *contest.entrants.bots} <= {QUICK}
        (observer.notice if is_named else observer.detail)(text)
    for text in lineup.warnings:
        observer.warning(text)
    is_checked = request.is_final and not (former or request.accepts_risk or request.trusted)
    if is_checked and not has_exact_clock():
        raise SettingsError(f"cannot play the final: {INEXACT}, or pass --accept-risk")
    if SEPARATION not in sandbox.withstood and not request.trusted:
        if is_checked:
            raise SettingsError(
                f"the final would be played in the sandbox {sandbox.level!r}, where {HARM}: "
                "isolate the bots, or pass --accept-risk"
            )
        if lineup.students and len(lineup.entrants) > 1:
            observer.notice(f"in the sandbox {sandbox.level!r}, {HARM}")
    settings = settings_of(contest, variants, sandbox, lineup, run)
    if request.is_final:
        settings = msgspec.structs.replace(settings, final=True)
    return contest, settings, lineup


# -- notices -----------------------------------------------------------------------------------


def details_of(settings: Settings) -> Iterator[str]:
    guests = {entrant.name for entrant in settings.entrants if entrant.guest}
    for variant in settings.variants if guests else ():
        seated = [name for name in settings.players(get_variant(variant)) if name in guests]
        if seated:
            yield f"bundled bots fill the empty seats of {variant}: {', '.join(seated)}"
    for variant, rounds in rounds_by_variant(settings).items():
        if rounds != settings.rounds:
            yield (
                f"{variant} plays {rounds} rounds instead of {settings.rounds}, to complete "
                f"boards of {get_variant(variant).seats} games"
            )
    if settings.secret:
        yield (
            f"all deals are derived from the secret in the run's {SECRET_FILE}; you can publish "
            f"the secret's SHA-256 from the start: {settings.secret.hash}"
        )
    else:
        yield (
            f"all deals are derived from the seed {settings.seed}, so bots could predict them; "
            "without a seed, a run uses a new secret"
        )


# -- the settings of a run ---------------------------------------------------------------------


def former_settings(folder: Path) -> Settings | None:
    if not (folder / DATABASE).is_file():
        return None
    with Store.open(folder) as store:
        return store.settings()


def settings_of(
    contest: Contest,
    variants: tuple[str, ...],
    sandbox: SandboxSettings,
    lineup: Lineup,
    run: RunSoFar,
) -> Settings:
    """Return the settings of a new or resumed run."""
    former, secret = run.former, run.secret
    present = {bot.name for bot in lineup.entrants}
    missing = [bot for bot in former.entrants if bot.name not in present] if former else []
    missing = [bot for bot in missing if not bot.guest]
    settings = Settings(
        rounds=contest.rounds,
        seed=contest.seed,
        variants=variants,
        entrants=(*map(run.snapshots.settled, lineup.entrants), *missing),
        limits=contest.limits,
        schedule=contest.schedule,
        challengers=lineup.challengers,
        withdrawal=contest.withdrawal,
        sandbox=sandbox,
        secret=secret.settings() if secret else None,
        stop_rule=contest.stop_rule() or msgspec.UNSET,
        result="points" if contest.result == "points" else msgspec.UNSET,
        order="score" if contest.order == "score" and not contest.until else msgspec.UNSET,
    )
    if former:
        settings = settings.joining(former)
    if missing and settings.stop_rule is msgspec.UNSET:
        chance = settings.chance(secret and secret.secret)
        settings = with_dropped(settings, [bot.name for bot in missing], chance)
    check_settings(settings)
    secret_file = Path(contest.secret) if contest.secret is not None else None
    site = Path(contest.publish) if contest.publish else None
    check_bot_folders(settings, Path(contest.results), site, secret_file)
    return settings


def keep_roster(store: Store, contest: Contest, lineup: Lineup) -> None:
    if rules := rules_of(contest):
        former = read_run_roster(store.folder).students
        playing = {bot.name: bot.fingerprint for bot in store.settings().entrants}
        roster = run_roster(rules, former, lineup.excluded, playing)
        store.write(ROSTER, indented(roster))
