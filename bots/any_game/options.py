"""Numbers on the command lines of the bots that simulate games."""

import argparse


def positive(text: str) -> int:
    """Return the number that `text` says, which must be at least 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, got {number}")
    return number
