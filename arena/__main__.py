"""`python -m arena`, which does what the command `arena` does."""

from arena.cli import main

main(prog_name="arena")
