"""Hears the referee and never says `ready`."""

from polite import hang

hang()
