"""Trials: boards of a bot against bots of the student's choice, before it is handed in."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from arena.check.examination import Checked
from arena.check.fault_file import FaultFile
from arena.check.trial import TrialReport, report_trial, seat_opponents, trial_games
from arena.contest.entrants import find_entrants, introduce
from arena.contest.packages import equip
from arena.contest.reader import Reader
from arena.contest.settings import Contest, chosen_variants
from arena.contracts import SandboxSettings
from arena.match.dispatcher import Dispatcher
from arena.match.driver import Driver
from arena.match.referee import Ending, record_of, start_game
from arena.match.transport import MatchSettings
from arena.protocol import SeatFault
from arena.publish.pages import variant_title
from arena.record import Entrant, Game, GameRecord
from engine import get_variant

MAX_VARIANTS = 3
"""The variants that a trial plays."""
BOARDS = 4
"""The boards of each."""


def play_trial(
    bot: Entrant, against: Sequence[str], contest: Contest, sandbox: SandboxSettings
) -> Iterator[Checked]:
    """Yield the result in each variant, as a step of the check.

    Args:
        bot: the bot, which has passed the check.
        against: the names of installed bots, which take turns.
        contest: has the variants and the limits.
        sandbox: that of the bot.

    Raises:
        BotError: a bot does not start.
    """
    with Reader() as reader:
        own = equip(bot, contest.packages, reader)
    entrants = [own, *find_entrants(against, contest.entrants.interpreters)]
    own, *others = introduce(entrants, contest.limits, sandbox)
    settings = MatchSettings(contest.limits, sandbox, tables=1, always_charge=True)
    chosen = [get_variant(name) for name in chosen_variants(contest.variants, contest.games)]
    for variant in [variant for variant in chosen if own.plays(variant.game)][:MAX_VARIANTS]:
        able = [other for other in others if other.plays(variant.game)]
        if able:
            bots = seat_opponents(own, able, variant)
            games = list(trial_games(variant, bots, BOARDS, seed=0))
            with Driver(Dispatcher({each.name: each for each in bots}, settings)) as driver:
                records = [record for record, _ in driver.play_all(games)]
            names = [each.name for each in bots]
            yield _step(report_trial(records, variant, names))


def _step(report: TrialReport) -> Checked:
    bots = [
        f"{bot.bot} {bot.points_per_game:.1f} points a game, {bot.wins} wins of {bot.games}"
        for bot in report.bots
    ]
    title = variant_title(get_variant(report.variant))
    return Checked(f"plays {report.boards} boards of {title}", "passed", "; ".join(bots))


def record_of_fault(file: FaultFile) -> GameRecord:
    """Return the record of the game of a fault, which stand-ins play on to its end.

    Raises:
        EngineError: the game cannot be played again.
    """
    game = file.games[file.faulty]
    state = start_game(game.variant, game.deal)
    actions = list(game.actions)
    for action in actions:
        state.apply(action)
    while state.seat_to_act is not None:
        actions.append(state.legal_actions()[0])
        state.apply(actions[-1])
    names = [f"script {seat}" for seat in range(state.variant.seats)]
    names[game.seat] = file.bot.name
    played = Game("", game.variant, 1, 0, game.deal, tuple(names), (game.seed,) * len(names))
    fault: SeatFault = replace(file.fault, seat=game.seat)
    return record_of(played, state, Ending(tuple(actions), (fault,), ()))
