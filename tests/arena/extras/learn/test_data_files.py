"""A run as a dataset of Minari."""

from pathlib import Path

import pytest

import arena

pytest.importorskip("gymnasium", reason="need the extra learn: pip install -e '.[learn]'")

from arena.extras.learn.data_files import minari_dataset

VARIANT = "pot-de-vin/3"


@pytest.mark.filterwarnings("ignore")  # of Minari: who made it, and of what
def test_a_dataset_of_minari_has_an_episode_for_each_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("minari")
    pytest.importorskip("h5py")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    spring = arena.run(
        VARIANT, ["greedy", "random", "timid"], rounds=6, seed=1, results=tmp_path / "data",
        name="spring", in_process=True, workers=1,
    )  # fmt: skip
    made = minari_dataset(spring, "arena/spring-v0", VARIANT, bot="greedy")
    assert made.total_episodes == 6
    record, episode = next(spring.games()), made[0]
    rank = record.ranks[record.entrants.index("greedy")]
    assert episode.rewards[-1] == sum((o > rank) - (o < rank) for o in record.ranks) / 2
    for action, mask in zip(episode.actions, episode.observations["action_mask"], strict=False):
        assert mask[action] == 1
