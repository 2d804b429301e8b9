"""How the certainty of the order grew with the games of a run."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from arena.publish.pages import Chart, Picture
from arena.publish.picture import (
    BAD,
    GOOD,
    INK,
    MUTED,
    NARROW_WIDTH,
    drawing,
    label_rows,
    picture_of,
    shortened_name,
)
from arena.rating.certificate import Border
from arena.rating.stop_rule import CertaintySnapshot

LOOKS = 24
"""Looks in a run without a stop rule."""
SHADES = ((0.5, 0.1), (0.75, 0.24), (0.95, 0.42), (0.99, 0.66))
"""From which certainty on a strip has which opacity."""
REVERSED = 0.3
"""The opacity where the order was the other way round."""
STRIP = 0.26
"""Half the height of a strip, of which there is one between each two rows."""
NUMBERED_LOOKS = 8
"""Looks in the table."""
NEARLY_ONE = 0.995


def certainty_chart(
    history: Sequence[CertaintySnapshot], names: Sequence[str], *, is_looked_at: bool
) -> Chart:
    """Return the chart of certainty.

    Args:
        history: the looks at the run, at least one.
        names: all bots in the final order, at least two.
        is_looked_at: whether the run has a stop rule, so that `history` has what is certain.
    """
    title = "How certainty grew"
    text = (
        "A strip between each two neighbours: how certain it was after each number of games that "
        "the upper one is better, for this pair alone. The number at the end is the certainty now."
    )
    if is_looked_at:
        text += " A thick line begins where the line between the two was certain, and a dashed "
        text += "one where they were certainly close (~)."
    some = _some(history)
    return Chart(
        name="certainty",
        title=title,
        text=text,
        picture=_drawn(history, names, title, text),
        columns=("pair", *[f"{look.games:,} games" for look in some], "now"),
        rows=tuple(
            [
                (
                    f"{better} - {worse}",
                    *[_share(snapshot.certainty[place]) for snapshot in some],
                    _final(history[-1], place),
                )
                for place, (better, worse) in enumerate(pairwise(names))
            ]
        ),
    )


def _some(history: Sequence[CertaintySnapshot]) -> list[CertaintySnapshot]:
    """Return the looks of the table, evenly spread, with the last one."""
    step = max(1, -(-len(history) // NUMBERED_LOOKS))
    return list(history[::-1][::step])[::-1]


def _drawn(
    history: Sequence[CertaintySnapshot], names: Sequence[str], title: str, text: str
) -> Picture:
    with drawing():
        figure = Figure((NARROW_WIDTH, 1.2 + 0.4 * len(names)), layout="constrained")
        axes = figure.subplots()
        axes.set_xlim(0, history[-1].games)
        label_rows(axes, [shortened_name(name) for name in names])
        for place in range(len(names) - 1):
            _strip(axes, history, place)
        axes.set_xlabel("games")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        key = _key()
        figure.legend(
            handles=key,
            loc="outside upper left",
            ncols=len(key),
            frameon=False,
            borderpad=0.0,
            handlelength=1.2,
            columnspacing=1.4,
            fontsize=9,
        )
        return picture_of(figure, "certainty", title, text)


def _key() -> list[Patch]:
    """Return the legend of the colours."""
    ends = [start for start, _ in SHADES[1:]] + [1.0]
    texts = [
        f"{100 * start:g}-{100 * end:g}%" for (start, _), end in zip(SHADES, ends, strict=True)
    ]
    shades = [(GOOD, opacity) for _, opacity in SHADES]
    return [
        Patch(facecolor=color, label=label, linewidth=0)
        for color, label in [((BAD, REVERSED), "below 50%"), *zip(shades, texts, strict=True)]
    ]


def _strip(axes: Axes, history: Sequence[CertaintySnapshot], place: int) -> None:
    """Draw the strip below the bot at `place`. Each part of it ends at a look."""
    middle = place + 0.5
    parts = [part for part in _parts(history, place) if part[2] is not None]
    low, high = middle - STRIP, middle + STRIP
    squares = [[(a, low), (b, low), (b, high), (a, high)] for a, b, _ in parts]
    colors = [_color(value) for *_, value in parts if value is not None]
    axes.add_collection(PolyCollection(squares, facecolors=colors, linewidths=0))
    starts = [0, *[taken.games for taken in history]]
    for border, style in (("line", "-"), ("close", (0, (3, 2)))):
        own = [index for index, look in enumerate(history) if look.borders[place] == border]
        if own:
            ends = [starts[own[0]], history[own[-1]].games]
            axes.plot(ends, [middle] * 2, color=INK, linewidth=2.2, linestyle=style)
    axes.annotate(
        _final(history[-1], place),
        (1.0, middle),
        xycoords=("axes fraction", "data"),
        xytext=(6, 0),
        textcoords="offset points",
        va="center",
        color=MUTED,
        annotation_clip=False,
    )


def _parts(
    history: Sequence[CertaintySnapshot], place: int
) -> Iterator[tuple[int, int, float | None]]:
    """Yield the parts of a strip of one shade each: first and last game, and certainty."""
    start = 0
    for number, look in enumerate(history):
        value = look.certainty[place]
        coming = history[number + 1 : number + 2]
        if not coming or _shade(coming[0].certainty[place]) != _shade(value):
            yield start, look.games, value
            start = look.games


def _shade(value: float | None) -> tuple[str, float] | None:
    return None if value is None else _color(value)


def _color(value: float) -> tuple[str, float]:
    """Return the colour of a certainty, and its opacity."""
    if value < SHADES[0][0]:
        return BAD, REVERSED
    return GOOD, max(opacity for start, opacity in SHADES if value >= start)


def _final(last: CertaintySnapshot, place: int) -> str:
    """Return what is certain of two neighbours now."""
    words: dict[Border, str] = {"line": "line", "close": "~"}
    return words.get(last.borders[place]) or _share(last.certainty[place])


def _share(value: float | None) -> str:
    """Return a certainty as text, which is never rounded to 0 or 1."""
    if value is None:
        return ""
    if value >= NEARLY_ONE:
        return ">0.99"
    return "<0.01" if value <= 1 - NEARLY_ONE else f"{value:.2f}"
