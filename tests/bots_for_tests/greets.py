"""Prints a banner before it says `ready`."""

from polite import hang, listen

listen()
print("Welcome to my bot!", flush=True)
hang()
