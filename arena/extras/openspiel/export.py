"""The arena's games in OpenSpiel. Importing this module registers them.

    import arena.extras.openspiel.export
    game = pyspiel.load_game("bribe_arena(variant=pot-de-vin/3)")
    state = game.new_initial_state()

`bribe_arena` samples the deal (`SAMPLED_STOCHASTIC`) from all deals that the rules allow.
`bribe_arena_deals` lists the deals as chance outcomes (`EXPLICIT_STOCHASTIC`), or a random
sample of the deals in large variants. docs/researchers.md describes their parameters.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, get_args

from arena.base.errors import how_to_install

try:
    import numpy as np
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"the extra `openspiel` is missing ({error}): {how_to_install('openspiel')}",
        name=error.name,
    ) from None

from arena.base.protocol import raw
from arena.extras.shared.rewards import Rewards, check_choice, rewards_of
from engine import Encoding, State, get_variant
from engine.errors import IllegalAction

MAX_POINTS = 1000.0
SAMPLED, LISTED = "bribe_arena", "bribe_arena_deals"
_PARAMETERS = {"variant": "pot-de-vin/3", "rewards": "ranks", "history": 0, "rng_seed": -1}


def _game_type(is_sampled: bool, rewards: str) -> Any:
    utility = pyspiel.GameType.Utility
    chance = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=SAMPLED if is_sampled else LISTED,
        long_name="Bribe Arena",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.SAMPLED_STOCHASTIC if is_sampled else chance.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if rewards == "ranks" else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=2,
        max_num_players=6,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS if is_sampled else {**_PARAMETERS, "deals": 1000},
    )


class SpielPosition:
    """Wraps a game state so that OpenSpiel can copy it."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._legal: dict[int, str] = {}

    def legal(self, encoding: Encoding) -> dict[int, str]:
        if not self._legal:
            actions = self.state.legal_actions()
            self._legal = dict(sorted(zip(encoding.numbers(actions), actions, strict=True)))
        return self._legal

    def apply(self, action: str) -> None:
        self.state.apply(action)
        self._legal = {}

    def __deepcopy__(self, memo: object) -> "SpielPosition":
        return SpielPosition(self.state.clone())


class BribeArenaGame(pyspiel.Game):
    """An OpenSpiel game in which the deal is sampled at random."""

    is_sampled = True

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        """Create a game. Missing parameters have default values.

        Raise `EngineError` if the variant is unknown, and `SettingsError` if the value of
        `rewards` is unknown.
        """
        defaults = _game_type(self.is_sampled, "ranks").parameter_specification
        parameters = {**defaults, **(given or {})}
        check_choice("rewards", parameters["rewards"], get_args(Rewards))
        self.rewards = parameters["rewards"]
        self.variant = get_variant(parameters["variant"])
        self.encoding = self.variant.encoding(parameters["history"])
        self.listed = None if self.is_sampled else self.variant.list_deals()
        self.deals = len(self.listed) if self.listed else parameters.get("deals", 1)
        self._seed = parameters["rng_seed"]
        self._rng = random.Random(None if self._seed == -1 else self._seed)
        bound = MAX_POINTS if self.rewards == "points" else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.encoding.actions),
            max_chance_outcomes=self.deals,
            num_players=self.variant.seats,
            min_utility=0.0 if self.rewards == "win" else -bound,
            max_utility=bound,
            utility_sum=0.0 if self.rewards == "ranks" else None,
            max_game_length=self.variant.max_decisions,
        )
        super().__init__(_game_type(self.is_sampled, self.rewards), info, parameters)

    def new_initial_state(self) -> "BribeArenaState":
        return BribeArenaState(self)

    def deal(self, outcome: int) -> SpielPosition:
        """Return the position after a chance outcome."""
        if self.listed:
            return SpielPosition(self.variant.start(self.listed[outcome][0]))
        rng = self._rng if self.is_sampled else random.Random(f"{self._seed} {outcome}")
        return SpielPosition(self.variant.start(self.variant.deal(rng)))

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, object] | None = None
    ) -> "Observer":
        """Return an observer of what a player knows.

        If `iig_obs_type` excludes private information, the observer sees only public
        information. Raise `ValueError` if `params` are given.
        """
        if params:
            raise ValueError(f"got parameters {params} of an observer, expected none")
        if iig_obs_type is None:
            return Observer(self.encoding)
        if iig_obs_type.private_info == pyspiel.PrivateInfoType.NONE:
            return Observer(None, iig_obs_type.perfect_recall)
        return Observer(self.encoding, iig_obs_type.perfect_recall)


class BribeArenaDeals(BribeArenaGame):
    is_sampled = False


class BribeArenaState(pyspiel.State):
    """An OpenSpiel state. The deal is the chance node at the root of the game tree."""

    def __init__(self, game: BribeArenaGame) -> None:
        super().__init__(game)
        self.position: SpielPosition | None = None

    @property
    def _dealt(self) -> SpielPosition:
        assert self.position is not None, "there is no deal yet: apply a chance outcome"
        return self.position

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's special player id if no player has to act."""
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.position.state.seat_to_act
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def is_terminal(self) -> bool:
        return self.position is not None and self.position.state.seat_to_act is None

    def chance_outcomes(self) -> list[tuple[int, float]]:
        game = self.get_game()
        if game.listed:
            return [(outcome, weight) for outcome, (_, weight) in enumerate(game.listed)]
        return [(outcome, 1 / game.deals) for outcome in range(game.deals)]

    def returns(self) -> list[float]:
        game = self.get_game()
        if not self.is_terminal():
            return [0.0] * game.num_players()
        return list(rewards_of(self._dealt.state.outcome(), game.variant.sides, game.rewards))

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> "BribeArenaState":
        """Return a copy of the state, with everything hidden from the player drawn at random."""
        drawn = self.clone()
        rng = random.Random(probability_sampler())
        drawn.position = SpielPosition(self._dealt.state.determinize(player_id, rng))
        assert isinstance(drawn, BribeArenaState)
        return drawn

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._dealt.legal(self.get_game().encoding))

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            self.position = self.get_game().deal(action)
            return
        encoding = self.get_game().encoding
        legal = self.position.legal(encoding)
        if action not in legal:
            name = dict(enumerate(encoding.actions)).get(action, action)
            raise IllegalAction(name, self.current_player(), list(legal.values()))
        self.position.apply(legal[action])

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        encoding, position = self.get_game().encoding, self.position
        is_to_act = position is not None and player == self.current_player()
        legal = position.legal(encoding) if position and is_to_act else {}
        return str(legal.get(action) or encoding.actions[action])

    def __str__(self) -> str:
        return "" if self.position is None else _json(self.position.state.view(None))


class Observer:
    """An OpenSpiel observer, which describes what a player knows as a string or a tensor."""

    def __init__(self, encoding: Encoding | None, perfect_recall: bool = False) -> None:
        """If `encoding` is None, the observer sees only public information."""
        self._encoding = encoding
        self._perfect_recall = perfect_recall
        self.tensor = None if encoding is None else np.zeros(encoding.size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: BribeArenaState, player: int) -> None:
        """Fill the observation tensor with what the player knows, or with zeros before the deal."""
        if self._encoding is None or self.tensor is None:
            return
        self.tensor.fill(0)
        if state.position is None:
            return
        position = state.position.state
        events = position.events(player) if self._encoding.history else ()
        vector = self._encoding.encode(position, player, events)
        self.tensor[:] = np.frombuffer(vector, np.int8)

    def string_from(self, state: BribeArenaState, player: int) -> str:
        if state.position is None:
            return ""
        position, seat = state.position.state, None if self._encoding is None else player
        known = [position.view(seat), *(position.events(seat) if self._perfect_recall else ())]
        return "\n".join(map(_json, known))


def _json(value: object) -> str:
    return bytes(raw(value)).decode()


# The classes themselves are registered, since OpenSpiel keeps them until after Python has ended.
for _game in (BribeArenaGame, BribeArenaDeals):
    pyspiel.register_game(_game_type(_game.is_sampled, "ranks"), _game)
