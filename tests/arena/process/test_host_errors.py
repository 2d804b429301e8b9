"""Errors of this machine where a bot is started or waited for: they are never a bot's fault."""

import errno
import os
import select
import subprocess
import time
from typing import Any

import pytest

from arena.base.contracts import SandboxSettings
from arena.base.errors import HostError
from arena.base.protocol import Ready
from arena.match.driver import Driver
from arena.match.settings import MatchSettings
from arena.process.local import PAUSES_S, LocalProcesses
from arena.process.sandboxed_processes import BOT_ERRORS, SHORTAGES
from tests.arena.playing import PATIENT, by_name, children, first

HOST_ERRORS = sorted({*SHORTAGES, errno.EIO, errno.ENODEV, errno.EBUSY, errno.EFAULT})


def fail_to_start(monkeypatch: pytest.MonkeyPatch, number: int, times: float) -> list[int]:
    """Have the next `times` starts of a process fail, and return a list of all starts."""
    starts: list[int] = []
    popen = subprocess.Popen

    def start(*words: Any, **options: Any) -> "subprocess.Popen[bytes]":
        starts.append(number)
        if len(starts) <= times:
            raise OSError(number, os.strerror(number))
        return popen(*words, **options)

    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    return starts


@pytest.mark.parametrize("number", HOST_ERRORS, ids=errno.errorcode.get)
def test_lack_of_resources_ends_the_run_after_retries(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = fail_to_start(monkeypatch, number, float("inf"))
    text = rf"^cannot start the bot 'first': {os.strerror(number)}; .*; finished games are kept$"
    with (
        pytest.raises(HostError, match=text) as caught,
        Driver(by_name(first()), MatchSettings(PATIENT)) as driver,
    ):
        driver.start_bots()
    assert SHORTAGES.get(number, "check the machine") in str(caught.value)
    assert len(starts) == 1 + len(PAUSES_S)
    assert not children()


@pytest.mark.parametrize("times", range(1 + len(PAUSES_S)))
def test_bot_starts_after_a_shortage(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    starts = fail_to_start(monkeypatch, errno.EAGAIN, times)
    transport = LocalProcesses(PATIENT, SandboxSettings())
    transport.start(first()).kill()
    transport.await_leaving()
    assert len(starts) == 1 + times


@pytest.mark.parametrize("number", sorted(BOT_ERRORS), ids=errno.errorcode.get)
def test_unstartable_command_is_a_fault(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    starts = fail_to_start(monkeypatch, number, float("inf"))
    with Driver(by_name(first()), MatchSettings(PATIENT)) as driver:
        fault = driver.start_bots()["first"]
    assert getattr(fault, "kind", "") == "start"
    assert os.strerror(number) in getattr(fault, "text", "")
    assert set(starts) == {number}


def test_lack_of_descriptors_while_waiting_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    class Poll:
        def register(self, *words: object) -> None:
            pass

        def poll(self, wait_ms: float) -> list[tuple[int, int]]:
            raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))

    monkeypatch.setattr(select, "poll", Poll)
    with pytest.raises(HostError, match=r"^cannot wait for bots: .*; lower sandbox.memory_mib"):
        LocalProcesses(PATIENT, SandboxSettings()).wait(0.0)


def test_referee_is_independent_of_bots_resources(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel counts watches of epolls and pipes by user, and bots are of the same user."""

    def refuse(*words: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for name in ("epoll", "kqueue"):
        monkeypatch.setattr(select, name, refuse, raising=False)
    for name in ("eventfd", "pidfd_open", "openpty", "memfd_create"):
        monkeypatch.setattr(os, name, refuse, raising=False)
    with Driver(by_name(first()), MatchSettings(PATIENT)) as driver:
        assert isinstance(driver.start_bots()["first"], Ready)
