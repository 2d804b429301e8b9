"""Data for the leaderboard and bot pages, with either real names or pseudonyms."""

import hashlib
import hmac
from collections.abc import Mapping
from typing import NamedTuple

from arena.contest.run_roster import Names
from arena.extras.serve.ladder.bot_results import BotResults
from arena.extras.serve.ladder.ladder_files import LadderState, StandingsFile
from arena.extras.serve.people import PublicName
from arena.extras.serve.server_database import iso_time
from arena.publish.pages import (
    LeadingRow,
    VariantLine,
    leading_rows_of,
    legend_of,
    lines,
    variant_lines,
    verdict_of,
)
from arena.rating.leaderboard import OVERALL
from arena.tournament.display_names import with_names


class BotNames:
    def __init__(
        self,
        board: StandingsFile,
        public: Mapping[str, PublicName],
        secret: bytes | None = None,
    ) -> None:
        """Choose the display names of the bots on a leaderboard.

        `public` maps the ids of students on the roster to their public names. Students who are
        not on the roster get pseudonyms derived from `secret`, or keep their real names if
        `secret` is None.
        """
        known = dict(public)
        for student, name in board.students.items():
            if student not in known:
                known[student] = _unlisted(student, secret) if secret else PublicName(student, name)
        shown = {bot: known.get(bot, PublicName(bot, bot)) for bot in board.bots}
        self.in_run = Names(shown, {bot: name.name for bot, name in shown.items()})
        self._link_ids = {bot: name.id for bot, name in shown.items()}
        self._ids = {name.id: bot for bot, name in shown.items()}

    def name(self, bot: str) -> str:
        return self.in_run.shown(bot)

    def id_of(self, link_id: str) -> str | None:
        return self._ids.get(link_id)

    def link(self, bot: str) -> str:
        return f"bots/{self._link_ids[bot]}" if bot in self._link_ids else ""

    def link_of_name(self, name: str) -> str:
        return self.link(self.in_run.id_of(name))


def _unlisted(student: str, secret: bytes) -> PublicName:
    digits = hmac.new(secret, f"pseudonym {student}".encode(), hashlib.sha256).hexdigest()[:8]
    return PublicName(f"bot-{digits}", f"Bot {digits}")


# -- contents of the pages of the ladder, as plain data ----------------------------------------


class StandingsContent:
    def __init__(self, board: StandingsFile, state: LadderState | None, names: BotNames) -> None:
        named = with_names(board.board, names.in_run)
        self.board = board
        self.title = "Final" if board.is_final else "Ladder"
        self.status = status_of(board, state)
        self.is_playing = _is_playing(board, state)
        self.verdict = verdict_of(named)
        self.legend = legend_of(named)
        self.lines = lines(named.overall, {}, self.legend.certificate)
        self.variants = [
            (table, lines(rows, {}, (legend := legend_of(named, table)).certificate), legend)
            for table, rows in named.tables.items()
            if table != OVERALL
        ]
        self.made = iso_time(board.made)


class BotContent(NamedTuple):
    id: str
    name: str
    leading: list[LeadingRow]
    variants: list[VariantLine]
    results: BotResults
    board: StandingsFile


def bot_content(board: StandingsFile, bot: str, names: BotNames) -> BotContent | None:
    named = with_names(board.board, names.in_run)
    name = names.name(bot)
    leading = leading_rows_of(name, named)
    if bot not in board.bots or not leading:
        return None
    results = board.bots[bot]
    tables = {variant: lines(rows, {}) for variant, rows in named.variants.items()}
    return BotContent(
        id=bot,
        name=name,
        leading=leading,
        variants=variant_lines(name, tables, results.times),
        results=results,
        board=board,
    )


def status_of(board: StandingsFile, state: LadderState | None) -> str:
    games = f"{board.board.games:,} games"
    if board.is_over and _is_playing(board, state):
        return f"{games} have been played, and more are in progress."
    if board.is_over:
        if _is_certain(board):
            return f"The order is certain after {games}."
        return f"All {games} have been played."
    if _is_playing(board, state):
        most = "at most " if board.may_end_early else ""
        return f"{games} of {most}{board.scheduled:,} have been played; more are in progress."
    return f"{games} are played."


def _is_playing(board: StandingsFile, state: LadderState | None) -> bool:
    return bool(state and state.activity == "playing" and state.run == board.run)


def _is_certain(board: StandingsFile) -> bool:
    certificates = board.board.certificate or {}
    return bool(certificates) and all(each.is_certain for each in certificates.values())
