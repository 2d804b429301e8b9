"""The filters of system calls: programs for the kernel, compiled from a table.

    python -m arena.sandbox.seccomp

writes them beside this module, where the sandbox levels find them. Do this after a change of
`seccomp.toml`. A filter is a program of classic BPF: a row of instructions of 8 bytes, which the
kernel runs at each system call with the call's number, architecture and arguments.
"""

import platform
import struct
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

FOLDER = Path(__file__).parent
TABLE = FOLDER / "seccomp.toml"
LEVELS = ("limits", "isolated")

LOAD, AND, JUMP, EQUAL, ABOVE, ANY_BIT, RETURN = 0x20, 0x54, 0x05, 0x15, 0x25, 0x45, 0x06
"""Instructions: load a word of the call, keep some of its bits, jump, jump if (equal, above, any
bit set), return."""
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT, ARGUMENT_BYTES = 0, 4, 16, 8
"""The places of the facts of a call, in bytes; both architectures are little-endian."""
ALLOW, DENY, KILL = 0x7FFF0000, 0x00050000, 0x80000000
"""Results of a filter: allow the call, have it fail with the error in the lower bits, or kill."""

Instruction = tuple[int, int, int, int]
"""Operation, jump if true, jump if false, operand."""
Error = Literal["EPERM", "EINVAL", "ENOSYS", "EOPNOTSUPP", "EAFNOSUPPORT"]


class DeniedCalls(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Calls that always fail."""

    why: str
    error: Error
    calls: dict[str, tuple[int, int]]
    """The numbers on each architecture, in the order of `Table.architectures`."""
    limits: bool = False
    """Whether the level `limits` denies them too."""


class ArgumentRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Calls that fail by the value of an argument. One of the four conditions is given."""

    why: str
    error: Error
    calls: dict[str, tuple[int, int]]
    argument: int
    where: tuple[int, int] | None = None
    """Another argument and the value that it has; None for all calls."""
    bits: tuple[int, ...] = ()
    masked: tuple[int, int] | None = None
    """Some bits, and the value that they have."""
    values: tuple[int, ...] = ()
    other_than: tuple[int, ...] = msgspec.field(default=(), name="except")
    limits: bool = False


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `seccomp.toml`."""

    newest: int
    architectures: dict[str, int]
    errors: dict[Error, int]
    denied: tuple[DeniedCalls, ...]
    checked: tuple[ArgumentRule, ...]


def read_table() -> Table:
    """Return the table of denied calls."""
    return msgspec.convert(tomllib.loads(TABLE.read_text("utf-8")), Table)


def filter_path(level: str) -> Path:
    """Return the file with the filter of a level."""
    return FOLDER / f"{level}.bpf"


def lacks_filter(machine: str = "") -> str | None:
    """Return why there is no filter for an architecture, or for that of this machine, or None."""
    machine = machine or platform.machine()
    known = read_table().architectures
    if machine in known:
        return None
    return f"its filter of system calls knows {' and '.join(known)}, not {machine!r}"


def compile_filter(level: str) -> bytes:
    """Return the filter of a level as the kernel takes it.

    A program of another architecture is killed at its first call: its calls have other numbers.
    """
    table = read_table()
    program: list[Instruction] = [(LOAD, 0, 0, ARCHITECTURE_AT)]
    for place, number in enumerate(table.architectures.values()):
        part = list(_part(table, place, level))
        program += [(EQUAL, 1, 0, number), (JUMP, 0, 0, len(part)), *part]
    program.append((RETURN, 0, 0, KILL))
    return b"".join([struct.pack("<HBBI", *instruction) for instruction in program])


def _part(table: Table, place: int, level: str) -> Iterator[Instruction]:
    """Yield the instructions of the architecture at `place` of the table. All paths return."""
    yield (LOAD, 0, 0, NUMBER_AT)
    yield from _return_unless((ABOVE, 0, 1, table.newest), DENY | table.errors["ENOSYS"])
    for denied in table.denied:
        if denied.limits or level != "limits":
            for numbers in denied.calls.values():
                if numbers[place] >= 0:
                    test = (EQUAL, 0, 1, numbers[place])
                    yield from _return_unless(test, DENY | table.errors[denied.error])
    for number, rules in _rules_by_number(table, place, level).items():
        checks = [instruction for rule in rules for instruction in _check(rule, table)]
        yield (EQUAL, 0, len(checks) + 1, number)
        yield from (*checks, (RETURN, 0, 0, ALLOW))
    yield (RETURN, 0, 0, ALLOW)


def _rules_by_number(table: Table, place: int, level: str) -> dict[int, list[ArgumentRule]]:
    """Return the rules about arguments by the number of their call, in the order of the table."""
    found: dict[int, list[ArgumentRule]] = {}
    for rule in table.checked:
        if rule.limits or level != "limits":
            for numbers in rule.calls.values():
                found.setdefault(numbers[place], []).append(rule)
    return found


def _check(rule: ArgumentRule, table: Table) -> Iterator[Instruction]:
    """Yield the instructions that deny a call by its argument. Else they go on behind them."""
    conditions = list(_conditions(rule, DENY | table.errors[rule.error]))
    if rule.where:
        argument, value = rule.where
        yield (LOAD, 0, 0, ARGUMENTS_AT + ARGUMENT_BYTES * argument)
        yield (EQUAL, 0, len(conditions), value)
    yield from conditions


def _conditions(rule: ArgumentRule, deny: int) -> Iterator[Instruction]:
    """Yield the instructions that return `deny` by the argument of a rule."""
    yield (LOAD, 0, 0, ARGUMENTS_AT + ARGUMENT_BYTES * rule.argument)
    if rule.bits:
        yield from _return_unless((ANY_BIT, 0, 1, sum(rule.bits)), deny)
    if rule.masked:
        bits, value = rule.masked
        yield (AND, 0, 0, bits)
        yield from _return_unless((EQUAL, 0, 1, value), deny)
    for value in rule.values:
        yield from _return_unless((EQUAL, 0, 1, value), deny)
    for place, value in enumerate(rule.other_than):
        yield (EQUAL, len(rule.other_than) - place, 0, value)  # behind the return
    if rule.other_than:
        yield (RETURN, 0, 0, deny)


def _return_unless(test: Instruction, value: int) -> Sequence[Instruction]:
    """Return a test, and a return of `value` that its second jump, of 1, leaves out."""
    return (test, (RETURN, 0, 0, value))


def main() -> None:
    """Write the filters of both levels."""
    for level in LEVELS:
        filter_path(level).write_bytes(compile_filter(level))


if __name__ == "__main__":
    main()
