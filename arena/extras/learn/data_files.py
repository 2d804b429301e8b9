"""The games of a run as datasets of Minari."""

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from arena.base.errors import ArenaError, SettingsError
from arena.base.record import GameRecord
from arena.extras.learn.options import Rewards, rewards_of
from arena.extras.learn.vector import masked_space_of
from arena.match.referee import start_game
from arena.played_run import Run
from engine import get_variant

Vectors: TypeAlias = list[NDArray[np.int8]]


def minari_dataset(
    run: Run,
    dataset_id: str,
    variant_id: str,
    *,
    bot: str | None = None,
    history: int = 0,
    **about: Any,
) -> Any:
    """Make a dataset of Minari: an episode for each seat of each game, and return it.

    An observation is a dict of `observation`, the vector of the encoding, int8, and `action_mask`,
    int8 with a 1 for each legal action; an action is its number. The reward comes with the last
    decision: the share of other sides that the seat is ahead of less the share ahead of it, or its
    points in a run by points.

    Args:
        run: the run.
        dataset_id: the name of the dataset, such as `bribe-arena/spring-v0`.
        variant_id: only games of this variant count.
        bot: only seats of this bot; by default all.
        history: the number of last events in an observation.
        about: what Minari wants to know besides, such as `author` and `description`.

    Raises:
        ArenaError: Minari is not installed.
        SettingsError: the run has no such variant or bot, or none of their decisions.
    """
    try:
        import h5py  # noqa: F401  # else Minari fails at the end
        import minari
        from minari.data_collector import EpisodeBuffer
    except ModuleNotFoundError:
        raise ArenaError(
            "a dataset of Minari needs a package that is not installed: "
            "`pip install 'minari[hdf5]'`"
        ) from None
    encoding = get_variant(variant_id).encoding(history)
    rewards: Rewards = "points" if run.settings.ranked_by == "points" else "ranks"
    buffers = [
        EpisodeBuffer(
            observations={"observation": episode.vectors, "action_mask": episode.masks},
            actions=episode.actions,
            rewards=[*[0.0] * (len(episode.actions) - 1), episode.reward],
            terminations=[*[False] * (len(episode.actions) - 1), True],
            truncations=[False] * len(episode.actions),
        )
        for record in run.games(bot, variant=variant_id)
        for episode in episodes(record, history, rewards)
        if bot in (None, episode.bot)
    ]
    if not buffers:
        raise SettingsError(f"the run has no decisions in {variant_id}")
    return minari.create_dataset_from_buffers(
        dataset_id,
        buffers,
        observation_space=masked_space_of(encoding),
        action_space=spaces.Discrete(len(encoding.actions)),
        algorithm_name=bot or "bots of the run",
        **about,
    )


class Episode(NamedTuple):
    """A seat in a game."""

    bot: str
    vectors: Vectors
    """Of the encoding, one for each decision, and one at the end of the game."""
    masks: Vectors
    """By vector: 1 for each legal action; none at the end."""
    actions: list[int]
    """The number of the action of each decision."""
    reward: float
    """At the end of the game."""


def episodes(record: GameRecord, history: int = 0, rewards: Rewards = "ranks") -> Iterator[Episode]:
    """Yield the episode of each seat of a game that had a decision; it is replayed.

    `history` is the number of last events in a vector, and `rewards` are those of `rewards_of`.
    """
    state = start_game(record.variant, record.deal)
    variant = state.variant
    encoding = variant.encoding(history)
    seats = range(variant.seats)
    vectors: list[Vectors] = [[] for _ in seats]
    masks: list[Vectors] = [[] for _ in seats]
    taken: list[list[int]] = [[] for _ in seats]

    def see(seat: int, numbers: list[int]) -> None:
        heard = state.events(seat)[-history:] if history else []
        vectors[seat].append(np.array(encoding.encode_state(state, seat, heard), np.int8))
        mask = np.zeros(len(encoding.actions), np.int8)
        mask[numbers] = 1
        masks[seat].append(mask)

    for action in record.actions:
        seat = state.seat_to_act
        assert seat is not None, "expected a game in progress"
        legal = state.legal_actions()
        numbers = encoding.numbers(legal)
        see(seat, numbers)
        taken[seat].append(numbers[legal.index(action)])
        state.apply(action)
    earned = rewards_of(state.outcome(), variant.sides, rewards)
    for seat, bot in enumerate(record.entrants):
        if taken[seat]:
            see(seat, [])
            yield Episode(bot, vectors[seat], masks[seat], taken[seat], earned[seat])
