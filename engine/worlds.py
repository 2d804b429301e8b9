"""Convert states to and from JSON, so that the referee can send random states (worlds) to bots.

States may contain numbers, strings, lists, tuples, sets, dicts, and references to classes and
functions of the game. Loading a state is safe, because it never calls the functions that the
state refers to.
"""

import sys
from collections.abc import Callable, Mapping
from functools import cache
from types import FunctionType
from typing import Any, Final

import msgspec

from engine.errors import WrongWorld

SCHEMA: Final = 1
_PLAIN: Final = (type(None), bool, int, float, str)
_ROWS: Final[Mapping[type, str]] = {tuple: "tuple", frozenset: "frozenset", set: "set"}
_MAKE: Final[Mapping[str, Callable[[Any], Any]]] = {
    "tuple": tuple,
    "frozenset": frozenset,
    "set": set,
}


class _World(msgspec.Struct):
    schema: int
    variant: str
    rules_version: int
    state: Any


def dump(variant: Any, state: Any) -> bytes:
    written = _write(state, variant)
    return msgspec.json.encode(_World(SCHEMA, variant.id, variant.rules_version, written))


def load(variant: Any, raw: bytes) -> Any:
    """Restore a state or position from the output of `dump`.

    Raises:
        WrongWorld: The state belongs to another variant, rules version or schema version.
    """
    try:
        world = msgspec.json.decode(raw, type=_World)
    except msgspec.DecodeError as error:
        raise WrongWorld(f"this is not a world of {variant.id}: {error}") from None
    expected = (SCHEMA, variant.id, variant.rules_version)
    got = (world.schema, world.variant, world.rules_version)
    if got != expected:
        raise WrongWorld(
            "got a world of schema {}, variant {}, rules version {}; expected schema {}, variant "
            "{}, rules version {}; install the version of the arena that sends it".format(
                *got, *expected
            )
        )
    return _read(world.state, variant)


def _write(value: Any, variant: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is list:
        return [_write(each, variant) for each in value]
    if kind is tuple:
        return {"tuple": [_write(each, variant) for each in value]}
    if kind in _ROWS:  # sort sets, so that equal sets give equal JSON
        rows = [_write(each, variant) for each in value]
        return {_ROWS[kind]: sorted(rows, key=msgspec.json.encode)}
    if kind is dict:
        pairs = [[_write(each, variant) for each in pair] for pair in value.items()]
        return {"dict": pairs}
    if value is variant:
        return {"variant": 0}
    if value is getattr(variant, "options", None):
        return {"options": 0}
    if kind is FunctionType or (not isinstance(value, type) and callable(value)):
        return {"function": f"{value.__module__}:{value.__qualname__}"}
    fields = {name: _write(getattr(value, name), variant) for name in _fields_of(value)}
    return {"class": f"{kind.__module__}:{kind.__qualname__}", "fields": fields}


def _fields_of(value: Any) -> list[str]:
    kind: Any = type(value)
    names = [*_slots_of(kind), *getattr(value, "__dict__", ())]
    return [name for name in names if hasattr(value, name)]


@cache
def _slots_of(kind: Any) -> tuple[str, ...]:
    compiled = getattr(kind, "__mypyc_attrs__", None)
    if compiled is not None:
        return tuple(name for name in compiled if name != "__dict__")
    names: list[str] = []
    for base in reversed(kind.__mro__):
        slots = base.__dict__.get("__slots__", ())
        names += [slots] if isinstance(slots, str) else slots
    return tuple(names)


def _read(written: Any, variant: Any) -> Any:
    if isinstance(written, list):
        return [_read(each, variant) for each in written]
    if not isinstance(written, dict):
        return written
    ((what, value), *rest) = written.items()
    if what in _MAKE:
        return _MAKE[what]([_read(each, variant) for each in value])
    if what == "dict":
        return {_read(key, variant): _read(each, variant) for key, each in value}
    if what == "variant":
        return variant
    if what == "options":
        return variant.options
    member = _find(value, variant)
    if what == "function":
        return member
    fields = {name: _read(each, variant) for name, each in rest[0][1].items()}
    if issubclass(member, msgspec.Struct):
        return member(**fields)
    made = member.__new__(member)
    for name, each in fields.items():
        object.__setattr__(made, name, each)
    return made


def _find(name: str, variant: Any) -> Any:
    module, _, path = name.partition(":")
    root = module.partition(".")[0]
    home = getattr(variant, "home", type(variant).__module__).partition(".")[0]
    member: Any = sys.modules.get(module) if root in ("engine", home) else None
    for part in path.split("."):
        member = getattr(member, part, None)
    if getattr(member, "__module__", None) != module:
        raise WrongWorld(
            f"a world of {variant.id} contains {name!r}, which is not part of its game"
        )
    return member
