"""`arena try`: one game of a bot move by move, and the score of more games."""

import random
from collections.abc import Iterator, Sequence

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.check.fault_report import fault_card
from arena.check.replay import Replay
from arena.check.sandbox_probe import choose
from arena.commands.common import (
    against_option,
    interpreters_option,
    json_option,
    sandbox_option,
    say_json,
    variant_option,
)
from arena.commands.completers import complete_bots
from arena.contest.entrants import find_entrant, find_entrants, introduce, seat_together
from arena.contracts import Bounds
from arena.match.bot_log import LogLine
from arena.match.playing import play_games, watch_games
from arena.match.settings import MatchSettings
from arena.protocol import Limits, SeatFault, raw
from arena.rating.board_model import Score, fit_boards
from arena.rating.board_result import placement_scores
from arena.rating.board_shares import complete_shares
from arena.rating.board_sums import BoardSums
from arena.rating.intervals import Estimate, share_interval
from arena.record import Game, GameRecord, Observations
from arena.terminal.bot_output import BotOutput
from arena.terminal.console import notice, progress_bar, say, terminal
from arena.terminal.drawing import draw
from engine import Variant, get_variant

MAX_LINES = 20
"""Printed lines of the counted games that are shown, unless in full."""
MANY = 1e6
"""Degrees of freedom with which a t-interval is that of the normal distribution."""


class TriedBot(msgspec.Struct, frozen=True):
    """A bot in the games of `arena try`."""

    bot: str
    points_per_game: float
    wins: int
    """Games ranked first."""
    beaten: float
    """The share of the other sides that it beat."""
    faults: int


class TryReport(msgspec.Struct, frozen=True):
    """The JSON report of `arena try`. The score and its interval come from complete boards."""

    bot: str
    variant: str
    games: int
    score: float | None
    score_low: float | None
    score_high: float | None
    boards: int
    bots: list[TriedBot]
    faults: list[SeatFault]
    """Those of the bot."""


@click.command("try")
@click.argument("bot", metavar="NAME|PATH", shell_complete=complete_bots)
@against_option
@variant_option
@click.option("--games", type=click.IntRange(min=0), default=20, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@sandbox_option
@interpreters_option
@click.option("--quiet", is_flag=True, help="Do not show what the bot prints.")
@click.option("--full", is_flag=True, help="Print long lines and logs in full.")
@json_option
@click.pass_context
def try_bot(
    context: click.Context,
    bot: str,
    against: str,
    variant_id: str,
    games: int,
    seed: int,
    level: str,
    interpreters: tuple[str, ...],
    quiet: bool,
    full: bool,
    as_json: bool,
) -> None:
    """Show one game of a bot, then play more and print the score.

    What the bot prints is shown with the move for which it was asked; `--full` shows all of it.
    Faults of the same kind share one report. The exit code is 1 if the bot had a fault. JSON
    counts the game that is shown too.
    """
    variant = get_variant(variant_id)
    limits = Limits()
    sandbox = choose(level, Bounds(), (), notice)
    (own,) = introduce([find_entrant(bot, interpreters)], limits, sandbox)
    others = introduce(find_entrants(against.split(","), interpreters), limits, sandbox)
    settings = MatchSettings(limits, sandbox)
    seated = seat_together(own, others, variant)
    console = terminal()
    entrants = {entrant.name: entrant for entrant in seated}
    watched, *counted = list(_games(variant, list(entrants), games + 1, seed))
    if as_json:
        records = list(play_games([watched, *counted], entrants, settings))
        report = _report(records, variant, list(entrants))
        say_json(report)
        context.exit(1 if report.faults else 0)
    printed: list[LogLine] = []
    (shown,) = watch_games([watched], entrants, settings, on_log=printed.append)
    _watch(shown[0], console, [] if quiet else [one for one in printed if one.bot == own.name])
    played = [shown]
    if counted:
        output = BotOutput(own.name, notice, None if full else MAX_LINES)
        on_log = None if quiet else output.show
        with progress_bar(games, 0) as progress:
            for one in watch_games(counted, entrants, settings, on_log=on_log):
                played.append(one)
                progress.update(1)
        output.end()
        records = [record for record, _ in played]
        console.print()
        console.print(_score(records[1:], variant, list(entrants)))
        say("wins: games ranked first; beaten: share of the others beaten")
        say(_wins(records[1:], own.name, variant))
        say(_interval(records, variant, list(entrants)))
    if _report_faults(played, own.name, full):
        context.exit(1)


def _report_faults(
    played: Sequence[tuple[GameRecord, Observations]], name: str, full: bool
) -> bool:
    """Print the faults of bot `name`, those of the same kind once; return whether there are any."""
    reported = set()
    for record, seen in played:
        for fault in record.faults_of(_seat(record, name)):
            if (fault.kind, fault.text) not in reported:
                reported.add((fault.kind, fault.text))
                say(f"\n{fault_card(record, fault, seen, full)}")
    return bool(reported)


def _report(records: Sequence[GameRecord], variant: Variant, names: Sequence[str]) -> TryReport:
    """Return the report on the first of `names`."""
    own = _own_score(records, variant, names)
    games = len(records)
    bots = []
    for name in names:
        of_each = [_result(record, name, variant) for record in records]
        points, wins, beaten, faults = map(sum, zip(*of_each, strict=True))
        share = beaten / games / (len(variant.sides) - 1)
        bots.append(TriedBot(name, points / games, wins, share, int(faults)))
    return TryReport(
        bot=names[0],
        variant=variant.id,
        games=games,
        score=own.score,
        score_low=own.low,
        score_high=own.high,
        boards=own.boards,
        bots=bots,
        faults=[one for record in records for one in record.faults_of(_seat(record, names[0]))],
    )


def _games(variant: Variant, names: Sequence[str], number: int, seed: int) -> Iterator[Game]:
    """Yield games on boards, so that all bots get the same cards."""
    n = variant.seats
    for index in range(number):
        board, rotation = divmod(index, n)
        deal = raw(variant.deal(random.Random(f"try {seed} {board}")))
        dice = random.Random(f"try {seed} {index}")
        yield Game(
            key=str(index),
            variant=variant.id,
            board=board + 1,
            rotation=rotation,
            deal=deal,
            entrants=tuple([names[(seat - rotation) % n] for seat in range(n)]),
            seeds=tuple([dice.getrandbits(32) for _ in names]),
        )


def _watch(record: GameRecord, console: Console, printed: Sequence[LogLine]) -> None:
    """Print a game move by move, with what a bot has `printed` before each move."""
    by_move: dict[int | None, list[str]] = {}
    for line in printed:
        by_move.setdefault(line.move, []).append(f"  | {line.text}")
    replay = Replay(record)
    console.print(draw(replay.state, replay.names, None))
    for move in range(1, replay.moves + 1):
        replay.go(move)
        for line in [*by_move.get(move - 1, ()), *replay.told()]:
            console.print(Text(line))
    if between := by_move.get(None):
        for text in [f"{printed[0].bot} printed when it was not asked:", *between]:
            console.print(Text(text))
    console.print(draw(replay.state, replay.names, None))


def _wins(records: Sequence[GameRecord], name: str, variant: Variant) -> str:
    """Return the games that bot `name` has won, with Wilson's interval of their share."""
    wins = sum([_result(record, name, variant)[1] for record in records])
    games = len(records)
    interval = share_interval(Estimate(wins / games, 0.0, MANY), games)
    assert interval
    low, high = interval
    return f"{name} wins {wins} of {games}, {100 * low:.0f}-{100 * high:.0f} % at 95 %"


def _score(records: Sequence[GameRecord], variant: Variant, names: Sequence[str]) -> Table:
    table = Table(box=None, header_style="bold")
    table.add_column(f"{len(records)} games")
    for heading in ("points a game", "wins", "beaten", "faults"):
        table.add_column(heading, justify="right")
    for name in names:
        of_each = [_result(record, name, variant) for record in records]
        points, wins, beaten, faults = map(sum, zip(*of_each, strict=True))
        games = len(records)
        table.add_row(
            Text(name),
            f"{points / games:.2f}",
            f"{wins / games:.0%}",
            f"{beaten / games / (len(variant.sides) - 1):.0%}",
            str(faults),
        )
    return table


def _interval(records: Sequence[GameRecord], variant: Variant, names: Sequence[str]) -> str:
    """Return the score of the first of `names` with its interval, from complete boards.

    The game that was watched belongs to the first board.
    """
    own = _own_score(records, variant, names)
    if own.score is None:
        return f"no score of {own.bot} yet: no board of {variant.seats} games is complete"
    text = f"score of {own.bot}: {_percent(own.score)}"
    if not own.compared_with:
        return f"{text}; there is no interval, since the teams are the same in all games"
    if own.low is None or own.high is None:
        return f"{text}; too few boards for an interval, play more --games"
    low, high = _percent(own.low), _percent(own.high)
    return f"{text}, between {low} and {high} at 95 % ({own.boards} boards)"


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"  # an integer, so never -0


def _own_score(records: Sequence[GameRecord], variant: Variant, names: Sequence[str]) -> Score:
    """Return the score of the first of `names`, from complete boards."""
    by_board = sorted(records, key=lambda record: record.board)
    boards = complete_shares(by_board, {variant.id: variant})
    scores = {one.bot: one for one in fit_boards(BoardSums(names, boards)).scores}
    return scores[names[0]]


def _result(record: GameRecord, name: str, variant: Variant) -> tuple[int, int, float, int]:
    """Return the points of bot `name`, its wins (0 or 1), the sides it beat, and its faults."""
    seat = _seat(record, name)
    scores = dict(zip(variant.sides, placement_scores(record.ranks, variant.sides), strict=True))
    beaten = next(score for side, score in scores.items() if seat in side)
    return record.points[seat], record.ranks[seat] == 1, beaten, len(record.faults_of(seat))


def _seat(record: GameRecord, name: str) -> int:
    return record.entrants.index(name)
