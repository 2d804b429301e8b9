"""Improve the error message when a bot looks up a field that its view doesn't have."""

import ast
import linecache
from collections.abc import Mapping
from itertools import islice
from types import FrameType, TracebackType
from typing import Any

from engine.errors import guess


def add_view_hint(error: KeyError, view: Mapping[str, Any]) -> None:
    """If a bot looked up a missing key in its view, add a note that lists the view's fields."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace and error.args and _subject(trace) is view:
        known = ", ".join(view)
        error.add_note(f"hint: the view{guess(str(error.args[0]), view)} its fields are {known}")


def _subject(trace: TracebackType) -> object:
    """Return the object in which the missing key was looked up, or None if it is unknown."""
    code = trace.tb_frame.f_code
    line, last_line, start, end = next(islice(code.co_positions(), trace.tb_lasti // 2, None))
    if line is None or line != last_line or start is None:
        return None
    source = linecache.getline(code.co_filename, line).encode()[start:end].decode()
    try:
        expression = ast.parse(source, mode="eval").body
    except SyntaxError:
        return None
    return (
        _value(expression.value, trace.tb_frame) if isinstance(expression, ast.Subscript) else None
    )


def _value(expression: ast.expr, frame: FrameType) -> object:
    if isinstance(expression, ast.Name):
        return frame.f_locals.get(expression.id, frame.f_globals.get(expression.id))
    if isinstance(expression, ast.Attribute):
        return getattr(_value(expression.value, frame), "__dict__", {}).get(expression.attr)
    return None
