"""Games in which learners play some of the seats."""

import random
from array import array
from collections import deque
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import get_args

import msgspec

from arena.base.errors import ArenaError
from arena.extras.shared.rewards import Rewards, check_choice, rewards_of
from arena.match.referee import start_message
from arena.match.seats import Decision
from arena.tournament.agents import Agent, Seated
from engine import Encoding, EndlessGame, State, Variant
from engine.errors import IllegalAction

WIDTH = 100


class LearningTable:
    """Plays one game after another. The caller chooses actions for all seats that have no agent."""

    def __init__(
        self,
        variant: Variant,
        encoding: Encoding,
        rewards: Rewards = "ranks",
        agents: Mapping[int, Agent] | None = None,
    ) -> None:
        """Create a table without a game. Raise `SettingsError` if `rewards` is unknown."""
        check_choice("rewards", rewards, get_args(Rewards))
        self.variant = variant
        self._encoding = encoding
        self._rewards = rewards
        self._agents = agents or {}
        self._state: State | None = None
        self._seated: dict[int, Seated] = {}
        self._worlds = 0
        self._turns: dict[int, int] = {}
        self._event_counts: dict[int, int] = {}
        self._histories: list[deque[object]] = []
        self._legal: list[str] | None = None
        self._numbers: list[int] | None = None
        self._actions: list[str] = []

    @property
    def state(self) -> State:
        """The current position, including hidden information. Raise `ArenaError` before the first
        game.
        """
        if self._state is None:
            raise ArenaError("there is no game yet: call `reset()` first")
        return self._state

    @property
    def seat(self) -> int | None:
        """The seat whose action the caller must choose, or None if the game is over."""
        return self.state.seat_to_act

    @property
    def legal(self) -> list[str]:
        if self._legal is None:
            self._legal = self.state.legal_actions()
        return self._legal

    def close(self) -> None:
        for agent in self._agents.values():
            agent.close()

    def begin(self, rng: random.Random) -> None:
        """Start a new game, and play until the caller has to choose the next action.

        All random numbers, such as the deal and the agents' seeds, are drawn from `rng`.
        """
        variant = self.variant
        self._state = variant.start(variant.deal(rng))
        self._seated = {
            seat: agent.sit(start_message(variant, seat, rng.getrandbits(32)))
            for seat, agent in self._agents.items()
        }
        self._worlds = rng.getrandbits(64) if self._seated else 0
        self._actions = []
        self._turns = dict.fromkeys(self._seated, 0)
        self._event_counts = dict.fromkeys(range(variant.seats), 0)
        self._histories = [deque(maxlen=self._encoding.history) for _ in range(variant.seats)]
        self._go_on()

    def act(self, action: str) -> None:
        """Play an action for the seat to act, then let agents play until the caller must choose
        again.

        Raise `IllegalAction` if the action is illegal, and `EndlessGame` if the game exceeds the
        maximum number of decisions.
        """
        self._apply(action)
        self._go_on()

    def _apply(self, action: str) -> None:
        state, actions = self.state, self._actions
        state.apply(action)
        actions.append(action)
        if len(actions) >= self.variant.max_decisions and state.seat_to_act is not None:
            raise EndlessGame(self.variant.id, state.seat_to_act, actions)

    def _go_on(self) -> None:
        state, seated = self.state, self._seated
        self._legal = self._numbers = None
        if not seated:
            return
        while (seat := state.seat_to_act) is not None and seat in seated:
            self._apply(self._ask(seat, state.legal_actions()))
        if seat is None:
            outcome = state.outcome()
            for agent in seated.values():
                agent.end(outcome.points, outcome.ranks)

    def _ask(self, seat: int, legal: list[str]) -> str:
        self._turns[seat] += 1
        decision = Decision(
            seat, self._turns[seat], self.state, self._new_events(seat), legal, worlds=self._worlds
        )
        action = self._seated[seat].act(decision)
        if action not in legal:
            raise IllegalAction(action, seat, legal)
        return action

    def _new_events(self, seat: int) -> Sequence[msgspec.Struct]:
        events = self.state.events(seat, self._event_counts[seat])
        self._event_counts[seat] += len(events)
        return events

    def encode(self, seat: int) -> "array[int]":
        encoding = self._encoding
        if not encoding.history:
            return encoding.encode(self.state, seat)
        history = self._histories[seat]
        history.extend(self._new_events(seat))
        return encoding.encode(self.state, seat, list(history))

    def numbers(self) -> list[int]:
        """Return the numbers of all legal actions, in a list that must not be modified."""
        if self._numbers is None:
            self._numbers = self._encoding.numbers(self.legal)
        return self._numbers

    def choose(self, number: int) -> str:
        """Return the legal action with the given number, or raise `IllegalAction`."""
        actions, numbers = self._encoding.actions, self.numbers()
        if number in numbers:
            return self.legal[numbers.index(number)]
        named = actions[number] if 0 <= number < len(actions) else f"number {number}"
        raise IllegalAction(named, self.seat, self.legal)

    def choose_or_stand_in(self, number: int) -> tuple[str, dict[str, object]]:
        """Return the action with the given number, or the first legal action if that one is
        illegal.

        If an action was replaced, the returned dict contains its name under the key "illegal".
        """
        try:
            return self.choose(number), {}
        except IllegalAction as error:
            return self.legal[0], {"illegal": error.action}

    def seat_rewards(self) -> tuple[float, ...]:
        return rewards_of(self.state.outcome(), self.variant.sides, self._rewards)

    def drawing(self) -> str:
        from rich.console import Console

        from arena.terminal.drawing import draw

        names = [f"seat_{seat}" for seat in range(self.variant.seats)]
        console = Console(file=StringIO(), width=WIDTH, color_system=None)
        with console.capture() as capture:
            console.print(draw(self.state, names, None))
        return capture.get()
