"""`arena try`: games of a bot on boards, the first move by move, and its score."""

from collections.abc import Sequence

import click
from rich.console import Console
from rich.text import Text

from arena.base.record import GameRecord, Observations
from arena.check.fault_report import WIDTH, CardStyle, fault_card
from arena.check.trial import TrialReport, report_trial, trial_games
from arena.commands.common import (
    bot_named_argument,
    full_option,
    json_option,
    quiet_option,
    say_json,
    seed_option,
)
from arena.commands.table_options import ChosenTable, table_options
from arena.match.bot_log import LogLine
from arena.match.playing import play_games, watch_games
from arena.match.transport import MatchSettings
from arena.narration.telling import counted
from arena.terminal.bot_output import BotOutput
from arena.terminal.console import notice, progress_bar, say, terminal
from arena.terminal.drawing import draw
from arena.terminal.recorded_game import Replay
from arena.terminal.text_table import Column, print_table

MAX_LINES = 20
"""Printed lines of the counted games that are shown, unless in full."""


@click.command("try")
@bot_named_argument
@table_options
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Games, rounded up to complete boards: on each, the bot sits once in every seat.",
)
@seed_option
@quiet_option
@full_option
@json_option
@click.pass_context
def try_command(
    context: click.Context,
    bot: str,
    table: ChosenTable,
    games: int,
    seed: int,
    quiet: bool,
    full: bool,
    as_json: bool,
) -> None:
    """Show one game of a bot, then play more and print the score.

    What the bot prints is shown with the move for which it was asked; `--all` shows all of it.
    Faults of the same kind share one report. The exit code is 1 if the bot had a fault. The game
    that is shown counts like the others. Opponents that do not all fit the table take turns.
    """
    variant = table.variant
    settings = MatchSettings(table.contest.limits, table.sandbox)
    own, *others = table.seat(table.find(bot))
    bots = [own, *others]
    entrants = {entrant.name: entrant for entrant in bots}
    boards = -(-games // variant.seats)
    schedule = list(trial_games(variant, bots, boards, seed))
    if as_json:
        records = list(play_games(schedule, entrants, settings))
        report = report_trial(records, variant, list(entrants))
        say_json(report)
        context.exit(1 if report.faults else 0)
    output = BotOutput(own.name, notice, None if full else MAX_LINES)
    printed: list[LogLine] = []
    on_log = None if quiet else printed.append
    played: list[tuple[GameRecord, Observations]] = []
    with progress_bar(len(schedule), 0) as progress:
        for part in (schedule[:1], schedule[1:]):
            for record, seen in watch_games(part, entrants, settings, on_log=on_log):
                of_game = [line for line in printed if line.game and line.game.key == record.key]
                if not played:
                    _watch(record, terminal(), [line for line in printed if line.bot == own.name])
                elif not record.faults_of(record.entrants.index(own.name)):
                    for line in of_game:  # otherwise the card has the last ones
                        output.show(line)
                played.append((record, seen))
                printed[:] = [  # of the games that are still under way
                    line for line in printed if line.game and line.game.key != record.key
                ]
                progress.update(1)
    output.end()
    _print(report_trial([record for record, _ in played], variant, list(entrants)))
    style = CardStyle(full, width=min(terminal().width, WIDTH))
    if _report_faults(played, own.name, style, is_watched=not quiet):
        context.exit(1)


def _watch(record: GameRecord, console: Console, printed: Sequence[LogLine]) -> None:
    """Print a game move by move, with what a bot has `printed` before each move."""
    by_move: dict[int | None, list[str]] = {}
    for line in printed:
        by_move.setdefault(line.move, []).append(f"  | {line.text}")
    replay = Replay(record)
    console.print(draw(replay.state, replay.names, None))
    for move in range(1, replay.moves + 1):
        replay.go(move)
        for text in [*by_move.get(move - 1, ()), *replay.told()]:
            console.print(Text(text))
    if between := by_move.get(None):
        for text in [f"{printed[0].bot} printed when it was not asked:", *between]:
            console.print(Text(text))
    console.print(draw(replay.state, replay.names, None))


def _print(report: TrialReport) -> None:
    """Print the figures of all bots, and the score of the one with its interval."""
    played = [bot for bot in report.bots if bot.games]
    say("")
    print_table(
        [
            Column("bot", [bot.bot for bot in played], kind="text"),
            Column("score", ["-" if bot.score is None else _percent(bot.score) for bot in played]),
            Column("points a game", [f"{bot.points_per_game:.2f}" for bot in played], 2),
            Column("wins", [str(bot.wins) for bot in played], 1),
            Column("games", [str(bot.games) for bot in played], 1),
            Column("faults", [str(bot.faults) for bot in played], 1),
        ]
    )
    say("score: the share of opponents placed before; wins: games ranked first")
    if report.score is None:
        say(f"no score of {report.bot}: no board is complete")
        return
    text = f"score of {report.bot}: {_percent(report.score)}"
    games = f"{report.games} games on {counted(report.boards, 'board')}"
    if not report.has_interval:
        say(f"{text} ({games}); the teams are the same in all games, so there is no interval")
    elif report.score_low is None or report.score_high is None:
        say(f"{text} ({games}); too few boards for an interval, play more --games")
    else:
        low, high = _percent(report.score_low), _percent(report.score_high)
        say(f"{text}, between {low} and {high} at 95 % ({games})")


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"  # an integer, so never -0


def _report_faults(
    played: Sequence[tuple[GameRecord, Observations]],
    name: str,
    style: CardStyle,
    *,
    is_watched: bool,
) -> bool:
    """Print the faults of bot `name`, those of the same kind once; return whether there are any.

    The log of the first game is on the screen already if it `is_watched`.
    """
    reported = set()
    for number, (record, seen) in enumerate(played):
        for fault in record.faults_of(record.entrants.index(name)):
            if (fault.kind, fault.text) not in reported:
                reported.add((fault.kind, fault.text))
                log = style.full or number > 0 or not is_watched
                say(f"\n{fault_card(record, fault, seen, style._replace(log=log))}")
    return bool(reported)
