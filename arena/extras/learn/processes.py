"""Games at once in several processes, which write to shared numpy buffers."""

import contextlib
import ctypes
import multiprocessing
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from arena.base.errors import ArenaError, SettingsError
from arena.extras.learn.options import check_options
from arena.extras.learn.vector import (
    Buffers,
    GamesAtOnce,
    Stepped,
    VectorEnv,
    VectorOptions,
    shapes_of,
)
from engine import get_variant

LEAVE_GRACE_S = 10.0
"""The time that a process has to end its opponents and leave."""
_Shape = tuple[tuple[int, ...], str]


class ProcessVectorEnv(GamesAtOnce):
    """Games of a variant at once, spread over processes. Use it as a context, or `close` it.

    The games are the same as those of a `VectorEnv` with the same seed, however many processes
    there are.
    """

    def __init__(
        self, variant_id: str, games: int, processes: int, **options: Unpack[VectorOptions]
    ) -> None:
        """Start the processes and begin the games.

        Args:
            variant_id: the variant.
            games: their number.
            processes: the number of processes; each gets as many games as the others, or one more.
            options: see `VectorOptions`; opponents are given by name, and each process has its own.

        Raises:
            ArenaError: a process could not begin its games; the error says why.
            SettingsError: an option is wrong.
        """
        if not 1 <= processes <= games:
            raise SettingsError(f"got processes={processes}, expected 1 to {games}, the games")
        variant = get_variant(variant_id)
        check_options(variant, options, VectorOptions.__annotations__)
        opponents = options.get("opponents", {})
        named = opponents.values() if isinstance(opponents, Mapping) else opponents
        if not all(isinstance(opponent, str) for opponent in named):
            raise SettingsError("opponents in other processes are given by name, not as agents")
        context = multiprocessing.get_context("spawn")  # a fork would copy locks of other threads
        self._declare(games, variant.encoding(options.get("history", 0)))
        shapes = shapes_of(variant_id, games, self.encoding.history)
        # Memory without a name, so that nothing is left behind whoever is killed.
        memory = [context.RawArray(ctypes.c_byte, _bytes_of(shape)) for shape in shapes]
        self.buffers = _buffers(memory, shapes)
        numbers = context.RawArray(ctypes.c_int32, games)
        self._numbers = np.ctypeslib.as_array(numbers)
        self._processes: list[tuple[Any, Connection]] = []
        for number in range(processes):
            rows = number * games // processes, (number + 1) * games // processes
            ours, theirs = context.Pipe()
            arguments = (theirs, (memory, shapes, numbers), rows, variant_id, options)
            process = context.Process(target=_play, args=arguments, daemon=True)
            process.start()
            theirs.close()
            self._processes.append((process, ours))
        self._await_all()

    @property
    def pids(self) -> list[int]:
        """The ids of its processes; none after `close`."""
        return [process.pid for process, _ in self._processes]

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Begin all games again; see `VectorEnv.reset`. Raises the errors of `step`."""
        if isinstance(seed, Sequence):
            raise SettingsError("got a sequence of seeds, expected one number for all processes")
        self._command(("reset", seed))
        return self.observations.copy(), self._infos()

    def step(self, actions: Sequence[int] | NDArray[np.integer]) -> Stepped:
        """Take an action in each game; see `VectorEnv.step`.

        Raises:
            ArenaError: a process failed; the error says why, and all processes have ended.
            IllegalAction, SettingsError: see `VectorEnv.step`.
        """
        actors = self.seats.copy()
        self._numbers[:] = self._checked(actions)
        self._command(("play", None))
        return self._stepped(actors)

    def _command(self, command: tuple[str, int | None]) -> None:
        for _, connection in self._processes:
            with contextlib.suppress(OSError):  # it has ended: that is seen when it is awaited
                connection.send(command)
        self._await_all()

    def close_extras(self, **options: Any) -> None:
        """End the processes, and with them their opponents."""
        processes, self._processes = self._processes, []
        for _, connection in processes:
            connection.close()  # tells it to leave
        for process, _ in processes:
            process.join(LEAVE_GRACE_S)
            if process.is_alive():
                process.kill()
                process.join()
            process.close()

    def _await_all(self) -> None:
        if not self._processes:
            raise ArenaError("the processes have ended: make another environment")
        failures = [_failure(connection) for _, connection in self._processes]
        if any(failures):
            self.close()
            raise ArenaError(next(failure for failure in failures if failure))


def _failure(connection: Connection) -> str:
    """Wait for a process, and return what went wrong there, or nothing."""
    try:
        return str(connection.recv())
    except (EOFError, OSError):
        return "a process of the environment was killed"


def _play(
    connection: Connection,
    shared: tuple[Sequence[Any], Sequence[_Shape], Any],
    rows: tuple[int, int],
    variant_id: str,
    options: VectorOptions,
) -> None:
    """Play the games of `rows` in a process of their own until the connection is closed."""
    memory, shapes, numbers = shared
    first, end = rows
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        try:
            part = _buffers(memory, shapes).part(first, end), first
            games = VectorEnv(variant_id, end - first, part, **options)
        except Exception as error:
            connection.send(f"{type(error).__name__}: {error}")
            return
        try:
            actions = np.ctypeslib.as_array(numbers)[first:end]
            connection.send("")
            while command := connection.recv():
                try:
                    if command[0] == "reset":
                        games.reset(seed=command[1])
                    else:
                        games.play(actions)
                except Exception as error:
                    connection.send(f"{type(error).__name__}: {error}")
                    return
                connection.send("")
        finally:
            games.close()


def _bytes_of(shape: _Shape) -> int:
    return int(np.prod(shape[0])) * np.dtype(shape[1]).itemsize


def _buffers(memory: Sequence[Any], shapes: Sequence[_Shape]) -> Buffers:
    """Return shared memory as arrays."""
    return Buffers(
        *[
            np.frombuffer(block, kind).reshape(shape)
            for block, (shape, kind) in zip(memory, shapes, strict=True)
        ]
    )
