"""`arena debug`: play a game with a bot that a debugger can stop."""

import random
import time
from bdb import BdbQuit
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path

import click
import msgspec
from rich.rule import Rule

from arena.base.atomic_file import read_struct
from arena.base.errors import BotError, FaultFileError
from arena.base.protocol import Limits
from arena.base.record import Entrant, Game
from arena.bot import own_traceback
from arena.check.fault_file import FORMAT, FaultFile, FaultGame, game_until_fault
from arena.check.trial import one_game, seat_opponents
from arena.commands.common import (
    GameOfRun,
    open_source,
    refuse_given,
    results_option,
    seed_option,
)
from arena.commands.completion import complete_bots, complete_sources
from arena.commands.table_options import ChosenTable, table_options
from arena.contest.bot_files import COPIED
from arena.extras.faults.bot_here import load_bot
from arena.extras.shared.process_agent import ProcessAgent
from arena.extras.shared.watched_game import WatchedGame
from arena.match.referee import record_of, referee, start_game, start_message
from arena.match.seats import Answer, Decision, Reply, lacks_worlds
from arena.narration.words import Words
from arena.terminal.console import say, terminal
from arena.tournament.agents import Agent, ClassAgent, Seated
from arena.tournament.display_names import names_of
from arena.tournament.finished_boards import find_finished_game
from arena.tournament.games import world_seeds
from arena.tournament.in_process import CRASHES
from engine import EngineError, State, Variant

# Bots must not time out in a debugger.
DEBUG_LIMITS = Limits(start_ms=86_400_000, move_ms=86_400_000, stderr_bytes=0)
OF_NEW_GAME = ("against", "variant_id", "seed")


@click.command("debug")
@click.argument("bot", metavar="BOT", shell_complete=complete_bots)
@click.argument(
    "recorded", metavar="[FAULT_FILE | RUN GAME]", nargs=-1, shell_complete=complete_sources
)
@table_options
@click.option(
    "--seat", type=click.IntRange(min=0),
    help="The bot's seat. Default: 0 in a new game. Required for a recorded game in which the bot "
    "did not play.",
)  # fmt: skip
@seed_option
@results_option
@click.pass_context
def debug_command(
    context: click.Context,
    bot: str,
    recorded: tuple[str, ...],
    table: ChosenTable,
    seat: int | None,
    seed: int,
    results: Path,
) -> None:
    """Debug a bot in a new or recorded game.

    By default, BOT plays a new game. To replay a fault, give a FAULT_FILE that `arena check
    --faults` has written. To replay a recorded game, give its RUN and the name of the GAME, such
    as "pot-de-vin/3 board 12 rotation 0". In a recorded game, BOT is asked for its decisions, but
    the game continues with the recorded actions.

    Python bots run in this process, so `breakpoint()`, pdb and an editor's debugger work as
    usual. Bots in other languages run in a child process, and their stderr is printed to the
    terminal. The bot has no time limit and no sandbox, so debug only bots that you trust.

    The exit code is 1 if the bot fails or answers with an illegal action. If FAULT_FILE
    contains a timeout, the exit code is also 1 if the bot exceeds the time limit again.
    """
    own = _in_place(table.find(bot))
    if recorded:
        refuse_given(context, OF_NEW_GAME, "is for a new game: leave it out")
    with ExitStack() as stack:
        debugger = _Debugger(own, stack)
        if not recorded:
            _play_new(debugger, own, table, (seat or 0, seed))
        elif recorded[0].endswith(".json"):
            _replay_fault(debugger, read_fault(Path(recorded[0])))
        else:
            with open_source(results, recorded[0]) as store:
                named = GameOfRun(recorded[0], " ".join(recorded[1:])).named()
                record = find_finished_game(store, named)
                seeds = world_seeds(store, record)
                names = [names_of(store).shown(entrant) for entrant in record.entrants]
            seat = names.index(own.name) if own.name in names else seat
            if seat is None:
                text = f"{own.name} is not one of {', '.join(names)}: choose its --seat"
                raise click.UsageError(text)
            debugger.play(game_until_fault(record, seat, seeds.get(record.key, 0)), names)


# An editor's breakpoints only work in the original files.
def _in_place(bot: Entrant) -> Entrant:
    if not (bot.source and Path(bot.source).is_dir()):
        return bot
    before, _, inner = bot.folder.partition(f"/{COPIED}")
    words = [word.replace(f"{before}/{COPIED}", bot.source) for word in bot.command]
    return msgspec.structs.replace(bot, command=tuple(words), folder=f"{bot.source}{inner}")


def _play_new(
    debugger: "_Debugger", own: Entrant, table: ChosenTable, choice: tuple[int, int]
) -> None:
    table.choose_fitting_variant(debugger.entrant)
    variant, (seat, seed) = table.variant, choice
    seated = table.seated(own, seat, seed)
    game = one_game(variant, seated, random.Random(seed))
    opponents: dict[int, Seated] = {}
    for at in set(range(variant.seats)) - {seat}:
        agent = debugger.stack.enter_context(ProcessAgent(seated[at], sandbox=table.sandbox))
        opponents[at] = agent.sit(start_message(variant, at, game.seeds[at]))
    debugger.require_fit(variant)
    say(f"{variant.id}: {own.name} is seat {seat} and runs without a sandbox")
    new = FaultGame(
        game.title, variant.id, variant.rules_version, game.deal,
        seat, game.seeds[seat], (), game.worlds,
    )  # fmt: skip
    debugger.play(new, game.entrants, opponents)


def _replay_fault(debugger: "_Debugger", file: FaultFile) -> None:
    say(f"the fault of {file.bot.name}: {file.fault.kind} {file.where}: {file.fault.text}")
    if file.game is None:
        say("`arena check` shows whether the bot starts as it should")
        return
    debugger.play(file.game)
    took_s, limit_s = debugger.took_s, file.limits.move_ms / 1000
    if file.fault.kind == "timeout" and took_s > limit_s:
        raise BotError(f"the bot needed {took_s:.3g} s, more than its limit of {limit_s:g} s")


class _RecordedGame(WatchedGame):
    def __init__(self, game: FaultGame) -> None:
        super().__init__()
        self._game = game

    def asks(self, seat: int, move: int) -> bool:
        return seat == self._game.seat

    def action(self, move: int, answer: Answer | None, legal: Sequence[str]) -> str:
        super().action(move, answer, legal)
        return self._game.actions[move]


class _Debugger:
    def __init__(self, bot: Entrant, stack: ExitStack) -> None:
        self._bot, self.stack = bot, stack
        self.took_s = 0.0
        with self._explained():
            bot_class = stack.enter_context(load_bot(bot))
        self._bot_class = bot_class
        self._agent: Agent
        if bot_class:
            self._agent = ClassAgent(bot_class)
        else:
            self._agent = child = stack.enter_context(ProcessAgent(bot, DEBUG_LIMITS))
            child.on_stderr = lambda data: click.echo(data, nl=False)

    @property
    def entrant(self) -> Entrant:
        games = self._bot_class.games if self._bot_class else self._bot.games
        return msgspec.structs.replace(self._bot, games=tuple(games))

    def require_fit(self, variant: Variant) -> None:
        """Raise `SettingsError` or `BotError` if a Python bot can't play a variant."""
        if bot := self._bot_class:
            seat_opponents(self.entrant, [self.entrant], variant)
            if bot.worlds and not variant.has_worlds:
                raise lacks_worlds(self._bot.name, [variant.id])

    def play(
        self,
        game: FaultGame,
        names: Sequence[str] = (),
        opponents: Mapping[int, Seated] | None = None,
    ) -> None:
        """Play a game and print all of the bot's decisions.

        Without `opponents`, the game follows the recorded actions, whatever the bot answers.
        Raise `BotError` if the bot raises an exception or answers with an illegal action. Raise
        `FaultFileError` if this version of the arena cannot play the game.
        """
        state = _start(game)
        watched = WatchedGame() if opponents else _RecordedGame(game)
        names = names or [f"seat {seat}" for seat in range(state.variant.seats)]
        words = Words(state.variant.game, names)
        refereeing = referee(state, watched, worlds=game.worlds)
        with self._explained():
            seated = self._agent.sit(start_message(state.variant, game.seat, game.seed))
        try:
            decision = next(refereeing)
            while True:
                if opponents and decision.seat in opponents:
                    action = opponents[decision.seat].act(decision)
                else:
                    terminal().print(Rule(f"move {decision.move + 1}", style="dim"))
                    watched.print_events(decision.events, words, terminal())
                    action = self._decide(
                        seated, decision, game.actions[decision.move : decision.move + 1]
                    )
                if not opponents and decision.move == len(game.actions):
                    return
                decision = refereeing.send(Reply(action))
        except StopIteration as stop:
            seeds = (game.seed,) * len(names)
            played = Game(game.title, game.variant, 1, 0, game.deal, tuple(names), seeds)
            record = record_of(played, state, stop.value)
        with self._explained():
            seated.end(record.points, record.ranks)
        watched.end(record, game.seat, words, terminal())

    def _decide(self, seated: Seated, decision: Decision, recorded: Sequence[str]) -> str:
        say(f"legal actions: {', '.join(decision.legal)}")
        began = time.perf_counter()
        with self._explained():
            action = seated.act(decision)
        self.took_s = time.perf_counter() - began
        then = f" (in the record: {recorded[0]})" if recorded and recorded[0] != action else ""
        say(f"answer: {action}{then}")
        if action not in decision.legal:
            raise BotError(f"{self._bot.name} answered {action!r}, which is not legal")
        return action

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Run the bot's code in the bot's folder, and convert exceptions to `BotError`."""
        try:
            with chdir(self._bot.folder):
                yield
        except BotError:
            raise
        except BdbQuit:
            raise click.exceptions.Exit from None
        except CRASHES as error:
            say(own_traceback(error))
            text = f"{self._bot.name} raised {type(error).__name__}: {error}"
            raise BotError(text) from None


def read_fault(path: Path) -> FaultFile:
    """Raise `FaultFileError` if the file cannot be read or has the wrong format."""
    expected = f"a fault file of format {FORMAT}, as `arena check --faults` writes it"
    return read_struct(path, FaultFile, expected, FaultFileError)


def _start(game: FaultGame) -> State:
    try:
        state = start_game(game.variant, game.deal)
    except (EngineError, ValueError, RecursionError) as error:
        raise FaultFileError(f"{game.title} cannot be played again: {error}") from None
    if game.rules_version != state.variant.rules_version or game.seat >= state.variant.seats:
        raise FaultFileError(
            f"{game.title} cannot be played again: got version {game.rules_version} of the rules "
            f"and seat {game.seat}, expected version {state.variant.rules_version} and a seat "
            f"below {state.variant.seats}"
        )
    return state
