"""Answers once and never again."""

from polite import hang, play

play(1)
hang()
