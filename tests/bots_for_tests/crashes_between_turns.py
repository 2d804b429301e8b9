"""Answers twice and leaves with exit code 3."""

import os

from polite import play

play(2)
os._exit(3)
