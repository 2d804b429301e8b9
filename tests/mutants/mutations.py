"""Mutants of a module: the same code with one operator or constant changed."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

_BINARY = """
    Add_Sub Sub_Add Mul_Add Div_Mul FloorDiv_Mul FloorDiv_Add Mod_Add Mod_Mul Pow_Mul
    BitAnd_BitOr BitXor_BitAnd LShift_RShift RShift_LShift
"""
_COMPARISON = """
    Eq_NotEq NotEq_Eq Eq_LtE Eq_GtE Lt_LtE Lt_GtE LtE_Lt LtE_Gt Gt_GtE Gt_LtE GtE_Gt GtE_Lt
    Is_IsNot IsNot_Is
"""
_OTHER = """
    AddNot NumberReplacer ReplaceAndWithOr ReplaceBreakWithContinue ReplaceContinueWithBreak
    ReplaceFalseWithTrue ReplaceOrWithAnd ReplaceTrueWithFalse ReplaceUnaryOperator_Delete_Not
    ReplaceUnaryOperator_USub_UAdd ZeroIterationForLoop
"""
OPERATORS = (
    *(f"core/ReplaceBinaryOperator_{name}" for name in _BINARY.split()),
    *(f"core/ReplaceComparisonOperator_{name}" for name in _COMPARISON.split()),
    *(f"core/{name}" for name in _OTHER.split()),
)
"""Operators of Cosmic Ray whose mutants are hard to notice.

Others, such as a shift of floats, fail at once. Those of `|` are left out, since it joins types.
"""


class Change(NamedTuple):
    """Represents a change of a module by one operator, which is not made yet."""

    module: str
    operator: str
    number: int
    """Counts the changes of `module` by `operator`, from 0."""
    digest: str
    """Orders changes at random, but always in the same order."""


class Mutant(NamedTuple):
    """Represents a module with one change."""

    module: str
    line_number: int
    line: str
    """The line before the change, without indentation."""
    changed_line: str
    source: str
    """The changed module."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What stays the same while other lines of the module change."""
        return (self.module, self.line, self.changed_line)

    def __str__(self) -> str:
        return f"{self.module}:{self.line_number}\n    - {self.line}\n    + {self.changed_line}"


def module_changes(module: Path, source: str) -> Iterator[Change]:
    """Yield a change for each place of `source` that an operator can change.

    Where several operators can change a place, the change with the lowest digest is taken.
    Otherwise comparisons, which have most replacements, would fill a sample. Keywords of classes,
    such as `frozen`, are left out: they prevent mistakes that no code makes.
    """
    lines = source.splitlines()
    nodes = list(ast_nodes(get_ast(source)))
    places = defaultdict[tuple[int, int], list[Change]](list)
    repeated = Counter[str]()
    for name in OPERATORS:
        operator = get_operator(name)()
        starts = (start for node in nodes for start, _ in operator.mutation_positions(node))
        for number, (row, column) in enumerate(starts):
            if lines[row - 1].startswith("class "):
                continue
            text = f"{module.as_posix()}: {lines[row - 1]}: {column}, {name}"
            repeated[text] += 1
            digest = hashlib.sha256(f"{text}, {repeated[text]}".encode()).hexdigest()
            places[row, column].append(Change(module.as_posix(), name, number, digest))
    for changes in places.values():
        yield min(changes, key=lambda change: change.digest)


def make_mutant(change: Change, source: str) -> Mutant | None:
    """Return `source` with `change`, or None if that is no Python."""
    changed = mutate_code(source, get_operator(change.operator)(), change.number)
    try:
        compile(changed, change.module, "exec")
    except SyntaxError:
        return None
    pairs = zip(source.splitlines(), changed.splitlines(), strict=False)
    for line_number, (before, after) in enumerate(pairs, 1):
        if before != after:
            return Mutant(change.module, line_number, before.strip(), after.strip(), changed)
    return None
