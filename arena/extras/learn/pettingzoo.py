"""The games as PettingZoo environments with action masks. They need the extra `learn`.

env = arena.extras.learn.pettingzoo.env("pot-de-vin/4-teams", rewards="ranks", history=8)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    ...
"""

import random
from collections.abc import Mapping
from typing import Any, ClassVar, Unpack

from arena.base.errors import how_to_install

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from pettingzoo.utils import AECEnv, ParallelEnv, wrappers
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"the extra `learn` is missing ({error}): {how_to_install('learn')}", name=error.name
    ) from None
from numpy.typing import NDArray

from arena.extras.learn.options import TurnOptions, check_options, seated_opponents
from arena.extras.learn.table import LearningTable
from arena.extras.learn.vector import masked_space_of
from arena.extras.shared.rewards import Rewards
from engine import get_variant

Observation = dict[str, NDArray[np.int8]]


class Options(TurnOptions, total=False):
    max_cycles: int | None
    """Maximum number of decisions per agent, or of steps in the parallel environment.

    An agent that reaches the maximum is truncated, and a stand-in plays its remaining moves.
    None means no limit."""


class RawEnv(AECEnv):  # type: ignore[type-arg,unused-ignore]  # PettingZoo has no types
    """The PettingZoo environment without wrappers. Use `env` to get an environment with
    wrappers.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["human", "ansi"],
        "name": "bribe_arena_v1",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, variant_id: str, **options: Unpack[Options]) -> None:
        super().__init__()
        self.variant = get_variant(variant_id)
        self.render_mode = options.get("render_mode")
        self._rewards: Rewards = options.get("rewards", "ranks")
        self._max_cycles = options.get("max_cycles")
        self._illegal = options.get("illegal", "stand-in")
        check_options(self.variant, options, Options.__annotations__)
        opponents = seated_opponents(self.variant, options.get("opponents") or {})
        self.encoding = self.variant.encoding(options.get("history", 0))
        self._table = LearningTable(self.variant, self.encoding, opponents)
        self._rng = random.Random()
        seats = [seat for seat in range(self.variant.seats) if seat not in opponents]
        self.possible_agents = [f"seat_{seat}" for seat in seats]
        self._seat_of = dict(zip(self.possible_agents, seats, strict=True))
        self._agent_of = dict(zip(seats, self.possible_agents, strict=True))
        self.agents: list[str] = []
        self.observation_spaces = {agent: masked_space_of(self.encoding) for agent in self._seat_of}
        actions = len(self.encoding.actions)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self._seat_of}
        self._decisions: dict[str, int] = {}
        self._seen: dict[str, Observation] = {}  # since the last action

    # -- of PettingZoo --------------------------------------------------------------------------

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. Without a seed, continue with the current state of the random
        generator.
        """
        if seed is not None:
            self._rng = random.Random(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._decisions = dict.fromkeys(self.agents, 0)
        self._skip_agent_selection = None
        self._table.begin(self._rng)
        self.agent_selection = self.agents[0]
        self._turn_over()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation.

        If it is another agent's turn, the action mask contains only zeros.
        """
        if agent not in self._seen:
            seat = self._seat_of[agent]
            mask = np.zeros(len(self.encoding.actions), np.int8)
            if self._table.seat == seat:
                mask[self._table.numbers()] = 1
            vector = np.array(self._table.encode(seat), np.int8)
            self._seen[agent] = {"observation": vector, "action_mask": mask}
        return {name: part.copy() for name, part in self._seen[agent].items()}  # the caller's

    def step(self, action: int | None) -> None:
        """Take an action for the agent to act.

        With the option `illegal="error"`, raise `IllegalAction` if the action is illegal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, f"got no action of {agent}, expected a number"
        named, told = self._table.choose(int(action), self._illegal)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos = {name: told if name == agent else {} for name in self.agents}
        self._decisions[agent] += 1
        if self._decisions[agent] == self._max_cycles:
            self.truncations[agent] = True
        self._table.act(named, self._left())
        self._turn_over()
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Show the table with all hands.

        In the mode `ansi`, return the table as text. In the mode `human`, print it.
        """
        if self.render_mode is None:
            gymnasium.logger.warn("`render` needs a render_mode: `ansi` or `human`")
            return None
        text = self._table.drawing()
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Stop the opponents and their processes."""
        self._table.close()

    # -- ours -----------------------------------------------------------------------------------

    def describe(self, observation: Observation | NDArray[np.int8]) -> str:
        vector = observation["observation"] if isinstance(observation, dict) else observation
        return self.encoding.describe(vector.tolist())

    def _left(self) -> list[int]:
        return [seat for agent, seat in self._seat_of.items() if self.truncations.get(agent, True)]

    def _turn_over(self) -> None:
        self._seen = {}
        table = self._table
        if (seat := table.seat) is not None:
            self.agent_selection = self._agent_of[seat]
            self.infos[self.agent_selection]["legal"] = list(table.legal)
            return
        outcome = table.state.outcome()
        rewards = table.rewards(self._rewards)
        for agent in self.agents:
            if not self.truncations[agent]:
                self.terminations[agent] = True
                self.rewards[agent] = rewards[self._seat_of[agent]]
            self.infos[agent] |= {"points": outcome.points, "ranks": outcome.ranks}


def env(variant_id: str, **options: Unpack[Options]) -> Any:
    """Return a PettingZoo environment for a variant, such as `pot-de-vin/4-teams`.

    Observations are dictionaries with two vectors, `observation` and `action_mask`. Raise
    `EngineError` if the variant is unknown, and `SettingsError` if an option is invalid.
    """
    raw = RawEnv(variant_id, **options)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))


class BribeArenaParallelEnv(ParallelEnv):  # type: ignore[type-arg,unused-ignore]
    """A PettingZoo environment in which all agents act simultaneously.

    Create it with `parallel_env`.
    """

    metadata: ClassVar[dict[str, Any]] = RawEnv.metadata

    def __init__(self, variant_id: str, **options: Unpack[Options]) -> None:
        max_cycles = options.pop("max_cycles", None)
        self._raw = RawEnv(variant_id, **options)
        self._max_cycles = max_cycles
        self._cycles = 0
        self.render_mode = self._raw.render_mode
        self.possible_agents = self._raw.possible_agents
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self._raw.observation_space(agent)

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self._raw.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self._raw.reset(seed, options)
        self._cycles = 0
        self.agents = list(self.possible_agents)
        return self._observations(), self._raw.infos

    def step(self, actions: Mapping[str, int]) -> tuple[dict[str, Any], ...]:
        """Play one action per agent. Stop before an agent has to act a second time.

        The actions of agents that do not have to act are ignored. Return dictionaries of
        observations, rewards, terminations, truncations and infos by agent.
        """
        raw, left = self._raw, dict(actions)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        while not any(raw.terminations.values()) and raw.agent_selection in left:
            raw.step(left.pop(raw.agent_selection))
            for agent in self.agents:
                infos[agent] |= raw.infos[agent]
        self._cycles += 1
        is_cut = self._cycles == self._max_cycles and not any(raw.terminations.values())
        rewards, terminations = dict(raw.rewards), dict(raw.terminations)
        truncations = dict.fromkeys(self.agents, is_cut)
        observations = self._observations()
        if is_cut or any(terminations.values()):
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def render(self) -> str | None:
        return self._raw.render()

    def close(self) -> None:
        self._raw.close()

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._raw.observe(agent) for agent in self.agents}


def parallel_env(variant_id: str, **options: Unpack[Options]) -> BribeArenaParallelEnv:
    """Return an environment in which all agents act simultaneously.

    Prefer `env`, because the games are turn-based. See `BribeArenaParallelEnv.step`.
    """
    return BribeArenaParallelEnv(variant_id, **options)
