"""PettingZoo environments for all games. Needs the extra `learn`.

env = arena.extras.learn.pettingzoo.env("pot-de-vin/4-teams", rewards="ranks", history=8)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    ...
"""

import random
from typing import Any, ClassVar

from arena.base.errors import how_to_install

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from pettingzoo.utils import AECEnv, wrappers
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"the extra `learn` is missing ({error}): {how_to_install('learn')}", name=error.name
    ) from None
from numpy.typing import NDArray

from arena.extras.learn.options import Opponents, seated_opponents
from arena.extras.learn.table import LearningTable
from arena.extras.learn.vector import masked_space_of
from arena.extras.shared.rewards import Rewards
from engine import get_variant

Observation = dict[str, NDArray[np.int8]]


class RawEnv(AECEnv):  # type: ignore[type-arg,unused-ignore]  # PettingZoo has no types
    """A PettingZoo environment without wrappers. The function `env` adds the standard wrappers."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["human", "ansi"],
        "name": "bribe_arena_v1",
        "is_parallelizable": True,
        "render_fps": 2,
    }

    def __init__(
        self,
        variant_id: str,
        *,
        rewards: Rewards = "ranks",
        history: int = 0,
        opponents: Opponents = (),
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.variant = get_variant(variant_id)
        self.render_mode = render_mode
        seated = seated_opponents(self.variant, opponents)
        self.encoding = self.variant.encoding(history)
        self._table = LearningTable(self.variant, self.encoding, rewards, seated)
        self._rng = random.Random()
        seats = [seat for seat in range(self.variant.seats) if seat not in seated]
        self.possible_agents = [f"seat_{seat}" for seat in seats]
        self._seat_of = dict(zip(self.possible_agents, seats, strict=True))
        self.agents: list[str] = []
        self.observation_spaces = {agent: masked_space_of(self.encoding) for agent in self._seat_of}
        actions = len(self.encoding.actions)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self._seat_of}
        self._seen: dict[str, Observation] = {}  # since the last action

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. If `seed` is None, the current random number generator is used."""
        if seed is not None:
            self._rng = random.Random(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
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
        """Play an action for the current agent.

        An illegal action is replaced by the first legal action and reported in the agent's info.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, f"got no action of {agent}, expected a number"
        chosen, info = self._table.choose_or_stand_in(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos = {name: info if name == agent else {} for name in self.agents}
        self._table.act(chosen)
        self._turn_over()
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Print all hands and the table, or return them as text if the render mode is "ansi"."""
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

    def _turn_over(self) -> None:
        self._seen = {}
        table = self._table
        if (seat := table.seat) is not None:
            self.agent_selection = f"seat_{seat}"
            self.infos[self.agent_selection]["legal"] = list(table.legal)
            return
        outcome, rewards = table.state.outcome(), table.seat_rewards()
        for agent in self.agents:
            self.terminations[agent] = True
            self.rewards[agent] = rewards[self._seat_of[agent]]
            self.infos[agent] |= {"points": outcome.points, "ranks": outcome.ranks}


def env(variant_id: str, **options: Any) -> Any:
    """Return a PettingZoo environment for a variant, such as `pot-de-vin/4-teams`.

    Observations are dictionaries with two vectors, `observation` and `action_mask`. The options
    are those of `RawEnv`. Raise `EngineError` if the variant is unknown, and `SettingsError` if
    an option is invalid.
    """
    raw = RawEnv(variant_id, **options)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))
