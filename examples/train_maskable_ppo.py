r"""Train a policy with MaskablePPO from sb3-contrib, and turn it into a bot.

    pip install '.[learn,torch]'
    python examples/train_maskable_ppo.py pot-de-vin/3 --teacher planner \
        --opponents planner collector --rival greedy
    tensorboard --logdir training

With `--teacher`, the policy first imitates the teacher bot in the games of a run. Then PPO
improves the policy against `--opponents`. Every `--every` steps, the policy is saved as a bot,
and `arena.compare` estimates how much better the policy is than `--rival` against the same
opponents. `--folder` contains the checkpoint, from which the same command continues, the bot
`learner`, the learning curve and the TensorBoard log.
"""

import argparse
import logging
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

import arena
from arena.extras.learn.single_agent import SeatEnv
from arena.extras.shared.rewards import rewards_of
from arena.match.referee import start_game
from engine import get_variant

GAMES = 24  # the learner plays an equal number in each seat
BATCH = 512
"""Number of the teacher bot's decisions in a training batch."""


class Scaled(BaseFeaturesExtractor):
    """Divides each number in a vector by the square root of its maximum."""

    def __init__(self, space: gymnasium.spaces.Box) -> None:
        super().__init__(space, space.shape[0])
        bounds = torch.as_tensor(space.high, dtype=torch.float32).clamp(min=1)
        self.register_buffer("scale", bounds**-0.5)  # part of the first layer in a bot

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        return vectors * self.scale


SETTINGS = {
    "n_steps": 256,
    "batch_size": 1024,
    "n_epochs": 4,
    "gamma": 1.0,
    "ent_coef": 0.003,
    "learning_rate": 1e-4,  # low, so that PPO keeps what the teacher taught
    "target_kl": 0.02,
    "policy_kwargs": {
        "net_arch": [256, 256],
        "activation_fn": torch.nn.ReLU,
        "features_extractor_class": Scaled,
    },
}
BOT = Path(__file__).with_name("policy_bot")


def read(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse options from `words`, or from the command line by default."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("variant")
    parser.add_argument("--opponents", nargs="+", default=["random"])
    parser.add_argument("--teacher", help="bot that the policy imitates first")
    parser.add_argument("--lessons", type=int, default=6000, help="rounds that the teacher plays")
    parser.add_argument(
        "--passes", type=int, default=4, help="training passes over the teacher's decisions"
    )
    parser.add_argument("--rival", required=True, help="bot with which the policy is compared")
    parser.add_argument("--steps", type=int, default=500_000, help="decisions of PPO")
    parser.add_argument("--every", type=int, default=60_000, help="steps between comparisons")
    parser.add_argument(
        "--boards", type=int, default=200, help="maximum number of boards in a comparison"
    )
    parser.add_argument("--folder", type=Path, default=Path("training"))
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(words)


def prepare(options: argparse.Namespace) -> MaskablePPO:
    """Return the model of the checkpoint, or a new model that has imitated the teacher bot."""
    logging.getLogger("arena").setLevel(logging.ERROR)
    torch.set_num_threads(1)
    torch.distributions.Distribution.set_default_validate_args(False)  # too strict for float32
    seats, others = get_variant(options.variant).seats, options.opponents
    first = [number // seats % len(others) for number in range(GAMES)]  # each is met in each seat
    games = [
        lambda seat=number % seats, opponents=others[k:] + others[:k]: SeatEnv(
            options.variant, seat=seat, opponents=opponents
        )
        for number, k in enumerate(first)
    ]
    env = VecMonitor(DummyVecEnv(games))
    checkpoint = options.folder / "checkpoint.zip"
    if checkpoint.exists():
        return MaskablePPO.load(checkpoint, env=env)
    log = str(options.folder / "tensorboard")
    model = MaskablePPO("MlpPolicy", env, seed=options.seed, tensorboard_log=log, **SETTINGS)
    if options.teacher:
        imitate(model, options)
    return model


def lessons_of(options: argparse.Namespace) -> list[torch.Tensor]:
    """Return the vectors, masks, actions and rewards of the teacher bot, from a run of games."""
    bots = {options.teacher, *options.opponents}
    if len(bots) < get_variant(options.variant).seats:
        bots.add("random")
    run = arena.run(
        options.variant,
        sorted(bots),
        in_process=True,
        rounds=options.lessons,
        seed=options.seed,
        workers=1,
        results=options.folder,
        name="lessons",
    )
    variant = get_variant(options.variant)
    encoding = variant.encoding()
    vectors, masks, actions, rewards = [], [], [], []
    for record in run.games(options.teacher):
        seat, state = record.entrants.index(options.teacher), start_game(variant.id, record.deal)
        for action in record.actions:
            if state.seat_to_act == seat:
                legal = state.legal_actions()
                numbers = encoding.numbers(legal)
                vectors.append(np.array(encoding.encode(state, seat), np.int8))
                masks.append(np.isin(np.arange(len(encoding.actions)), numbers))
                actions.append(numbers[legal.index(action)])
            state.apply(action)
        earned = rewards_of(state.outcome(), variant.sides, "ranks")[seat]
        rewards += [earned] * (len(actions) - len(rewards))
    shutil.rmtree(options.folder / "lessons")
    return [torch.as_tensor(np.array(rows)) for rows in (vectors, masks, actions, rewards)]


def imitate(model: MaskablePPO, options: argparse.Namespace) -> None:
    """Learn the teacher bot's decisions and the results of the teacher bot's games."""
    data = lessons_of(options)
    batches = [
        rows
        for number in range(options.passes)
        for rows in torch.randperm(
            len(data[0]), generator=torch.Generator().manual_seed(options.seed + number)
        ).split(BATCH)
    ]
    optimizer = torch.optim.Adam(model.policy.parameters(), 1e-3)
    rate = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0.02, len(batches))
    for rows in batches:
        vectors, masks, actions, rewards = [part[rows] for part in data]
        values, logs, _ = model.policy.evaluate_actions(vectors, actions, masks)
        loss = ((values.flatten() - rewards) ** 2).mean() / 2 - logs.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rate.step()
    print(f"{len(data[0])} decisions of {options.teacher}: loss {loss:.2f}", flush=True)


def save_policy(model: MaskablePPO, variant_id: str, file: Path) -> None:
    """Write the weights of a policy with ReLU between its layers, in the format of `policy_bot`."""
    parts = [*model.policy.mlp_extractor.policy_net, model.policy.action_net]
    layers = [part for part in parts if isinstance(part, torch.nn.Linear)]
    arrays = {"variant": variant_id, "encoding": get_variant(variant_id).encoding().name}
    for number, layer in enumerate(layers):
        arrays[f"weight_{number}"] = layer.weight.detach().cpu().numpy()
        arrays[f"bias_{number}"] = layer.bias.detach().cpu().numpy()
    arrays["weight_0"] = arrays["weight_0"] * model.policy.features_extractor.scale.cpu().numpy()
    np.savez_compressed(file, **arrays)


class Measurement(BaseCallback):
    """Saves the policy every `every` steps, and compares the policy with the rival bot."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Start a learning curve, or continue the learning curve in the folder."""
        super().__init__()
        self.options, self.curve = options, options.folder / "curve.csv"
        if not self.curve.exists():
            self.curve.parent.mkdir(parents=True, exist_ok=True)
            self.curve.write_text("steps,minutes,difference,low,high\n")
        *_, last = self.curve.read_text().splitlines()
        steps, minutes = last.split(",")[:2] if last[0].isdigit() else (-options.every, 0)
        self.steps, self.minutes = int(steps), float(minutes)

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self.steps + self.options.every:
            self.measure()

    def _on_training_end(self) -> None:
        if self.num_timesteps > self.steps:
            self.measure()

    def measure(self) -> None:
        """Save the checkpoint and the bot, and add a line to the learning curve."""
        options, folder, self.steps = self.options, self.options.folder, self.num_timesteps
        self.model.save(folder / "checkpoint.zip")
        bot, compared = folder / "learner", folder / "compared"
        shutil.copytree(BOT, bot, dirs_exist_ok=True)
        save_policy(self.model, options.variant, bot / "policy.npz")
        shutil.rmtree(compared, ignore_errors=True)
        found = arena.compare(
            options.rival,
            bot,
            options.variant,
            against=options.opponents,
            budget=options.boards,
            folder=compared,
            seed=options.seed,
            sandbox="none",
            progress=False,
        )
        numbers = {name: getattr(found, name) for name in ("difference", "low", "high")}
        row = [self.steps, round(self.minutes + processor_minutes(), 2)]
        with open(self.curve, "a") as curve:
            print(*row, *[round(number, 4) for number in numbers.values()], sep=",", file=curve)
        for name, number in numbers.items():
            self.logger.record(f"compare/{name}", number)
        print(
            f"{self.steps} steps: {found.verdict} than {options.rival}, {found.difference:+.1%} "
            f"({found.low:+.1%} to {found.high:+.1%})",
            flush=True,
        )


def processor_minutes() -> float:
    """Return the processor time of this process and its finished children, in minutes."""
    return sum(os.times()[:4]) / 60


def main() -> None:
    options = read()
    model = prepare(options)
    left = max(0, options.steps - model.num_timesteps)
    model.learn(left, Measurement(options), reset_num_timesteps=False)
    model.env.close()


if __name__ == "__main__":
    main()
