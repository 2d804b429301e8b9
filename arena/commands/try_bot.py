"""`arena try`: play games with a bot, and print its score and its worst games."""

import shlex
import sys
from collections.abc import Sequence

import click

from arena.base.record import GameRecord, Observations
from arena.check.fault_report import WIDTH, CardStyle, fault_card
from arena.check.trial import TrialReport, report_trial, trial_games
from arena.commands.common import (
    bot_named_argument,
    full_option,
    json_option,
    say_json,
    seed_option,
)
from arena.commands.table_options import ChosenTable, table_options
from arena.match.bot_log import LogLine
from arena.match.driver import watch_games
from arena.match.settings import MatchSettings
from arena.narration.telling import counted
from arena.terminal.bot_output import say_printed
from arena.terminal.console import notice, progress_bar, say, terminal
from arena.terminal.recorded_game import print_game
from arena.terminal.text_table import Column, print_table

MAX_GAMES = 100_000
WORST_GAMES = 3


@click.command("try")
@bot_named_argument
@table_options
@click.option(
    "--games",
    type=click.IntRange(1, MAX_GAMES),
    default=20,
    show_default=True,
    help="Number of games, rounded up so that each deal is played from every seat.",
)
@click.option(
    "--watch",
    metavar="N",
    type=click.IntRange(1, MAX_GAMES),
    help="Play only game number N, and show the game and the bot's output.",
)
@seed_option
@full_option
@json_option
@click.pass_context
def try_command(
    context: click.Context,
    bot: str,
    table: ChosenTable,
    games: int,
    watch: int | None,
    seed: int,
    full: bool,
    as_json: bool,
) -> None:
    """Play games with a bot and print its score.

    For each of the bot's worst results, the command prints how to replay the game. Similar
    faults are reported only once. With `--all`, every fault is printed in full, along with the
    bot's output. The exit code is 1 if the bot had a fault. If there are more opponents than
    seats, the opponents change from board to board.
    """
    settings = MatchSettings(table.contest.limits, table.sandbox)
    own, *others = table.seat(table.find(bot))
    variant = table.variant
    entrants = {entrant.name: entrant for entrant in [own, *others]}
    boards = -(-max(games, watch or 0) // variant.seats)
    schedule = list(trial_games(variant, [own, *others], boards, seed))
    if watch:
        schedule = schedule[watch - 1 : watch]
    printed: list[LogLine] = []
    played: list[tuple[GameRecord, Observations]] = []
    with progress_bar(len(schedule), 0, is_shown=False if as_json or watch else None) as progress:
        for game in watch_games(schedule, entrants, settings, on_log=printed.append):
            played.append(game)
            progress.update(1)
    played.sort(key=lambda game: int(game[0].key))
    report = report_trial([record for record, _ in played], variant, list(entrants))
    own_lines = [line for line in printed if line.bot == own.name]
    style = CardStyle(full, width=min(terminal().width, WIDTH))
    if as_json:
        say_json(report)
    elif watch:
        by_move: dict[int | None, list[str]] = {}
        for line in own_lines:
            by_move.setdefault(line.move, []).append(f"  | {line.text}")
        print_game(played[0][0], None, terminal(), by_move)
    else:
        _print(report)
        _report_faults(played, own.name, style)
        _print_worst([record for record, _ in played], own.name)
        say_printed(own.name, own_lines if full else (), notice)
    context.exit(1 if report.faults else 0)


def _print_worst(records: Sequence[GameRecord], name: str) -> None:
    seats = [record.entrants.index(name) for record in records]
    ranked = sorted(
        zip(records, seats, strict=True),
        key=lambda pair: (-pair[0].ranks[pair[1]], pair[0].points[pair[1]]),
    )
    say(f"\nworst games of {name}, with the commands that show them:")
    for record, seat in ranked[:WORST_GAMES]:
        place = f"place {record.ranks[seat]}, {counted(record.points[seat], 'point')}"
        command = shlex.join(["arena", *sys.argv[1:], "--watch", str(int(record.key) + 1)])
        say(f"  {place}: `{command}`")


def _print(report: TrialReport) -> None:
    played = [bot for bot in report.bots if bot.games]
    say("")
    print_table(
        [
            Column("bot", [bot.bot for bot in played], kind="text"),
            Column("points a game", [f"{bot.points_per_game:.2f}" for bot in played], 2),
            Column("wins", [str(bot.wins) for bot in played], 1),
            Column("games", [str(bot.games) for bot in played], 1),
            Column("faults", [str(bot.faults) for bot in played], 1),
        ]
    )
    say("score = average share of opponents finished ahead of; wins = games won or tied for first")
    if report.score is None:
        say(f"no score of {report.bot}, because no board is complete")
        return
    text = f"score of {report.bot}: {_percent(report.score)}"
    games = f"{report.games} games on {counted(report.boards, 'board')}"
    if not report.has_interval:
        say(f"{text} ({games}); no interval, because the teams are the same in all games")
    elif report.score_low is None or report.score_high is None:
        say(f"{text} ({games}); too few boards for an interval; play more --games")
    else:
        low, high = _percent(report.score_low), _percent(report.score_high)
        say(f"{text}, 95% interval {low} to {high} ({games})")


def _percent(share: float) -> str:
    return f"{round(100 * share)}%"  # an integer, so never -0


def _report_faults(
    played: Sequence[tuple[GameRecord, Observations]], name: str, style: CardStyle
) -> None:
    reported = set()
    for record, seen in played:
        for fault in record.faults_of(record.entrants.index(name)):
            if style.full or (fault.kind, fault.text) not in reported:
                reported.add((fault.kind, fault.text))
                say(f"\n{fault_card(record, fault, seen, style)}")
