"""Policies as files: what is written is what the bot computes, and what does not fit is refused."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from arena.base.errors import SettingsError
from arena.extras.learn.policy_file import Layers, layers_of, save_policy
from engine import get_variant
from tests.arena.command import arena

ENCODING = get_variant("pot-de-vin/3").encoding()


def layers(outputs: int = len(ENCODING.actions)) -> Layers:
    return Layers([np.zeros((outputs, ENCODING.size))], [np.zeros(outputs)])


class Tanh:
    """An activation, as torch names it."""


class Sigmoid:
    """Another one, which the file does not know."""


class FlattenExtractor:
    """Features that are the numbers of the vector, as Stable-Baselines3 names them."""


class Tensor:
    """A tensor, as far as it is read."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def detach(self) -> "Tensor":
        return self

    cpu = detach

    def numpy(self) -> Any:
        return self.array


def linear(inputs: int, outputs: int) -> Any:
    weight, bias = Tensor(np.ones((outputs, inputs))), Tensor(np.ones(outputs))
    return SimpleNamespace(weight=weight, bias=bias)


def model(*activations: object, features: object = FlattenExtractor()) -> Any:
    net = [part for activation in activations for part in (linear(4, 4), activation)]
    policy = {"mlp_extractor": SimpleNamespace(policy_net=net), "action_net": linear(4, 2)}
    return SimpleNamespace(policy=SimpleNamespace(**policy, features_extractor=features))


def test_the_layers_of_a_model_are_read_without_torch() -> None:
    found = layers_of(model(Tanh(), Tanh()))
    assert [weights.shape for weights in found.weights] == [(4, 4), (4, 4), (2, 4)]
    assert [bias.shape for bias in found.biases] == [(4,), (4,), (2,)]
    assert found.activation == "tanh"


def test_a_scale_becomes_part_of_the_first_layer() -> None:
    scale = SimpleNamespace(scale=Tensor(np.array([1, 2, 3, 4])))
    first, *others = layers_of(model(Tanh(), features=scale)).weights
    assert first.tolist() == [[1, 2, 3, 4]] * 4
    assert all((weights == 1).all() for weights in others)


@pytest.mark.parametrize("activations", [(Sigmoid(),), (Tanh(), Sigmoid())])
def test_other_activations_are_refused(activations: tuple[object, ...]) -> None:
    with pytest.raises(SettingsError, match="sigmoid"):
        layers_of(model(*activations))
    with pytest.raises(SettingsError, match="features of a object"):
        layers_of(model(Tanh(), features=object()))


def test_a_policy_of_another_size_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"to 5 actions, expected 802 and 53"):
        save_policy(tmp_path / "policy.npz", "pot-de-vin/3", layers(5))
    with pytest.raises(SettingsError, match="history=2"):
        save_policy(tmp_path / "policy.npz", "pot-de-vin/3", layers(), history=2)


def test_a_file_that_is_no_policy_makes_no_bot(tmp_path: Path) -> None:
    file = tmp_path / "policy.npz"
    file.write_bytes(b"weights")
    made = arena("new", tmp_path / "bot", "--from-policy", file)
    assert made.exit_code == 2 or "save_policy" in made.stderr
    assert not (tmp_path / "bot").exists()
