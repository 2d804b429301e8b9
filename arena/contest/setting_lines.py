"""Advice on which line of a contest file to change, for a setting that has another value."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from arena.contest.contest_file import line_of


def lines_to_change(contest_file: Path, values: Mapping[str, object]) -> Iterator[str]:
    """Yield a phrase for each setting, by key, that says how the file gets its value.

    The file must be that of a contest. None stands for a setting that the file should not have.
    """
    text = contest_file.read_text("utf-8-sig")
    data = tomllib.loads(text)
    for key, value in values.items():
        names = key.split(".")
        table, name = names[:-1], names[-1]
        setting = f"`{name} = {msgspec.json.encode(value).decode()}`"
        inner = data
        for one in table:
            inner = inner.get(one, {})
        if name in inner:
            line = f"line {line_of(text, names)} of {contest_file}"
            yield f"remove {line}, `{name}`" if value is None else f"change {line} to {setting}"
        elif value is not None:
            where = f"to [{'.'.join(table)}]" if table else "above the first [table]"
            yield f"add {setting} {where} in {contest_file}"
