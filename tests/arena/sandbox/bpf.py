"""An interpreter of classic BPF programs, as the kernel runs them at each system call."""

import functools
import struct
from collections.abc import Sequence

from tools.seccomp import ABOVE, AND, ANY_BIT, EQUAL, JUMP, LOAD, RETURN


@functools.cache
def instructions_of(program: bytes) -> list[tuple[int, int, int, int]]:
    """Return the operation, the two jumps and the operand of each instruction."""
    return [*struct.iter_unpack("<HBBI", program)]


def run(program: bytes, architecture: int, number: int, arguments: Sequence[int] = ()) -> int:
    """Return what `program` returns for a system call."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    call = struct.pack("<iIQ6Q", number, architecture, 0, *padded)
    accumulator = at = 0
    instructions = instructions_of(program)
    for _ in instructions:  # a program only jumps forwards
        operation, if_true, if_false, operand = instructions[at]
        at += 1
        tests = {
            EQUAL: accumulator == operand,
            ABOVE: accumulator > operand,
            ANY_BIT: accumulator & operand != 0,
        }
        if operation == RETURN:
            return int(operand)
        if operation == LOAD:
            (accumulator,) = struct.unpack_from("<I", call, operand)
        elif operation == AND:
            accumulator &= operand
        elif operation == JUMP:
            at += operand
        else:
            at += if_true if tests[operation] else if_false
    raise AssertionError("the program does not return")
