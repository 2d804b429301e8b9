"""Bots of the arena as opponents in an environment, each in a process of its own."""

import gc
from pathlib import Path
from typing import Any

import pytest

from arena.base.errors import BotError
from arena.base.record import Entrant
from arena.bot import Bot
from arena.extras.learn import Agent, as_agent
from arena.extras.shared.process_agent import BrokenBot, ProcessAgent
from arena.tournament.in_process import class_of
from engine import IllegalAction
from tests.arena.playing import BOTS, NEEDS_PROC, PATIENT, PYTHON

pytest.importorskip("gymnasium", reason="need the extra learn: pip install -e '.[learn]'")

from arena.extras.learn.single_agent import SeatEnv


def process_of(name: str) -> ProcessAgent:
    """Return a bot of the tests as an agent."""
    return ProcessAgent(Entrant(name, (*PYTHON, f"{name}.py"), str(BOTS), ""), PATIENT)


def first(env: SeatEnv) -> int:
    """Return the number of a legal action."""
    return int(env.action_masks().argmax())


def play(agent: Agent, variant_id: str = "bribery/2", seed: int = 1) -> Any:
    """Play a game against an agent, and return its last observation with its points."""
    return go_on(SeatEnv(variant_id, opponents=[agent]), seed)


def go_on(env: SeatEnv, seed: int) -> Any:
    """Play a game to its end."""
    env.reset(seed=seed)
    while True:
        seen, _, is_over, _, info = env.step(first(env))
        if is_over:
            return seen.tolist(), info["points"]


def test_agent_plays_like_bot_in_this_process() -> None:
    with as_agent("banker") as agent:
        ended = play(agent)
    assert ended == play(as_agent(class_of("banker")))


@NEEDS_PROC
def test_one_process_plays_all_seats_and_ends_with_close() -> None:
    agent = as_agent("random")
    env = SeatEnv("pot-de-vin/4", opponents=[agent])
    pids = set()
    for seed in range(2):
        go_on(env, seed)
        pids.add(agent.pid)
    (pid,) = pids
    assert Path(f"/proc/{pid}").exists()
    env.close()
    env.close()
    assert agent.pid is None
    assert not Path(f"/proc/{pid}").exists()


@NEEDS_PROC
def test_garbage_collected_agent_ends_its_process() -> None:
    agent = as_agent("random")
    env = SeatEnv("pot-de-vin/3", opponents=[agent])
    env.reset(seed=1)
    pid = agent.pid
    del agent, env
    gc.collect()
    assert not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("crashes_at_once", "crashes_at_once exited with code"),
        ("crashes_in_act", "its log ends:\nTraceback"),
        ("sends_a_long_line", "sent a line of more than"),
        ("answers_another_table", "expected `act` of table 1, turn"),
    ],
)
def test_broken_bot_raises_with_reason(name: str, text: str) -> None:
    agent = process_of(name)
    with pytest.raises(BrokenBot, match=text) as broken:
        play(agent)
    assert agent.pid is None
    assert broken.value.fault.text in str(broken.value)
    assert "Traceback" not in broken.value.fault.text


def test_rejects_unsuitable_agents_and_illegal_actions() -> None:
    class Cheat(Bot):
        def act(self, view: Any, legal: list[str]) -> str:
            return "cheat"

    with pytest.raises(IllegalAction, match="'cheat'"):
        play(as_agent(Cheat))
    with as_agent("banker") as agent, pytest.raises(BotError, match="only bribery"):
        play(agent, "pot-de-vin/3")
    with as_agent(BOTS / "ten_lines") as folder:
        assert play(folder)
    with pytest.raises(BotError, match="is closed"):
        play(folder)
    with pytest.raises(BotError, match="nobody"):
        as_agent("nobody")
