"""Run the command `arena` with `python -m arena`."""

from arena.cli import main

main(prog_name="arena")
