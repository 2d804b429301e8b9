"""What is certain about the order of a table, as text."""

from arena.rating.certainty import Certificate, Neighbours

MAX_PAIRS = 3
"""Undecided neighbours that are named at once."""


def certainty_text(certificate: Certificate) -> str:
    """Return what is decided and what is not: `3 of 9 lines, 1 close; planner-collector 0.87`.

    Undecided neighbours come with the certainty that the first is better, the least certain first.
    """
    borders = [one.border for one in certificate.neighbours]
    text = f"{borders.count('line')} of {len(borders)} lines"
    if close := borders.count("close"):
        text += f", {close} close"
    undecided = [one for one in certificate.neighbours if one.border == "undecided"]
    undecided.sort(key=lambda one: one.certainty or 0.0)
    if undecided:
        text += f"; {', '.join(map(_pair_text, undecided[:MAX_PAIRS]))}"
    if more := len(undecided[MAX_PAIRS:]):
        text += f" and {more} more"
    return text


def _pair_text(pair: Neighbours) -> str:
    certainty = "" if pair.certainty is None else f" {pair.certainty:.2f}"
    return f"{pair.better}-{pair.worse}{certainty}"
