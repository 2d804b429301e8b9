"""Training: a short one learns, always the same; its parts compute what they say."""

import csv
import random
from pathlib import Path

import pytest

from arena.errors import SettingsError
from bots.learned.policy import Policy
from engine import get_variant

pytest.importorskip("gymnasium", reason="need the extra learn: pip install -e '.[learn]'")

import numpy as np

from arena.extras.learn.training.__main__ import train_into
from arena.extras.learn.training.curve_picture import draw_curve
from arena.extras.learn.training.network import Network, Outputs, Widths, log_softmax
from arena.extras.learn.training.network_parts import NONE, groups_in, parts_of
from arena.extras.learn.training.ppo import Experience, PpoSettings, estimates, loss_gradient
from arena.extras.learn.training.training import CurvePoint, Trainer, TrainingSettings
from arena.extras.learn.vector import VectorEnv

SHORT = TrainingSettings(
    teacher="banker",
    opponents=("spoiler",),
    measured=("random",),
    widths=Widths(16, 16, 16),
    lessons=30,
    passes=3,
    iterations=1,
    games=4,
    games_with_bots=2,
    steps=60,
    measured_games=20,
)
TINY = Widths(4, 3, 3)


def network_for(variant_id: str, widths: Widths = TINY) -> Network:
    """Return a network that has learned nothing."""
    variant = get_variant(variant_id)
    encoding = variant.encoding()
    parts = parts_of(encoding, groups_in(variant.game))
    return Network(encoding, parts, widths, np.random.default_rng(1))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Trainer, list[CurvePoint], Path]:
    """A short training, its learning curve, and the folder that it wrote to."""
    trainer = Trainer("bribery/2", SHORT)
    folder = tmp_path_factory.mktemp("training")
    return trainer, list(train_into(folder, trainer)), folder


def test_a_short_training_beats_random_more_often(
    trained: tuple[Trainer, list[CurvePoint], Path],
) -> None:
    _, (start, imitation, *_, last), _ = trained
    assert [start.stage, imitation.stage, last.stage] == ["start", "imitation", "ppo"]
    assert start.decisions == 0 < imitation.decisions < last.decisions
    assert imitation.games == SHORT.lessons < last.games
    assert last.share > start.share + 0.1


def test_the_same_settings_give_the_same_weights() -> None:
    settings = SHORT._replace(lessons=4, measured=(), games=2, games_with_bots=1)
    first, second = [Trainer("bribery/2", settings) for _ in range(2)]
    assert [*first.train(), *second.train()] == []
    untrained = network_for("bribery/2", SHORT.widths)
    for name, weights in first.network.weights.items():
        assert np.array_equal(weights, second.network.weights[name]), name
        assert not np.array_equal(weights, untrained.weights[name]), name


def test_the_learning_curve_is_written_and_drawn(
    trained: tuple[Trainer, list[CurvePoint], Path], tmp_path: Path
) -> None:
    _, curve, folder = trained
    with open(folder / "bribery-2.csv", newline="") as file:
        written = list(csv.DictReader(file))
    assert [float(row["share"]) for row in written] == [round(row.share, 4) for row in curve]
    assert [row["stage"] for row in written] == [row.stage for row in curve]
    picture = (folder / "bribery-2.svg").read_text()
    assert "random" in picture
    draw_curve(folder / "bribery-2.csv", tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_text() == picture


def test_the_exported_policy_acts_as_the_network(
    trained: tuple[Trainer, list[CurvePoint], Path],
) -> None:
    trainer, _, folder = trained
    network, file = trainer.network.snapshot(), folder / "bribery-2.npz"
    policy = Policy(file, network.encoding)
    for name, weights in network.weights.items():
        network.weights[name] = weights.astype(np.float16).astype(np.float32)
    variant = get_variant("bribery/2")
    games = VectorEnv("bribery/2", games=1, seed=3)
    state = variant.start(variant.deal(random.Random("vector 3 0")))
    while (seat := state.seat_to_act) is not None:
        assert np.array_equal(
            games.observations[0], np.frombuffer(network.encoding.encode(state.view(seat)), np.int8)
        )
        logs, _ = network.evaluate(games.observations, games.masks)
        number = int(logs.argmax())
        action = policy.act(state.view(seat), list(state.legal_actions()))
        assert action == network.encoding.actions[number]
        state.apply(action)
        games.step([number])


def test_weights_of_another_encoding_are_refused(tmp_path: Path) -> None:
    network = network_for("pot-de-vin/3")
    network.save(tmp_path / "weights.npz")
    with pytest.raises(ValueError, match=r"for 'pot-de-vin/3 .* expected 'pot-de-vin/4"):
        Policy(tmp_path / "weights.npz", get_variant("pot-de-vin/4").encoding())


# -- the parts of a game -------------------------------------------------------------------------


@pytest.mark.parametrize("variant_id", ["pot-de-vin/3", "bribery/2"])
def test_a_part_has_what_is_labelled_with_its_name_or_groups(variant_id: str) -> None:
    variant = get_variant(variant_id)
    encoding, groups = variant.encoding(), groups_in(variant.game)
    parts = parts_of(encoding, groups)
    labels = [(part.label(n), part) for part in encoding.slices for n in range(part.length)]
    for (name, own_groups), inputs, actions in zip(
        groups.items(), parts.inputs.tolist(), parts.actions.tolist(), strict=True
    ):
        for place in inputs:
            words = f" {labels[place][0]} "
            assert place == NONE or any(f" {word} " in words for word in (name, *own_groups))
        assert all(name in encoding.actions[number].split() for number in actions)


def test_each_action_is_that_of_a_part_or_of_the_rest() -> None:
    network = network_for("bribery/2")
    numbers = sorted([*network.parts.actions.ravel().tolist(), *network.rest.tolist()])
    assert numbers == list(range(len(network.encoding.actions)))


def test_other_games_have_no_parts_yet() -> None:
    with pytest.raises(SettingsError, match="brides-and-bribes"):
        groups_in("brides-and-bribes")


# -- gradients and advantages --------------------------------------------------------------------


def loss_of(outputs: Outputs, batch: Experience, settings: PpoSettings) -> float:
    """Return the loss whose gradient `loss_gradient` returns, written as it is published."""
    rows = np.arange(len(batch.actions))
    logs = log_softmax(outputs.logits, batch.masks).astype(float)
    ratio = np.exp(logs[rows, batch.actions] - batch.logs)
    clipped = np.clip(ratio, 1 - settings.clip, 1 + settings.clip)
    surrogate = np.minimum(ratio * batch.advantages, clipped * batch.advantages)
    entropy = -(np.exp(logs) * np.where(batch.masks, logs, 0)).sum(axis=1)
    squares = (outputs.values - batch.targets) ** 2
    loss = -surrogate - settings.entropy * entropy + settings.value * squares / 2
    return float(loss.mean())


def test_the_gradient_is_that_of_the_loss() -> None:
    network, settings = network_for("pot-de-vin/3"), PpoSettings(entropy=0.1)
    games = VectorEnv("pot-de-vin/3", games=6, seed=1)
    rng = np.random.default_rng(2)
    for weights in network.weights.values():
        weights += rng.normal(0, 0.2, weights.shape).astype(np.float32)
    outputs = network.outputs(games.observations)
    logs = log_softmax(outputs.logits, games.masks)
    actions = logs.argmax(axis=1)
    batch = Experience(
        games.observations,
        games.masks,
        actions,
        logs[np.arange(6), actions] + np.float32(0.05),
        np.linspace(-1, 1.5, 6, dtype=np.float32),
        np.linspace(1, -1, 6, dtype=np.float32),
    )
    gradient = network.gradient(outputs, *loss_gradient(outputs, batch, settings))
    assert gradient.keys() == network.weights.keys()
    for name, weights in network.weights.items():
        direction = gradient[name] / (np.linalg.norm(gradient[name]) + 1e-12)
        before, step = weights.copy(), np.float32(1e-2)
        weights += step * direction
        ahead = loss_of(network.outputs(games.observations), batch, settings)
        weights[:] = before - step * direction
        behind = loss_of(network.outputs(games.observations), batch, settings)
        weights[:] = before
        slope = (ahead - behind) / (2 * float(step))
        assert slope == pytest.approx(float(np.linalg.norm(gradient[name])), rel=0.05, abs=1e-4)


def test_advantages_compare_with_the_reward_or_with_the_next_value() -> None:
    values = [0.5, 0.25, 0.75]
    advantages, targets = estimates(values, 1.0, smoothing=1)
    assert advantages.tolist() == [0.5, 0.75, 0.25]
    assert targets.tolist() == [1, 1, 1]
    advantages, targets = estimates(values, 1.0, smoothing=0)
    assert advantages.tolist() == [-0.25, 0.5, 0.25]
    assert targets.tolist() == [0.25, 0.75, 1]
