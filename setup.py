"""Compiles the marked modules with mypyc if asked to; all else is in pyproject.toml.

    BRIBE_ARENA_COMPILE=1 pip install .

gives the same games and records, faster (`benchmarks/README.md`). Without the variable, and in an
editable install always, everything is plain Python: beside sources that are edited, compiled
modules would go on playing yesterday's rules.
"""

import compileall
import os
import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup

PACKAGES = ("engine", "arena", "bots")
MARK = "\n# compiled: see setup.py\n"
"""Marks a module of a game, of a bundled bot or of the search, which decides how deep bots search.
Structs, variants and classes that others inherit from stay plain."""
COMPILED = os.environ.get("BRIBE_ARENA_COMPILE", "") not in ("", "0")
FAILED = """BRIBE_ARENA_COMPILE is set, but the games could not be compiled: {}
A C compiler and the headers of Python are needed; without the variable the games are installed as
plain Python"""


def compiled_modules(folder: str) -> list[Extension]:
    """Return the marked modules, to be compiled in `folder`."""
    from mypyc.build import mypycify

    files = sorted([path for package in PACKAGES for path in Path(package).rglob("*.py")])
    marked = [str(path) for path in files if MARK in path.read_text("utf-8")]
    options = {"target_dir": folder, "group_name": "bribe_arena", "multi_file": True}
    # What else the arena imports is not needed for a build.
    modules = mypycify(["--follow-imports=silent", *marked], opt_level="2", **options)
    if sys.platform != "win32":
        for module in modules:  # loaded sooner, with direct calls; no path of this build within
            module.extra_compile_args += ["-fvisibility=hidden", "-g0"]
    return modules


if "bdist_wheel" in sys.argv:
    with tempfile.TemporaryDirectory() as folder:  # an old one may hold modules that are gone
        modules = compiled_modules(folder) if COMPILED else []
        try:
            setup(ext_modules=modules, options={"build": {"build_base": folder}})
        except (SystemExit, OSError) as error:
            if not COMPILED:
                raise
            sys.exit(FAILED.format(error))
elif COMPILED and "editable_wheel" in sys.argv:
    sys.exit("BRIBE_ARENA_COMPILE is set, and an editable install is plain Python: omit one")
elif COMPILED:  # setuptools asks what it needs; mypy wants the types of what the modules import
    setup(setup_requires=["mypy>=1.13", "msgspec", "pluggy"])
else:
    setup()
    if "editable_wheel" in sys.argv:  # as pip does for other installs: no process has to compile
        for package in PACKAGES:
            compileall.compile_dir(package, quiet=2)
