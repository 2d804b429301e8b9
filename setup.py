"""Compiles games, bots and the match loop with mypyc if asked to; all else is in pyproject.toml.

    BRIBE_ARENA_COMPILE=1 pip install .

gives the same games and records, faster (`benchmarks/README.md`). It needs a C compiler. Without
the variable, and in an editable install always, everything is plain Python: beside sources that are
edited, compiled modules would go on playing yesterday's rules.
"""

import compileall
import os
import sys
import tempfile

from setuptools import setup

COMPILED = {
    "bribery": (
        "actions",
        "cards",
        "control",
        "hidden",
        "parameters",
        "position",
        "rules.abilities",
        "rules.board",
        "rules.turns",
        "scoring",
        "state",
        "view.board",
        "view.build",
    ),
    "brides_and_bribes": (
        "actions",
        "events.history",
        "hidden.borough_questions",
        "hidden.from_view",
        "hidden.layout",
        "hidden.phase_questions",
        "hidden.questions",
        "hidden.redrawing",
        "parameters",
        "position.log",
        "position.position",
        "position.proofs",
        "position.resolution",
        "rules.abilities",
        "rules.boroughs",
        "rules.colonies",
        "rules.completion",
        "rules.declarations",
        "rules.effects",
        "rules.end_of_round",
        "rules.game",
        "rules.guides",
        "rules.murder",
        "rules.placement",
        "rules.play_windows",
        "rules.prices",
        "rules.rounds",
        "rules.set_up",
        "rules.targets",
        "rules.tile_plays",
        "scoring",
        "state",
        "tiles",
        "view.build",
    ),
    "pot_de_vin": ("actions", "hidden", "parameters", "position", "rules", "scoring", "state"),
}
"""What a playout calls, by game. Structs and variants stay plain: mypyc knows no msgspec."""
MATCH_LOOP = (
    "match.answers",
    "match.bots",
    "match.deadlines",
    "match.dispatcher",
    "match.driver",
    "match.freezing",
    "match.games_under_way",
    "match.host_stalls",
    "match.in_progress",
    "match.lives",
    "match.processor_time",
    "match.referee",
    "match.request_queue",
    "match.seat_messages",
    "match.verdict",
    "process.line_buffer",
)
"""What a decision of a bot calls in the arena."""
SHARED = ("draws",)
"""What all games call."""
SEARCH = ("arena.race", "arena.search", "bots.any_game.guide_formulas")
"""What bots call that think ahead. `arena.guide` stays plain, so others can inherit from it."""
BOTS = {
    "bribery": (
        "belief",
        "board",
        "control",
        "current",
        "evaluation",
        "forecast",
        "four_sides",
        "plays",
        "two_sides",
    ),
    "brides_and_bribes": (
        "abilities",
        "actions",
        "belief",
        "delegations",
        "evaluation",
        "hidden_tiles",
        "leaders",
        "placements",
        "plays",
        "prospects",
        "quick_view",
        "rehearsal",
        "situation",
        "terms",
        "tiles",
        "workers",
    ),
    "pot_de_vin": ("guide", "trick_values", "worth"),
}
"""What the bundled bots compute for a decision, by game.

Classes of quick bots stay plain, so that others can inherit from them, and so do guides that take
little of the time. The quick bots of Pot de Vin would gain nothing.
"""


def main() -> None:
    """Tell setuptools what to build."""
    compiled = os.environ.get("BRIBE_ARENA_COMPILE", "") not in ("", "0")
    if compiled and "editable_wheel" in sys.argv:
        sys.exit(
            "BRIBE_ARENA_COMPILE is set, and an editable install is never compiled: "
            "leave out either the variable or -e"
        )
    if "bdist_wheel" in sys.argv:
        with tempfile.TemporaryDirectory() as folder:  # an old one may hold modules that are gone
            build_wheel(folder, compiled)
    elif compiled:  # setuptools asks what it needs; mypy wants the types of what the modules import
        setup(setup_requires=["mypy>=1.13", "msgspec", "pluggy"])
    else:
        setup()
        if "editable_wheel" in sys.argv:
            # As pip does for other installs, so that no process has to compile, whatever
            # PYTHONDONTWRITEBYTECODE says. If a source changes, Python ignores its bytecode.
            for package in ("engine", "arena", "bots"):
                compileall.compile_dir(package, quiet=2)


def build_wheel(folder: str, compiled: bool) -> None:
    """Build a wheel in an empty folder, with compiled games and match loop if `compiled`."""
    options = {"build": {"build_base": folder}}
    if not compiled:
        setup(options=options)
        return
    from mypyc.build import mypycify

    names = [f"engine.{game}.{name}" for game, modules in COMPILED.items() for name in modules]
    names += [f"arena.{name}" for name in MATCH_LOOP]
    names += [f"engine.{name}" for name in SHARED]
    names += SEARCH
    names += [f"bots.{game}.{name}" for game, modules in BOTS.items() for name in modules]
    paths = [f"{name.replace('.', '/')}.py" for name in names]
    modules = mypycify(
        paths, target_dir=folder, group_name="bribe_arena", multi_file=True, opt_level="2"
    )
    if sys.platform != "win32":
        for module in modules:  # a bot loads them sooner, and calls between them are direct
            module.extra_compile_args.append("-fvisibility=hidden")
    try:
        setup(ext_modules=modules, options=options)
    except (SystemExit, OSError) as error:
        sys.exit(
            f"BRIBE_ARENA_COMPILE is set, but the games could not be compiled: {error}\n"
            "A C compiler and the headers of Python are needed; without the variable "
            "the games are installed as plain Python"
        )


main()
