"""The charts of a page as files: SVG, PNG and CSV."""

import csv
import io
from collections.abc import Iterable

import msgspec

from arena.contest.grades import text_cell
from arena.protocol import printable
from arena.publish.layout import chart_file
from arena.publish.pages import Chart, ChartFile
from arena.publish.picture import is_of_these_versions, svg_file
from arena.publish.site import Site


def with_files(site: Site, page: str, charts: Iterable[Chart]) -> list[Chart]:
    """Return the charts of `page` after writing the files of each to `site`.

    The PNG of a chart whose SVG file stays as it is also stays, and is not drawn again.
    """
    found = []
    for chart in charts:
        contents: dict[str, str | bytes] = {"csv": chart_csv(chart)}
        if chart.svg:
            svg = svg_file(chart.svg)
            contents = {"svg": svg, "png": _png(site, page, chart, svg), **contents}
        files = []
        for ending, content in contents.items():
            path = chart_file(page, chart.name, ending)
            site.write(path, content)
            files.append(ChartFile(ending.upper(), path))
        chart = msgspec.structs.replace(chart, files=tuple(files))
        if chart.script:
            chart = msgspec.structs.replace(chart, script_file=chart_file(page, chart.name, "js"))
            site.write(chart.script_file, chart.script)
        found.append(chart)
    return found


def _png(site: Site, page: str, chart: Chart, svg: str) -> bytes:
    """Return the PNG of a chart: that of the older site if the SVG file is the same there."""
    if site.earlier(chart_file(page, chart.name, "svg")) == svg.encode():
        png = site.earlier(chart_file(page, chart.name, "png"))
        if png and is_of_these_versions(png):
            return png
    return chart.picture.png()


def chart_csv(chart: Chart) -> str:
    """Return the numbers of a chart as CSV, safe to be opened in a spreadsheet."""
    text = io.StringIO()
    lines = chart.data or (chart.columns, *chart.rows)
    csv.writer(text, lineterminator="\n").writerows([map(_safe, line) for line in lines])
    return text.getvalue()


def _safe(text: str) -> str:
    """Return a cell that no spreadsheet runs as a formula, with what cannot be printed spelled out.

    Numbers and percentages stay.
    """
    is_number = text.lstrip("+-").replace(".", "", 1).rstrip("%").isdecimal()
    return text if is_number else text_cell(printable(text))
