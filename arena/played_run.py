"""The `Run` class, which gives Python programs and notebooks access to a run's results."""

import html
import io
import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from arena.base.errors import ArenaError, SettingsError
from arena.base.protocol import printable
from arena.base.record import GameRecord, read_record
from arena.check.fault_groups import FaultInGame, faults_of
from arena.contest.secret_file import read_secret
from arena.publish.layout import INDEX
from arena.rating.columns import COLUMNS, exported_values
from arena.rating.leaderboard import Leaderboard
from arena.terminal.console import terminal
from arena.terminal.leaderboard_table import leading_columns, print_leaderboard
from arena.tournament.database import Database
from arena.tournament.display_names import names_of, with_names
from arena.tournament.export import open_exported_run
from arena.tournament.finished_boards import finished_games
from arena.tournament.runs import open_source
from arena.tournament.settings import Settings
from arena.tournament.standings import (
    games_not_shown,
    rank,
    shown_games,
    unfinished_text,
    variants_of_run,
)
from arena.tournament.store import Store
from arena.tournament.verification import Verified, verify

BotName = str | PathLike[str]
"""The name of a registered bot, or the path of a Python file or of a folder with a `bot.toml`."""
log = logging.getLogger("arena")


class Run:
    """A run or an exported file."""

    def __init__(self, source: Path) -> None:
        self.source = source
        """The path of the run's folder or of an exported run."""

    def __repr__(self) -> str:
        return f"arena.open_run({str(self.source)!r})"

    def _repr_html_(self) -> str:
        return self.leaderboard()._repr_html_()

    @property
    def settings(self) -> Settings:
        """The settings that affect the run's results, such as `rounds`, `variants` and `limits`."""
        with self._open() as store:
            return store.settings()

    @property
    def bots(self) -> list[str]:
        with self._open() as store:
            names = names_of(store)
            return [names.shown(bot.name) for bot in store.settings().entrants]

    def leaderboard(self, variants: str | Sequence[str] = ()) -> "LeaderboardTable":
        """Return the leaderboard of the games played so far.

        Args:
            variants: Ids of the variants to include. By default, all variants are included.

        Raises:
            SettingsError: A variant is not part of the run.
        """
        chosen = [variants] if isinstance(variants, str) else variants
        with self._open() as store:
            board = with_names(rank(store, chosen), names_of(store))
            return LeaderboardTable(board, unfinished_text(store))

    def games(
        self,
        bot: BotName | None = None,
        *,
        variant: str | None = None,
        lost: bool | None = None,
        complete: bool = True,
    ) -> Iterator[GameRecord]:
        """Yield game records in schedule order.

        Args:
            bot: Only yield games of this bot, given by its name or the path of its file or folder.
            variant: Only yield games of this variant.
            lost: Only yield games that the bot or its team won (False) or did not win (True).
            complete: Whether to skip games of unfinished boards, with a warning.

        Raises:
            SettingsError: The bot or variant is not in the run, or a bot must be given to select
                games by result.
            StoreError: A record can't be read.
        """
        with self._open() as store:
            settings, names = store.settings(), names_of(store)
            name = None
            if bot is not None:
                name = names.find(fspath(bot))
            elif lost is not None:
                raise SettingsError(
                    "got `lost` without `bot`: name the bot whose lost games you want"
                )
            variants = variants_of_run(settings, [] if variant is None else [str(variant)])
            if complete and (others := games_not_shown(store)):
                log.warning(
                    f"skipped {others} games on unfinished boards: `complete=False` adds them"
                )

        def is_chosen(record: GameRecord) -> bool:
            if name not in (None, *record.entrants) or record.variant not in variants:
                return False
            seats = [seat for seat, other in enumerate(record.entrants) if name in (None, other)]
            return lost in (None, record.ranks[seats[0]] > 1)

        return filter(is_chosen, self._records(complete=complete))

    def _records(self, *, complete: bool) -> Iterator[GameRecord]:
        with self._open() as store:
            for game in shown_games(store) if complete else store.counting_games():
                yield read_record(game.record)

    def faults(self, bot: BotName | None = None) -> list[FaultInGame]:
        """Return the faults of bots, such as crashes and illegal actions, in schedule order.

        Games on unfinished boards are skipped.

        Args:
            bot: Only return faults of this bot, given by its name or the path of its file.

        Raises:
            SettingsError: The bot is not part of the run.
            StoreError: A record can't be read.
        """
        with self._open() as store:
            names = names_of(store)
            name = None
            if bot is not None:
                name = names.shown(names.find(fspath(bot)))
            faults = [
                fault
                for record, seen in finished_games(store)
                for fault in faults_of(with_names(record, names), seen)
            ]
        return [fault for fault in faults if name in (None, fault.bot)]

    def publish(self, folder: BotName, *, all_games: bool = False) -> Path:
        """Write the run's website and return the path of its home page.

        Args:
            folder: A new or empty folder, or a folder with an earlier version of the website.
            all_games: Create replays of all games. By default, replays are created only for
                notable games and games with faults.

        Raises:
            StoreError: The folder can't be written, or it contains other files.
        """
        from arena.publish.build import publish  # imported here because it is slow
        from arena.publish.site_folder import Site

        with self._open() as store, Site(Path(folder)) as site:
            publish(store, site, log.info, all_games=all_games)
        return Path(folder, INDEX)

    def verify(self, secret: BotName | None = None) -> Verified:
        """Replay all games to verify the run. Return the number of games and the run's digest.

        Args:
            secret: The path of the run's secret file. If an exported run has a secret, its deals
                are checked only if you pass the secret.

        Raises:
            ArenaError: A recomputed value differs from the recorded value.
        """
        chance = read_secret(Path(secret), is_public=True) if secret is not None else None
        opened: Database
        if self.source.is_dir():
            opened = Store.open(self.source)
        else:
            opened = open_exported_run(self.source, is_unchecked=True)
        with opened as store, store.snapshot():
            return verify(store, chance, log.info)

    def _open(self) -> Database:
        return open_source(self.source.parent, os.path.join(os.curdir, self.source), log.info)


class LeaderboardTable:
    """A leaderboard. It can be displayed as text or HTML, or converted to a pandas data frame."""

    def __init__(self, board: Leaderboard, unfinished: str = "") -> None:
        self.board = board
        """The complete leaderboard, with unrounded values."""
        self.unfinished = unfinished
        """A warning if the run is incomplete, otherwise an empty string."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Rows of the overall leaderboard, best bot first. Columns match `arena leaderboard --csv`.

        If the bots play different games, each game has its own rows, and the game's name is in
        the `table` column. Win shares, scores and confidence bounds are between 0 and 1. Values
        that require more boards are None.
        """
        return [
            {"table": table, **exported_values(row)}
            for table, rows in self.board.leading.items()
            for row in rows
        ]

    def to_pandas(self) -> Any:
        """Return the rows as a pandas data frame. Raise `ArenaError` if pandas is not installed."""
        return data_frame(self.rows)

    def __str__(self) -> str:
        text = io.StringIO()
        print_leaderboard(self.board, terminal(text), unfinished=self.unfinished)
        return text.getvalue()

    def _repr_html_(self) -> str:
        texts = [html.escape(declared.explanation) for declared in COLUMNS]
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
            tables.append(f"<p>{others} more games are on incomplete boards</p>")
        return "".join(tables)


def data_frame(rows: Iterable[Any], columns: Sequence[str] | None = None) -> Any:
    """Return the rows as a pandas data frame. Raise `ArenaError` if pandas is not installed."""
    try:
        import pandas  # type: ignore[import-untyped,unused-ignore]
    except ModuleNotFoundError:
        raise ArenaError(
            "a data frame needs pandas, which is not installed: `pip install pandas`"
        ) from None
    return pandas.DataFrame(list(rows), columns=columns)
