"""The Python interface: tournaments, comparisons and single games from scripts and notebooks.

Its names are those of the package: `import arena`, then `arena.run(...)`. Each name is loaded when
it is used. Times are in milliseconds, sizes in MiB, scores and shares between 0 and 1.
"""

import html
import io
import logging
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from arena.base.errors import ArenaError, SettingsError
from arena.base.protocol import printable
from arena.base.record import GameRecord, read_record
from arena.bot import Bot
from arena.contest.contest_file import checked_setting, contest_at, read_contest
from arena.contest.lineup import Wanted
from arena.contest.secret_file import read_secret
from arena.contest.settings import QUICK, Contest, checked_run_name, override
from arena.publish.layout import DEFAULT_SAMPLE, INDEX, read_choice
from arena.publish.shown_run import ShownRun
from arena.rating.columns import exported_values, terminal_columns
from arena.rating.leaderboard import Leaderboard
from arena.terminal.console import terminal
from arena.terminal.leaderboard_table import leading_columns, print_leaderboard
from arena.tournament.comparison import ComparisonResult
from arena.tournament.comparison_run import ComparisonRequest, compare_versions
from arena.tournament.contest_run import RunObserver, RunRequest, play_contest
from arena.tournament.database import Database
from arena.tournament.executors.plugin import executor_of
from arena.tournament.export import Export, open_export
from arena.tournament.game_rows import DecisionRow, SeatRow, decision_rows, seat_rows
from arena.tournament.play_game import known_variant
from arena.tournament.run_names import names_of, with_names
from arena.tournament.runs import open_source
from arena.tournament.settings import Settings
from arena.tournament.standings import games_not_shown, rank, shown_games
from arena.tournament.store import DATABASE, Store
from arena.tournament.verification import Verified, verify_export, verify_run
from engine.errors import unknown
from engine.plugins import BUILT_IN_GAMES

BotName = str | PathLike[str]
"""A registered bot by its name, or a Python file or a folder with `bot.toml` by its path."""
log = logging.getLogger("arena")
"""Gets what `arena run` says of a run: as INFO, and bots that are left out as WARNING."""
MAX_NAME_CHARS = 60
"""Length of the name that a run gets for its variants."""
MAX_DIFFERENCES = 5
"""Differences of a verification that an error lists."""


def run(  # noqa: PLR0913  # by keyword, each with a default: the common options of `arena run`
    variants: str | Sequence[str] = (),
    bots: Sequence[BotName | type[Bot] | Bot] = (),
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
    """Play a tournament, as `arena run` does, and return it.

    The same call resumes a run that was stopped. With more rounds or variants, or after a bot was
    changed, it plays only the new games. When a bot joins, most games stay.

    Args:
        variants: ids of variants such as `pot-de-vin/3`, or names of games, which stand for all
            their variants. Empty means those of `contest`, or all.
        bots: names of registered bots, Python files and folders with `bot.toml`; with `in_process`
            also classes of bots, and objects, which play all their games. Empty means those
            of `contest`, or all quick registered bots.
        in_process: play bots in Python, which you trust, in forks of this process instead of in
            processes of their own: sooner, without limits and sandbox, as the run then says. With
            `workers=1` they play in this process.
        rounds: games of each bot in each variant; 60 by default.
        name: the name of the run. By default it is made of `variants`: `pot-de-vin-3`.
        results: the folder of all runs; `results` by default.
        seed: deals from this number, so that the run can be repeated. By default they follow from
            a secret that the run draws, which bots cannot predict.
        workers: worker processes; by default one for each core.
        sandbox: `none`, `limits`, `isolated`, or `auto` for the strongest that works here.
        progress: whether there is a progress bar on stderr; by default in terminals and notebooks.
        contest: a contest's folder or its `contest.toml`. The other arguments override it.
        settings: other settings by their keys in `contest.toml`, such as
            `{"until": "certain", "limits.move_ms": 500}`.
        observer: is told of the run instead of `progress` and the log.

    Raises:
        SettingsError: a setting is unknown or wrong, or does not fit to the run so far.
        BotError: a bot does not exist or does not start.
        RunStopped: the user pressed Ctrl-C, or interrupted the kernel. The games played are kept.
        ArenaError: another reason for which the run cannot be played, such as a full disk.
    """
    words = [variants] if isinstance(variants, str) else list(variants)
    file = contest_at(Path(contest)) if contest is not None else None
    options = _options(
        {
            "variants": [word for word in words if "/" in word] or None,
            "games": [word for word in words if "/" not in word] or None,
            "entrants.bots": [_path_of(bot) for bot in bots if not in_process] or None,
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
    chosen.stop_rule()  # refuses wrong settings before bots are started
    name = checked_run_name(chosen.name or _default_name(words))
    folder = Path(chosen.results, name)
    observer = observer or _shown(f"the same call, or with name={name!r}", progress)
    if in_process:
        from arena.tournament.trusted_bots import ForkedWorkers, trusted_bots

        trusted = trusted_bots([_trusted(bot) for bot in bots] or chosen.entrants.bots or [QUICK])
        forks = ForkedWorkers(trusted.makers, chosen.machine.workers)
        request = RunRequest(chosen, folder, file, options.keys(), trusted=trusted.entrants)
        play_contest(request, observer, forks)
        return Run(folder)
    with executor_of(chosen.machine, folder, observer.notice) as executor:
        if not (folder / DATABASE).is_file():  # a run that is resumed may lack no game
            executor.wake((*chosen.variants, *chosen.games) or (*BUILT_IN_GAMES,))
        play_contest(RunRequest(chosen, folder, file, options.keys()), observer, executor)
    return Run(folder)


def open_run(source: BotName, results: BotName = "results") -> "Run":
    """Return a run that was played, or an exported file.

    Args:
        source: the name of a run, the path of its folder, or the path of a file from
            `arena export`.
        results: the folder of all runs, for a run that is named.

    Raises:
        StoreError: there is no such run or file, or it cannot be read.
        SettingsError: `source` cannot be the name of a run.
    """
    with open_source(Path(results), fspath(source), log.info) as store:
        return Run(store.folder if isinstance(store, Store) else Path(source))


def compare(  # noqa: PLR0913  # by keyword, each with a default: the options of `arena compare`
    old: BotName,
    new: BotName,
    variant: str = "pot-de-vin/3",
    *,
    against: Sequence[BotName] = (),
    budget: int = 1000,
    folder: BotName | None = None,
    seed: int | None = None,
    workers: int | None = None,
    sandbox: str | None = None,
    progress: bool | None = None,
    settings: Mapping[str, object] | None = None,
    observer: RunObserver | None = None,
) -> ComparisonResult:
    """Return whether `new` is better than `old`, as `arena compare` says it.

    Both sit in the same seats of the same boards, until the answer is certain at 95 %. The
    `verdict` of the result is `better`, `not better`, or `undecided` after `budget` boards.

    Args:
        old: a version of a bot: a registered name, Python file, zip file or folder.
        new: another version of it.
        variant: the id of the variant.
        against: the bots that both meet; by default all quick registered bots that play the game.
        budget: boards after which the comparison ends without a verdict.
        folder: the folder of the comparison, which the same call resumes. By default a new one in
            `results`, named for the time.

    The other parameters are those of `run`.

    Raises:
        BotError: a bot does not exist or does not start, or both have the same code.
        SettingsError: a setting is wrong, or `folder` has another comparison.
        RunStopped: the user pressed Ctrl-C, or interrupted the kernel. The games played are kept.
        ArenaError: another reason for which the games cannot be played.
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
    where = Path(folder or Path(contest.results, time.strftime("compare-%Y-%m-%d-%H%M%S")))
    names = [_path_of(bot) for bot in against]
    wanted = Wanted(_path_of(old), _path_of(new), names, known_variant(variant))
    observer = observer or _shown(f"the same call with folder={str(where)!r}", progress)
    return compare_versions(ComparisonRequest(wanted, contest, where, budget), observer)


class Run:
    """A run that was played, is being played or was exported; its records are read when asked for.

    In a notebook it is shown as its leaderboard.
    """

    def __init__(self, source: Path) -> None:
        """Take the folder of a run or an exported file; `arena.open_run` checks that it is one."""
        self.source = source
        """The folder of the run, or the exported file."""

    def __repr__(self) -> str:
        return f"arena.open_run({str(self.source)!r})"

    def _repr_html_(self) -> str:
        return self.leaderboard()._repr_html_()

    @property
    def settings(self) -> Settings:
        """Everything that the results depend on: `rounds`, `variants`, `entrants`, `limits`..."""
        with self._open() as store:
            return store.settings()

    @property
    def bots(self) -> list[str]:
        """The names of the bots."""
        with self._open() as store:
            names = names_of(store)
            return [names.shown(bot.name) for bot in store.settings().entrants]

    def leaderboard(self, variants: str | Sequence[str] = ()) -> "LeaderboardTable":
        """Return the leaderboard of the games so far.

        Args:
            variants: the ids of the variants that count; empty counts all.

        Raises:
            SettingsError: the run has no such variant.
        """
        chosen = [variants] if isinstance(variants, str) else variants
        with self._open() as store:
            return LeaderboardTable(with_names(rank(store, chosen), names_of(store)))

    def games(
        self,
        bot: BotName | None = None,
        *,
        variant: str | None = None,
        lost: bool | None = None,
        faults: bool | None = None,
        complete: bool = True,
    ) -> Iterator[GameRecord]:
        """Yield the records of games in schedule order.

        Args:
            bot: only games of this bot: its name, or the path of its file or folder.
            variant: only games of this variant.
            lost: only games in which the side of `bot` was not first, or with False those in which
                it was.
            faults: only games with a fault of `bot` (without `bot`, of any bot), or with False only
                those without one.
            complete: only games of boards that are over, which count. A warning says how many
                others there are. With False, these too.

        Raises:
            SettingsError: the run has no such bot or variant, or `lost` is given without `bot`.
            StoreError: a record cannot be read.
        """
        with self._open() as store:
            settings, names = store.settings(), names_of(store)
            name = None
            if bot is not None:
                name = _bot_of(settings, names.id_of(fspath(bot)))
            elif lost is not None:
                raise SettingsError("got `lost` without a bot, expected `bot` too: whose games?")
            if variant not in (None, *settings.variants):
                raise SettingsError(unknown("variant of the run", str(variant), settings.variants))
            if complete and (others := games_not_shown(store)):
                log.warning(
                    f"{others} games of boards that are not over are left out: `complete=False` "
                    "adds them"
                )

        def is_chosen(record: GameRecord) -> bool:
            if name not in (None, *record.entrants) or variant not in (None, record.variant):
                return False
            seats = [seat for seat, other in enumerate(record.entrants) if name in (None, other)]
            has_faults = any(record.faults_of(seat) for seat in seats)
            return lost in (None, record.ranks[seats[0]] > 1) and faults in (None, has_faults)

        return filter(is_chosen, self._records(complete=complete))

    def _records(self, *, complete: bool) -> Iterator[GameRecord]:
        with self._open() as store:
            for game in shown_games(store) if complete else store.counting_games():
                yield read_record(game.record)

    def games_frame(self, bot: BotName | None = None, **chosen: Any) -> Any:
        """Return a `pandas.DataFrame` with a row for each seat of each game.

        Its columns are the fields of `arena.tournament.game_rows.SeatRow`.

        Args:
            bot: as in `games`; the other seats of these games are rows too.
            **chosen: as in `games`.

        Raises:
            ArenaError: pandas is not installed, or an error of `games`.
        """
        return _frame(seat_rows(self.games(bot, **chosen)), SeatRow._fields)

    def decisions_frame(self, bot: BotName | None = None, **chosen: Any) -> Any:
        """Return a `pandas.DataFrame` with a row for each decision of each game, as `games_frame`.

        Its columns are the fields of `arena.tournament.game_rows.DecisionRow`.
        """
        return _frame(decision_rows(self.games(bot, **chosen)), DecisionRow._fields)

    def publish(self, folder: BotName, games: str = f"sample:{DEFAULT_SAMPLE}") -> Path:
        """Write the web site of the run, and return its first page.

        Args:
            folder: a folder that is new, empty or of an earlier site.
            games: which games get replays: `all`, `faults`, or those with faults and `sample:N`.

        Raises:
            SettingsError: `games` is something else.
            StoreError: the folder cannot be written, or has something else in it.
        """
        from arena.publish.build import publish  # not above: it imports much
        from arena.publish.site_folder import Site

        with self._open() as store, Site(Path(folder)) as site:
            publish(store, site, read_choice(games), log.info)
        return Path(folder, INDEX)

    def verify(self, secret: BotName | None = None) -> Verified:
        """Check the run as `arena verify` does, and return the number of `games` and the `digest`.

        All games are replayed. Schedule, deals, leaderboard and digest are computed again.

        Args:
            secret: the file of the run's secret, to check the deals of an exported file.

        Raises:
            ArenaError: something is not as it was played. The text lists the first differences.
        """
        chance = read_secret(Path(secret), is_public=True) if secret is not None else None
        if self.source.is_dir():
            with Store.open(self.source) as store, store.snapshot():
                verified = verify_run(store, chance)
        else:
            with open_export(self.source) as file:
                verified = verify_export(Export(file, str(self.source)), chance)
        for text in verified.notices:
            log.info(text)
        differences = [*verified.in_games, *verified.in_run]
        if differences:
            shown = "; ".join(map(str, differences[:MAX_DIFFERENCES]))
            more = len(differences) - MAX_DIFFERENCES
            raise ArenaError(
                f"{self.source} is not as it was played: {shown}"
                + (f"; and {more} more differences" if more > 0 else "")
            )
        return verified

    def _open(self) -> Database:
        return open_source(self.source.parent, os.path.join(os.curdir, self.source), log.info)


class LeaderboardTable:
    """A leaderboard: text as in a terminal, HTML in a notebook, rows, or a data frame of pandas."""

    def __init__(self, board: Leaderboard) -> None:
        """Take a leaderboard with the names that it shows."""
        self.board = board
        """The tables of the run and of each variant, with all their figures."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the overall table, the best first, as `arena leaderboard --csv`.

        If the bots play different games, there is no overall table: these are the rows of each
        game, one game after the other, with its name as `table`. Shares, scores and bounds are
        between 0 and 1. What too few boards say nothing of is None.
        """
        return [
            {"table": table, **exported_values(row)}
            for table, rows in self.board.leading.items()
            for row in rows
        ]

    def to_pandas(self) -> Any:
        """Return `rows` as a `pandas.DataFrame`. Raises `ArenaError` if pandas is not installed."""
        return _frame(self.rows)

    def __str__(self) -> str:
        text = io.StringIO()
        print_leaderboard(self.board, terminal(text))
        return text.getvalue()

    def _repr_html_(self) -> str:
        texts = [html.escape(declared.explanation) for declared in terminal_columns()]
        tables = []
        for table, columns in leading_columns(self.board).items():
            names = [html.escape(column.heading) for column in columns]
            pairs = zip(texts, names, strict=True)
            head = "".join([f'<th title="{text}">{name}</th>' for text, name in pairs])
            lines = zip(*[column.cells for column in columns], strict=True)
            cells = [
                [f"<td>{html.escape(printable(cell))}</td>" for cell in line] for line in lines
            ]
            body = "".join([f"<tr>{''.join(line)}</tr>" for line in cells])
            title = "" if self.board.overall else f"<caption>{html.escape(table)}</caption>"
            tables.append(
                f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
            )
        if others := self.board.games_left_out:
            tables.append(f"<p>{others} more games of incomplete boards do not count yet</p>")
        return "".join(tables)


def _frame(rows: Iterable[Any], columns: Sequence[str] | None = None) -> Any:
    try:
        import pandas  # type: ignore[import-untyped,unused-ignore]
    except ModuleNotFoundError:
        raise ArenaError(
            "a data frame needs pandas, which is not installed: `pip install pandas`"
        ) from None
    return pandas.DataFrame(list(rows), columns=columns)


# -- what is given -----------------------------------------------------------------------------


def _options(given: Mapping[str, object]) -> dict[str, Any]:
    """Return the settings that are given, checked. Raises `SettingsError`."""
    return {
        key: checked_setting(key, fspath(value) if isinstance(value, PathLike) else value)
        for key, value in given.items()
        if value is not None
    }


def _shown(again: str, progress: bool | None) -> ShownRun:
    return ShownRun(again, log.info, log.warning, progress)


def _path_of(bot: object) -> str:
    """Return the name or path of a bot. Raises `SettingsError` for what is neither."""
    if isinstance(bot, str | PathLike):
        return fspath(bot)
    raise SettingsError(
        f"got {bot!r:.80} as a bot, expected a name, or the path of a file or folder: a run starts "
        "its bots as programs, so write the class to a file, or play it with `in_process=True`"
    )


def _trusted(bot: BotName | type[Bot] | Bot) -> str | type[Bot] | Bot:
    return fspath(bot) if isinstance(bot, PathLike) else bot


def _default_name(words: Sequence[str]) -> str:
    name = "+".join(words).replace("/", "-") or "all"
    return name if len(name) <= MAX_NAME_CHARS else "many"


def _bot_of(settings: Settings, wanted: str) -> str:
    """Return the id of a bot of the run by its name or path. Raises `SettingsError`."""
    names = [entrant.name for entrant in settings.entrants]
    if wanted in names:
        return wanted
    path = Path(wanted).resolve()
    for entrant in settings.entrants:
        if path in (Path(entrant.origin), *[Path(entrant.origin, file) for file in entrant.files]):
            return entrant.name
    raise SettingsError(unknown("bot of the run", wanted, names))
