"""Compile the system call filter from a table to a program for the kernel.

    python -m tools.seccomp

writes the filter to `arena/sandbox`. Run it after every change of `seccomp.toml`. A filter is a
classic BPF program: a sequence of 8-byte instructions. The kernel runs it at each system call
with the call's number, architecture and arguments.
"""

import struct
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from arena.sandbox.isolated import FILTER, MACHINES

LOAD, AND, JUMP, EQUAL, ABOVE, ANY_BIT, RETURN = 0x20, 0x54, 0x05, 0x15, 0x25, 0x45, 0x06
"""Instructions: load a word of the call, mask some of its bits, jump, jump if (equal, above, any
bit set), return."""
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT, ARGUMENT_BYTES = 0, 4, 16, 8
"""Byte offsets in the data of a call. Both architectures are little-endian."""
ALLOW, DENY, KILL = 0x7FFF0000, 0x00050000, 0x80000000
"""Results of a filter: allow the call, return the error in the lower bits, or kill the process."""

Instruction = tuple[int, int, int, int]
"""Operation, jump if true, jump if false, operand."""
Error = Literal["EPERM", "EINVAL", "ENOSYS", "EOPNOTSUPP", "EAFNOSUPPORT"]


class DeniedCalls(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Calls that fail with another error than EPERM."""

    why: str
    error: Error
    calls: dict[str, tuple[int, int]]
    """The numbers on each architecture, in the order of `Table.architectures`."""


class ArgumentRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Allowed calls that fail for some values of an argument. One of the four conditions is set."""

    why: str
    error: Error
    calls: dict[str, tuple[int, int]]
    argument: int
    where: tuple[int, int] | None = None
    """Another argument and its required value. None means that the rule applies to all calls."""
    bits: tuple[int, ...] = ()
    masked: tuple[int, int] | None = None
    """Some bits, and their value."""
    values: tuple[int, ...] = ()
    other_than: tuple[int, ...] = msgspec.field(default=(), name="except")


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    newest: int
    architectures: dict[str, int]
    errors: dict[Error, int]
    allowed: dict[str, tuple[int, int, str]]
    """The numbers on each architecture, and the programs that make the call."""
    denied: tuple[DeniedCalls, ...]
    checked: tuple[ArgumentRule, ...]

    def allowed_numbers(self, place: int) -> set[int]:
        """Return the calls allowed on the architecture at `place`, some only for some arguments."""
        return {numbers[:2][place] for numbers in self.allowed.values()} - {-1}

    def denied_numbers(self, place: int) -> dict[int, Error]:
        """Return the errors, other than EPERM, of calls on the architecture at `place`."""
        found = {numbers[place]: row.error for row in self.denied for numbers in row.calls.values()}
        return {number: error for number, error in found.items() if number != -1}

    def rules(self, place: int) -> dict[int, list[ArgumentRule]]:
        """Return the rules about arguments by the number of their call, in order."""
        found: dict[int, list[ArgumentRule]] = {}
        for rule in self.checked:
            for numbers in rule.calls.values():
                found.setdefault(numbers[place], []).append(rule)
        return found


def read_table() -> Table:
    text = Path(__file__).with_suffix(".toml").read_text("utf-8")
    table = msgspec.convert(tomllib.loads(text), Table)
    if tuple(table.architectures) != MACHINES:
        raise ValueError(f"got {[*table.architectures]}, expected the machines {MACHINES}")
    return table


def compile_filter() -> bytes:
    """Return the filter as the kernel expects it.

    Programs for other architectures are killed at their first call, because their calls have
    different numbers.
    """
    table = read_table()
    program: list[Instruction] = [(LOAD, 0, 0, ARCHITECTURE_AT)]
    for place, number in enumerate(table.architectures.values()):
        part = list(_part(table, place))
        program += [(EQUAL, 1, 0, number), (JUMP, 0, 0, len(part)), *part]
    program.append((RETURN, 0, 0, KILL))
    return b"".join([struct.pack("<HBBI", *instruction) for instruction in program])


def _part(table: Table, place: int) -> Iterator[Instruction]:
    """Yield the instructions for the architecture at `place` of the table. All paths return."""
    yield (LOAD, 0, 0, NUMBER_AT)
    yield from _return_if(ABOVE, table.newest, DENY | table.errors["ENOSYS"])
    rules = table.rules(place)
    for number, found in rules.items():
        checks = [instruction for rule in found for instruction in _check(rule, table)]
        yield (EQUAL, 0, len(checks) + 1, number)
        yield from (*checks, (RETURN, 0, 0, ALLOW))
    for number in sorted(table.allowed_numbers(place) - {*rules}):
        yield from _return_if(EQUAL, number, ALLOW)
    for number, error in table.denied_numbers(place).items():
        yield from _return_if(EQUAL, number, DENY | table.errors[error])
    yield (RETURN, 0, 0, DENY | table.errors["EPERM"])


def _check(rule: ArgumentRule, table: Table) -> Iterator[Instruction]:
    """Yield the instructions that deny a call because of its argument, or else fall through."""
    conditions = list(_conditions(rule, DENY | table.errors[rule.error]))
    if rule.where:
        argument, value = rule.where
        yield (LOAD, 0, 0, ARGUMENTS_AT + ARGUMENT_BYTES * argument)
        yield (EQUAL, 0, len(conditions), value)
    yield from conditions


def _conditions(rule: ArgumentRule, deny: int) -> Iterator[Instruction]:
    """Yield the instructions that return `deny` if the argument meets the rule's condition."""
    yield (LOAD, 0, 0, ARGUMENTS_AT + ARGUMENT_BYTES * rule.argument)
    if rule.bits:
        yield from _return_if(ANY_BIT, sum(rule.bits), deny)
    if rule.masked:
        bits, value = rule.masked
        yield (AND, 0, 0, bits)
        yield from _return_if(EQUAL, value, deny)
    for value in rule.values:
        yield from _return_if(EQUAL, value, deny)
    for place, value in enumerate(rule.other_than):
        yield (EQUAL, len(rule.other_than) - place, 0, value)  # behind the return
    if rule.other_than:
        yield (RETURN, 0, 0, deny)


def _return_if(test: int, operand: int, value: int) -> tuple[Instruction, Instruction]:
    """Return a test, and a return of `value` that is skipped if the test fails."""
    return (test, 0, 1, operand), (RETURN, 0, 0, value)


def main() -> None:
    FILTER.write_bytes(compile_filter())


if __name__ == "__main__":
    main()
