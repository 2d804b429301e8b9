"""What several charts share."""

from collections.abc import Sequence

from matplotlib.axes import Axes

WIDTH = 9.6
"""In inches of 72 points. On a page a point is about a pixel."""
NARROW_WIDTH = 5.4
"""Of charts that fit a phone; `static/style.css` lists them."""
GAP = "\N{EM SPACE}"
"""Between a name and a number. SVG merges plain spaces."""


def label_rows(axes: Axes, labels: Sequence[str]) -> None:
    """Label one row for each bot, the first at the top."""
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.grid(False, axis="y")
    axes.spines["left"].set_visible(False)
