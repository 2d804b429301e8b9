"""Speaks a version of the protocol that is yet to come."""

from polite import hang, listen, say

listen()
say(type="ready", protocol=2)
hang()
