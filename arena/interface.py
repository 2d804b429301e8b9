"""The Python API for playing tournaments, comparisons and single games in scripts and notebooks.

Import it with `import arena`. All times are in milliseconds and all sizes in MiB. Scores and
shares are between 0 and 1.
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from arena.base.errors import SettingsError
from arena.bot import Bot
from arena.contest.contest_file import checked_setting, contest_at, read_contest
from arena.contest.settings import (
    QUICK,
    Contest,
    checked_run_name,
    chosen_variants,
    override,
)
from arena.played_run import BotName, Run
from arena.terminal.shown_run import ShownRun
from arena.tournament.comparison import ComparisonResult
from arena.tournament.comparison_run import ComparisonRequest, compare_versions
from arena.tournament.contest_run import RunObserver, RunRequest, play_contest
from arena.tournament.executors.plugin import executor_of
from arena.tournament.play_game import known_variant
from arena.tournament.runs import open_source
from arena.tournament.store import DATABASE, Store
from engine.plugins import BUILT_IN_GAMES, added_plugins, is_only_here

AnyBot = BotName | type[Bot] | Bot
"""A bot class, a bot object that plays all games, or the name or path of a bot."""
log = logging.getLogger("arena")
"""Logger for the messages that `arena run` prints."""
MAX_NAME_CHARS = 60


def run(  # noqa: PLR0913  # by keyword, each with a default: the common options of `arena run`
    variants: str | Sequence[str] = (),
    bots: AnyBot | Sequence[AnyBot] | None = None,
    *,
    in_process: bool = False,
    rounds: int | None = None,
    name: str | None = None,
    results: BotName | None = None,
    seed: int | None = None,
    workers: int | None = None,
    sandbox: str | None = None,
    progress: bool | None = None,
    contest: BotName | None = None,
    settings: Mapping[str, object] | None = None,
    observer: RunObserver | None = None,
) -> "Run":
    """Play a tournament and return the run. The command `arena run` does the same.

    To resume an interrupted run, call the function again with the same arguments. If you change a
    bot, or add rounds or variants, only the missing games are played.

    Args:
        variants: The ids of variants, such as `pot-de-vin/3`, or the names of games, which select
            all variants of a game (default: the contest's variants, or all variants without a
            contest).
        bots: The names of registered bots, or paths of Python files or of folders with a
            `bot.toml`; with `in_process`, bot classes or bot objects instead of paths (default:
            the contest's bots, or all bots marked as quick without a contest).
        in_process: Whether to run trusted Python bots in the current process, without time limits
            or a sandbox.
        rounds: The number of games each bot plays in each variant (default: 60).
        name: The name of the run (default: a name derived from the variants, such as
            `pot-de-vin-3`).
        results: The folder that contains all runs (default: `results`).
        seed: A number that determines all deals and makes the run reproducible (default: a random
            secret that bots can't predict).
        workers: The number of worker processes (default: one per core).
        sandbox: `isolated`, `none`, or `auto` to isolate bots if the system supports it.
        progress: Whether to show a progress bar on stderr (default: in terminals and notebooks).
        contest: The path of a contest's folder or `contest.toml`, whose settings are overridden by
            the other arguments.
        settings: Additional settings, with the same keys as `contest.toml`, such as
            `{"until": "certain", "limits.move_ms": 500}`.
        observer: An object that is notified of the run's events, instead of the progress bar and
            the log.

    Raises:
        SettingsError: A setting is unknown, invalid, or incompatible with the existing run.
        BotError: A bot does not exist or failed to start.
        RunStopped: The user pressed Ctrl-C or interrupted the notebook. Finished games are kept.
    """
    words = [variants] if isinstance(variants, str) else list(variants)
    named = _bots(bots)
    file = contest_at(Path(contest)) if contest is not None else None
    options = _options(
        {
            "variants": [word for word in words if "/" in word] or None,
            "games": [word for word in words if "/" not in word] or None,
            "entrants.bots": [_path_of(bot) for bot in named if not in_process] or None,
            "rounds": rounds,
            "name": name,
            "results": results,
            "seed": seed,
            "machine.workers": workers,
            "sandbox.level": sandbox,
            **(settings or {}),
        }
    )
    chosen = override(read_contest(file) if file else Contest(), options)
    chosen.stop_rule()  # reject invalid settings before any bot is started
    name = checked_run_name(chosen.name or _default_name(words))
    folder = Path(chosen.results, name)
    observer = observer or _shown(f"the same call, or with name={name!r}", progress)
    if in_process:
        from arena.tournament.in_process import InProcess, trusted_bots

        trusted = trusted_bots(named or chosen.entrants.bots or [QUICK])
        request = RunRequest(chosen, folder, file, options.keys(), trusted=trusted.entrants)
        play_contest(request, observer, InProcess(trusted.makers))
        return Run(folder)
    if added_plugins():  # otherwise, there is no need to import the games
        _check_workers_know(chosen_variants(chosen.variants, chosen.games))
    with executor_of(chosen.machine, folder, observer.notice) as executor:
        if not (folder / DATABASE).is_file():  # a resumed run already has its games
            executor.wake((*chosen.variants, *chosen.games) or (*BUILT_IN_GAMES,))
        play_contest(RunRequest(chosen, folder, file, options.keys()), observer, executor)
    return Run(folder)


def open_run(source: BotName, results: BotName = "results") -> "Run":
    """Open an existing run or a file exported from a run.

    Args:
        source: The name of a run, the path of its folder, or the path of a file written by
            `arena export`.
        results: The folder that contains all runs.

    Raises:
        StoreError: The run or file does not exist or can't be read.
        SettingsError: `source` is not a valid run name.
    """
    with open_source(Path(results), fspath(source), log.info) as store:
        return Run(store.folder if isinstance(store, Store) else Path(source))


def compare(  # noqa: PLR0913  # by keyword, each with a default: the options of `arena compare`
    old: BotName,
    new: BotName,
    variant: str = "pot-de-vin/3",
    *,
    against: BotName | Sequence[BotName] | None = None,
    budget: int = 1000,
    folder: BotName | None = None,
    seed: int | None = None,
    workers: int | None = None,
    sandbox: str | None = None,
    progress: bool | None = None,
    settings: Mapping[str, object] | None = None,
    observer: RunObserver | None = None,
) -> ComparisonResult:
    """Compare two versions of a bot. The command `arena compare` does the same.

    The two versions play the same boards from the same seats. The comparison ends when the
    result is statistically significant (95% confidence) or the budget is used up.

    Args:
        old: The old version of the bot: a registered name or the path of a Python file, zip file or
            folder.
        new: The new version of the bot.
        variant: The id of the variant to play.
        against: The opponents of both versions (default: all registered bots that play the game
            and are marked as quick).
        budget: The maximum number of boards to play.
        folder: The folder in which to store the comparison, so that another call can resume it
            (default: a temporary folder).

    All other parameters have the same meaning as for the function `run`.

    Raises:
        BotError: A bot doesn't exist or fails to start, or the old and new versions have the same
            code.
        SettingsError: A setting is invalid, or `folder` contains a comparison with other settings.
        RunStopped: The user pressed Ctrl-C or interrupted the notebook. Finished games are kept.
    """
    if budget < 1:
        raise SettingsError(f"got a budget of {budget} boards, expected 1 or more")
    options = _options(
        {
            "seed": seed,
            "machine.workers": workers,
            "sandbox.level": sandbox,
            **(settings or {}),
        }
    )
    contest = override(Contest(), options)
    field = _bots(against)
    observer = observer or _shown(f"the same call with folder={str(folder)!r}", progress)
    with ExitStack() as left:
        if folder is None:
            folder = Path(left.enter_context(TemporaryDirectory(prefix="arena-")), "comparison")
        table = known_variant(variant)
        _check_workers_know([table.id])
        versions = (_path_of(old), _path_of(new))
        opponents = [_path_of(bot) for bot in field]
        request = ComparisonRequest(*versions, opponents, table, contest, Path(folder), budget)
        return compare_versions(request, observer)


# -- what is given -----------------------------------------------------------------------------


def _options(given: Mapping[str, object]) -> dict[str, Any]:
    return {
        key: checked_setting(key, fspath(value) if isinstance(value, PathLike) else value)
        for key, value in given.items()
        if value is not None
    }


def _shown(again: str, progress: bool | None) -> ShownRun:
    return ShownRun(again, log.info, log.warning, progress)


def _bots(given: AnyBot | Sequence[AnyBot] | None) -> list[AnyBot]:
    if given is None:
        return []
    if isinstance(given, str | PathLike | type | Bot):
        return [given]
    distinct: list[AnyBot] = []
    for bot in given:
        if bot in distinct:
            log.warning("%s is named twice and plays once", bot)
        else:
            distinct.append(bot)
    if not distinct:
        raise SettingsError("got no bots: name some, or leave the argument out for the default")
    return distinct


def _path_of(bot: object) -> str:
    if isinstance(bot, str | PathLike):
        return fspath(bot)
    raise SettingsError(
        f"got {bot!r:.80} as a bot, expected a name, or the path of a file or folder: a run starts "
        "its bots as programs, so write the class to a file, or play it with `in_process=True`"
    )


def _check_workers_know(variants: Sequence[str]) -> None:
    if unknown := [variant for variant in variants if is_only_here(variant)]:
        raise SettingsError(
            f"{unknown[0]} is registered in this process only, so the worker processes of a run "
            "cannot import it: install its package (`arena new --kind game` makes one), "
            "or play classes of bots, with `in_process=True` in a run"
        )


def _default_name(words: Sequence[str]) -> str:
    name = "+".join(words).replace("/", "-") or "all"
    return name if len(name) <= MAX_NAME_CHARS else "many"
