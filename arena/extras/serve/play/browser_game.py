"""Play a game between a person and bots, one move at a time.

After a server restart, a game is restored by replaying its stored actions. To restore their
memory, bots are asked for all of their earlier decisions again, but the game continues with the
stored actions.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from arena.base.errors import BotError
from arena.base.protocol import DEFAULT_LIMITS, Fault, SeatFault, raw
from arena.base.record import Game, GameRecord, key_of
from arena.extras.shared.process_agent import BrokenBot
from arena.match.referee import record_of, referee, start_game
from arena.match.seats import ActionSource, Answer, Decision, Reply
from engine import IllegalAction, State, Variant

PERSON: Final = "person"
SEED_BITS: Final = 32


class Opponent(NamedTuple):
    id: str
    name: str
    fingerprint: str


class BrowserGame(msgspec.Struct, frozen=True):
    key: str
    variant: str
    seat: int
    names: tuple[str, ...]
    bots: tuple[str, ...]
    seeds: tuple[int, ...]
    deal: msgspec.Raw
    worlds: int = 0
    actions: tuple[str, ...] = ()
    faults: tuple[SeatFault, ...] = ()


def new_game(variant: Variant, seat: int, opponent: Opponent, rng: random.Random) -> BrowserGame:
    """Return a new game in which the same bot plays all seats except the person's seat."""
    deal = raw(variant.deal(rng))
    others = [at for at in range(variant.seats) if at != seat]
    names, bots, prints = [PERSON] * variant.seats, [""] * variant.seats, [""] * variant.seats
    for number, at in enumerate(others, 1):
        names[at] = opponent.name if len(others) == 1 else f"{opponent.name}-{number}"
        bots[at], prints[at] = opponent.id, opponent.fingerprint
    key = key_of(variant, 1, deal, DEFAULT_LIMITS, tuple(zip(names, prints, strict=True)))
    seeds = tuple([rng.getrandbits(SEED_BITS) for _ in names])
    worlds = rng.getrandbits(64)
    return BrowserGame(key, variant.id, seat, tuple(names), tuple(bots), seeds, deal, worlds)


def state_of(game: BrowserGame) -> State:
    state = start_game(game.variant, game.deal)
    for action in game.actions:
        state.apply(action)
    return state


# -- the course of a game, move by move --------------------------------------------------------


class BrowserGameRunner(ActionSource):
    def __init__(self, game: BrowserGame, bots: Mapping[int, Callable[[Decision], str]]) -> None:
        """Continue a game with new bot processes.

        `bots` maps each bot's seat to a function that returns the bot's action. Exceptions in a
        bot's function count as the bot's faults.
        """
        self.game = game
        self._recorded = game.actions
        self._known_faults = {fault.action: fault for fault in game.faults}
        self._bots = bots
        self.state = start_game(game.variant, game.deal)
        self._refereeing = referee(self.state, self, worlds=self.game.worlds)
        self._decision: Decision | None = None
        self._broken: dict[int, Fault] = {}
        self.record: GameRecord | None = None

    def begin(self) -> None:
        self._go_on(None)

    def act(self, action: str) -> None:
        """Play the person's action, then let the bots play until it is the person's turn again.

        If the action is illegal or the game is finished, raise `IllegalAction` and leave the
        game unchanged.
        """
        if self._decision is None or action not in self._decision.legal:
            legal = self._decision.legal if self._decision else []
            raise IllegalAction(action, self.game.seat, legal)
        self._go_on(Reply(action))

    def _go_on(self, answer: Answer | None) -> None:
        try:
            decision = self._refereeing.send(answer)  # type: ignore[arg-type]
            while (given := self._answer(decision)) is not None:
                decision = self._refereeing.send(given)
            self._decision = decision
        except StopIteration as stop:
            self._decision = None
            game = self.game
            played = Game(game.key, game.variant, 1, 0, game.deal, game.names, game.seeds)
            self.record = record_of(played, self.state, stop.value)

    def _answer(self, decision: Decision) -> Answer | None:
        recorded = self._recorded[decision.move] if decision.move < len(self._recorded) else None
        if decision.seat == self.game.seat:
            return None if recorded is None else Reply(recorded)
        if known := self._known_faults.get(decision.move):
            return Fault(known.kind, known.text)
        if recorded is not None and decision.seat not in self._bots:
            return Reply(recorded)
        answer = self._broken.get(decision.seat) or self._of_bot(decision)
        if recorded is not None:
            return Reply(recorded)
        if isinstance(answer, Fault):
            fault = SeatFault(
                decision.seat, decision.move, answer.kind, answer.text, tuple(decision.legal)
            )
            faults = (*self.game.faults, fault)
            self.game = msgspec.structs.replace(self.game, faults=faults)
        return answer

    def _of_bot(self, decision: Decision) -> Answer:
        try:
            action = self._bots[decision.seat](decision)
        except BrokenBot as error:
            fault = error.fault
        except BotError as error:
            fault = Fault("start", str(error))
        except Exception as error:  # any error in a bot's code is its fault
            fault = Fault("crash", f"raised {type(error).__name__}: {error}")
        else:
            if action in decision.legal:
                return Reply(action)
            fault = Fault("illegal", f"answered {str(action)[:80]!a}, which is not legal")
        self._broken[decision.seat] = fault
        return fault

    def action(self, move: int, answer: Answer | None, legal: Sequence[str]) -> str:
        action = super().action(move, answer, legal)
        if move >= len(self._recorded):
            actions = (*self.game.actions, action)
            self.game = msgspec.structs.replace(self.game, actions=actions)
        return action


def record_of_finished(game: BrowserGame) -> GameRecord:
    runner = BrowserGameRunner(game, {})
    runner.begin()
    assert runner.record, "expected a game that is over"
    return runner.record
