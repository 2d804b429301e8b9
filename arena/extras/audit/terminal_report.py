"""The report of an audit in a terminal."""

import textwrap
from collections.abc import Iterator

from arena.extras.audit.report import Paragraph, Report

MAX_WIDTH = 100
"""Columns of the widest lines. Longer ones are hard to read."""
INDENT = "  "
MARKS = {"finding": "! ", "open": "? "}
"""What stands in front of a paragraph, by kind, in place of the indent."""


def lines_of(report: Report, width: int = MAX_WIDTH) -> Iterator[str]:
    """Yield the lines of a report for a terminal of `width` columns.

    Commands are never divided, so that they can be copied.
    """
    width = min(width, MAX_WIDTH)
    yield from textwrap.wrap(report.headline, width)
    for section in report.sections:
        yield ""
        yield section.title
        for paragraph in section.paragraphs:
            yield from _lines(paragraph, width)


def _lines(paragraph: Paragraph, width: int) -> Iterator[str]:
    yield from textwrap.wrap(
        paragraph.text,
        width,
        initial_indent=MARKS.get(paragraph.kind, INDENT),
        subsequent_indent=INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
    if paragraph.commands:
        yield f"{INDENT}Look at:"
        for command in paragraph.commands:
            yield f"{INDENT * 2}{command}"
