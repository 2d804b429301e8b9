"""A matplotlib figure as a picture: SVG for the page, and PNG for documents."""

import io
from functools import cache

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.colors import to_hex, to_rgba, to_rgba_array
from matplotlib.figure import Figure

import arena
from arena.publish.pages import Picture
from arena.publish.svg import ON_PAPER, drawing, svg_of

PIXELS_PER_INCH = 144
DRAWN_BY = f"bribe-arena {arena.__version__}, matplotlib {mpl.__version__}"
_HEAD_BYTES = 512
"""Bytes at the start of a PNG that hold its metadata."""
_COLORS = ("color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor")
"""The properties of a matplotlib artist that may be colours of the page."""


def picture_of(figure: Figure, name: str, title: str, text: str) -> Picture:
    """Return the picture of a figure made inside `drawing`; see `svg_of` for the parameters."""
    svg = svg_of(figure, name, title, text)
    figure.set_layout_engine(None)  # the PNG keeps the layout of the SVG
    return Picture(svg, cache(lambda: _png_of(figure)))


def is_of_these_versions(png: bytes) -> bool:
    """Return whether a PNG was drawn by this version of the arena with this one of matplotlib."""
    return DRAWN_BY.encode() in png[:_HEAD_BYTES]


def _png_of(figure: Figure) -> bytes:
    """Return a figure as PNG in light colours. The figure gets these colours."""
    for artist in figure.findobj():
        _put_on_paper(artist)
    canvas = io.BytesIO()
    with drawing():
        figure.savefig(
            canvas,
            format="png",
            dpi=PIXELS_PER_INCH,
            facecolor="#ffffff",
            metadata={"Software": DRAWN_BY},
        )
    return canvas.getvalue()


def _put_on_paper(artist: Artist) -> None:
    """Replace the placeholders among the colours of an artist."""
    for name in _COLORS:
        get, put = getattr(artist, f"get_{name}", None), getattr(artist, f"set_{name}", None)
        if get is None or put is None:
            continue
        colors = get()
        if isinstance(colors, str):  # most; quicker than the conversions below
            if colors in ON_PAPER:
                put(ON_PAPER[colors])
            continue
        many = to_rgba_array(colors)
        on_paper = [to_rgba(ON_PAPER.get(to_hex(one), to_hex(one)), one[3]) for one in many]
        if len(many) and any(to_hex(one) in ON_PAPER for one in many):
            put(on_paper if len(many) > 1 or _is_collection(artist) else on_paper[0])


def _is_collection(artist: Artist) -> bool:
    return hasattr(artist, "get_paths")
