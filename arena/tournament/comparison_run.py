"""Play a comparison of two versions of a bot."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.base.contracts import Executor, SandboxSettings
from arena.base.errors import BotError, SettingsError
from arena.base.record import NEW_MARK, OLD_MARK, Entrant
from arena.contest.admission import sandbox_of
from arena.contest.entrants import each_once, introduce, named_bots
from arena.contest.settings import QUICK, Contest
from arena.contest.snapshots import Snapshots
from arena.schedule.plan import BlockSizes
from arena.schedule.randomness import Secret
from arena.schedule.schedules import VERSIONS
from arena.tournament.comparison import (
    ComparisonResult,
    SequentialComparison,
    boards_in,
    comparison_of,
    with_boards,
)
from arena.tournament.contest_run import RunObserver, StartedRun, former_settings, play_started
from arena.tournament.resuming import changes, conflicts
from arena.tournament.run import open_or_create
from arena.tournament.run_secret import RunSecret, secret_of
from arena.tournament.settings import Settings, check_bot_folders, check_settings
from arena.tournament.standings import noted_digest
from arena.tournament.store import DATABASE, Store
from engine import Variant

# Small blocks waste fewer games after a stop.
BLOCKS = BlockSizes(smallest=16, largest=64)


class ComparisonRequest(NamedTuple):
    old: str
    new: str
    against: Sequence[str]
    variant: Variant
    contest: Contest
    """The contest's settings. The contest's bots and rounds are ignored."""
    folder: Path
    budget: int


def compare_versions(
    request: ComparisonRequest, observer: RunObserver, executor: Executor | None = None
) -> ComparisonResult:
    """Let both versions of a bot play boards until there is a verdict or the board budget is used
    up.

    Raises:
        RunStopped: The comparison was interrupted. Finished games are kept.
        BotError: A bot doesn't exist, fails to start, or has the same code in both versions.
        SettingsError: The folder belongs to a different run.
    """
    contest, folder = request.contest, request.folder
    secret = secret_of(contest, folder, former_settings(folder))
    with Snapshots(folder) as snapshots:
        settings = _settings_of(request, secret, snapshots, observer)
        secret_file = Path(contest.secret) if contest.secret else None
        check_bot_folders(settings, folder, secret=secret_file)
        with open_comparison(folder, settings, secret and secret.secret) as store:
            snapshots.keep(settings.entrants)
            boards = boards_in(store.settings())
            number = f"{boards} board{'' if boards == 1 else 's'}"
            if noted_digest(store) is not None:
                observer.notice(f"already played: {number}")
            else:
                observer.notice(f"playing up to {number}, until the result is significant")
            play_started(StartedRun(store, contest, store.settings(), None), observer, executor)
            return comparison_of(store.settings(), store.results())


def _settings_of(
    request: ComparisonRequest,
    secret: RunSecret | None,
    snapshots: Snapshots,
    observer: RunObserver,
) -> Settings:
    contest = request.contest
    sandbox = sandbox_of(contest, observer.sandbox)
    old, new, *field = _find_bots(request, sandbox, snapshots)
    game = request.variant.game
    idle = [bot.name for bot in field if not bot.plays(game)]
    if idle and request.against:
        observer.notice(f"excluded, since they do not play {game}: {', '.join(idle)}")
    bots = [old, new, *[bot for bot in field if bot.plays(game)]]
    settings = Settings(
        rounds=0,
        seed=contest.seed,
        variants=(request.variant.id,),
        entrants=tuple(map(snapshots.settled, bots)),
        limits=contest.limits,
        schedule=VERSIONS,
        challengers=(old.name, new.name),
        withdrawal=False,  # faults count as lost games instead
        sandbox=sandbox,
        secret=secret.settings(with_fingerprints=False) if secret else None,
        block_sizes=BLOCKS,
        result="points" if contest.result == "points" else msgspec.UNSET,
    )
    check_settings(settings)
    return with_boards(settings, request.budget)


def _find_bots(
    request: ComparisonRequest, sandbox: SandboxSettings, snapshots: Snapshots
) -> list[Entrant]:
    contest, wanted = request.contest, [request.old, request.new]
    if QUICK in wanted:
        raise BotError(f"{QUICK!r} stands for many bots: name one of them")
    with ExitStack() as unpacked:
        copies = []
        for names in (wanted[:1], wanted[1:], request.against or [QUICK]):
            found = unpacked.enter_context(named_bots(names, contest.entrants.interpreters))
            copies += [snapshots.take(bot) for bot in found]
    old, new, *field = copies
    if old.fingerprint == new.fingerprint:
        raise BotError(
            f"{request.old} and {request.new} have the same code, so there is nothing to compare: "
            "name two versions that differ"
        )
    if not request.against:
        field = [bot for bot in field if bot.fingerprint not in (old.fingerprint, new.fingerprint)]
    old = msgspec.structs.replace(old, name=old.name + OLD_MARK)
    new = msgspec.structs.replace(new, name=new.name + NEW_MARK)
    bots = introduce(
        [old, new, *each_once(field)], contest.limits, sandbox, variants=[request.variant.id]
    )
    game = request.variant.game
    for bot in bots[:2]:
        if not bot.plays(game):
            raise BotError(
                f"{bot.name} does not play {game}, only {', '.join(bot.games)}: choose another "
                "variant with --variant"
            )
    return bots


def open_comparison(folder: Path, settings: Settings, secret: Secret | None) -> Store:
    """Create or resume a comparison, and lock its folder for this process.

    Raise `SettingsError` if the folder belongs to a different run.
    """
    if (folder / DATABASE).is_file():
        with Store.open(folder) as store:
            settings = _resumed(store, settings)
    return open_or_create(folder, settings, lambda _: None, secret)


def _resumed(store: Store, settings: Settings) -> Settings:
    before = store.settings()
    if not before.is_comparison:
        raise SettingsError(
            f"{store.folder} is a run, not a comparison: choose another folder with --out"
        )
    alike = msgspec.structs.replace(settings, rounds=before.rounds)
    grown = [change.partition(";")[0] for change in changes(before, alike)]  # drop the consequences
    if reasons := [*conflicts(before, alike), *grown]:
        raise SettingsError(
            f"{store.folder} has another comparison ({'; '.join(reasons)}): choose another folder "
            "with --out"
        )
    if SequentialComparison(before, store.results()).is_decided:
        return alike
    if settings.rounds < before.rounds:
        boards = boards_in(before)
        raise SettingsError(
            f"the comparison in {store.folder} has a budget of {boards} boards: got "
            f"--budget {boards_in(settings)}, expected {boards} or more"
        )
    return settings
