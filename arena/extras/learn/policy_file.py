"""Policies as files that a bot reads without torch: `arena new NAME --from-policy FILE`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.base.errors import SettingsError
from engine import get_variant


class Layers(NamedTuple):
    """The layers of a policy from the vector of the encoding to a value for each action."""

    weights: Sequence[NDArray[np.float32]]
    """By layer, of shape (outputs, inputs)."""
    biases: Sequence[NDArray[np.float32]]
    """By layer, of shape (outputs,)."""
    activation: Literal["relu", "tanh"] = "tanh"
    """Between the layers."""


def layers_of(model: Any) -> Layers:
    """Return the policy of a model of Stable-Baselines3 with an `MlpPolicy`, such as `MaskablePPO`.

    A features extractor may multiply each number by `scale`, a tensor of shape (size,), and nothing
    else; that becomes part of the first layer.

    Raises:
        SettingsError: its network has other parts than linear layers with ReLU or tanh.
    """
    extractor = model.policy.features_extractor
    scale = getattr(extractor, "scale", None)
    if scale is None and type(extractor).__name__ != "FlattenExtractor":
        raise SettingsError(
            f"got features of a {type(extractor).__name__}, expected the numbers of the vector, or "
            "their product with its `scale`"
        )
    parts = [*model.policy.mlp_extractor.policy_net, model.policy.action_net]
    linear = [part for part in parts if hasattr(part, "weight")]
    others = {type(part).__name__.lower() for part in parts if part not in linear}
    if len(others) > 1 or not others <= {"relu", "tanh"}:
        raise SettingsError(
            f"got a policy with {', '.join(others)}, expected only ReLU or only tanh"
        )
    weights, biases = [
        [getattr(part, kind).detach().cpu().numpy() for part in linear]
        for kind in ("weight", "bias")
    ]
    if scale is not None:
        weights[0] = weights[0] * scale.cpu().numpy()
    return Layers(
        weights,
        biases,
        "relu" if "relu" in others else "tanh",
    )


def save_policy(file: str | Path, variant_id: str, layers: Layers, history: int = 0) -> None:
    """Write a policy to a `.npz` file, with the names of its variant and encoding.

    Args:
        file: the file; it has no pickled objects.
        variant_id: the variant that the policy was trained for.
        layers: the policy.
        history: the number of last events that it sees.

    Raises:
        EngineError: the variant is unknown.
        SettingsError: the layers do not fit the encoding of the variant.
    """
    encoding = get_variant(variant_id).encoding(history)
    sizes = [layers.weights[0].shape[1], *[len(bias) for bias in layers.biases]]
    expected = (encoding.size, len(encoding.actions))
    if (sizes[0], sizes[-1]) != expected:
        raise SettingsError(
            f"got a policy from {sizes[0]} numbers to {sizes[-1]} actions, expected {expected[0]} "
            f"and {expected[1]} for {variant_id} with history={history}"
        )
    arrays: dict[str, Any] = {
        f"{kind}_{number}": array.astype(np.float32)
        for kind, given in (("weight", layers.weights), ("bias", layers.biases))
        for number, array in enumerate(given)
    }
    np.savez_compressed(
        file,
        variant=np.array(variant_id),
        encoding=np.array(encoding.name),
        history=np.array(history),
        activation=np.array(layers.activation),
        **arrays,
    )
