"""Compiles the marked modules with mypyc if asked to; all else is in pyproject.toml.

    BRIBE_ARENA_COMPILE=1 pip install .

gives the same games and records, faster (`benchmarks/README.md`). It needs a C compiler. Without
the variable, and in an editable install always, everything is plain Python: beside sources that are
edited, compiled modules would go on playing yesterday's rules.
"""

import compileall
import os
import sys
import tempfile
from pathlib import Path

from setuptools import setup

PACKAGES = ("engine", "arena", "bots")
MARK = "\n# compiled: see setup.py\n"
"""Stands below the docstring of a module that a playout, a decision of the referee or a bundled bot
calls often. Structs, variants and classes that others inherit from stay plain."""


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
            for package in PACKAGES:
                compileall.compile_dir(package, quiet=2)


def build_wheel(folder: str, compiled: bool) -> None:
    """Build a wheel in an empty folder, with compiled modules if `compiled`."""
    options = {"build": {"build_base": folder}}
    if not compiled:
        setup(options=options)
        return
    from mypyc.build import mypycify

    files = sorted([path for package in PACKAGES for path in Path(package).rglob("*.py")])
    modules = mypycify(
        [
            "--follow-imports=silent",  # what else the arena imports is not needed for a build
            *[str(path) for path in files if MARK in path.read_text("utf-8")],
        ],
        target_dir=folder,
        group_name="bribe_arena",
        multi_file=True,
        opt_level="2",
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
