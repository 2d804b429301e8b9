"""Trains a policy with MaskablePPO of sb3-contrib, and makes a bot of it.

    pip install 'bribe-arena[learn]' sb3-contrib tensorboard
    python examples/train_maskable_ppo.py pot-de-vin/3 --opponents planner greedy --steps 500000
    tensorboard --logdir training

With `--teacher planner` the policy first imitates that bot, in the games of a run. The folder of
the training has the checkpoints and the log of TensorBoard; it continues from the last checkpoint.
After each `--every` steps the policy becomes a bot, and `arena.compare` says by what share of
boards it is better than `--rival`, with an interval.
"""

import argparse
import logging
import shutil
import subprocess
from pathlib import Path
from subprocess import PIPE

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import arena
from arena.extras.learn.data_files import episodes
from arena.extras.learn.policy_file import layers_of, save_policy
from arena.extras.learn.single_agent import SeatEnv

SETTINGS = {
    "n_steps": 512,
    "batch_size": 1024,
    "gamma": 1.0,
    "ent_coef": 0.01,
    "learning_rate": 3e-4,
    "policy_kwargs": {"net_arch": [256, 256]},
}
"""Of `MaskablePPO`, with 16 games at once."""
PASSES = 4
"""How often the policy sees each decision of the teacher."""


def main() -> None:
    """Train, and say after each part how good the policy is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("variant")
    parser.add_argument("--opponents", nargs="+", default=["random"])
    parser.add_argument("--teacher", help="a bot that the policy imitates at first")
    parser.add_argument("--lessons", type=int, default=6000, help="rounds of the teacher")
    parser.add_argument("--rival", default="greedy", help="the bot that the policy is compared to")
    parser.add_argument("--steps", type=int, default=500_000)
    parser.add_argument("--every", type=int, default=100_000, help="steps from test to test")
    parser.add_argument("--boards", type=int, default=200, help="boards of a test, at most")
    parser.add_argument("--folder", type=Path, default=Path("training"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.getLogger("arena").setLevel(logging.ERROR)
    torch.set_num_threads(1)

    env = make_vec_env(
        lambda: SeatEnv(options.variant, opponents=options.opponents), n_envs=16, seed=options.seed
    )
    checkpoint = options.folder / "checkpoint.zip"
    if checkpoint.exists():
        model = MaskablePPO.load(checkpoint, env=env)
    else:
        log = str(options.folder / "tensorboard")
        model = MaskablePPO("MlpPolicy", env, seed=options.seed, tensorboard_log=log, **SETTINGS)
        if options.teacher:
            imitate(model, options)
            test(model, options)
    while model.num_timesteps < options.steps:
        model.learn(options.every, reset_num_timesteps=False)
        test(model, options)
    env.close()


def imitate(model: MaskablePPO, options: argparse.Namespace) -> None:
    """Learn the decisions of the teacher, and how its games ended, from a run in this process."""
    bots = sorted({options.teacher, "random", *options.opponents})
    run = arena.run(
        options.variant,
        bots,
        in_process=True,
        rounds=options.lessons,
        seed=options.seed,
        results=options.folder,
        name="lessons",
    )
    vectors, masks, actions, results = [], [], [], []
    for record in run.games(options.teacher):
        for episode in episodes(record):
            if episode.bot == options.teacher:
                vectors += episode.vectors[:-1]  # the last one is of the end
                masks += episode.masks[:-1]
                actions += episode.actions
                results += [episode.reward] * len(episode.actions)
    data = [torch.as_tensor(np.array(rows)) for rows in (vectors, masks, actions, results)]
    policy, order = model.policy, torch.Generator().manual_seed(options.seed)
    for passed in range(PASSES):
        for rows in torch.randperm(len(actions), generator=order).split(512):
            seen, legal, taken, reward = [part[rows] for part in data]
            values, logs, _ = policy.evaluate_actions(seen, taken, action_masks=legal.bool())
            loss = ((values.flatten() - reward) ** 2).mean() / 2 - logs.mean()
            policy.optimizer.zero_grad()
            loss.backward()
            policy.optimizer.step()
        print(f"{len(actions)} decisions of {options.teacher}, pass {passed + 1}: {loss:.3f}")


def test(model: MaskablePPO, options: argparse.Namespace) -> None:
    """Keep the policy, and say whether it is better than the rival."""
    model.save(options.folder / "checkpoint.zip")
    save_policy(options.folder / "policy.npz", options.variant, layers_of(model))
    bot = options.folder / "learner"
    shutil.rmtree(bot, ignore_errors=True)
    policy = options.folder / "policy.npz"
    subprocess.run(["arena", "new", bot, "--from-policy", policy], check=True, stdout=PIPE)
    found = arena.compare(
        options.rival,
        bot,
        options.variant,
        against=options.opponents,
        budget=options.boards,
        sandbox="none",
    )
    print(
        f"{model.num_timesteps} steps: {found.verdict} than {options.rival}, "
        f"{found.difference:+.1%} ({found.low:+.1%} to {found.high:+.1%})",
        flush=True,
    )
    model.logger.record("compare/difference", found.difference)


if __name__ == "__main__":
    main()
