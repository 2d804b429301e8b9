"""Compile the marked modules with mypyc on request. All other settings are in pyproject.toml.

    BRIBE_ARENA_COMPILE=1 pip install .

plays the same games faster (`benchmarks/README.md`). Without the variable, and in editable
installs, all modules are plain Python, because compiled modules would hide later edits of their
sources.
"""

import compileall
import os
import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup

PACKAGES = ("engine", "arena", "bots")
MARK = "\n# compiled: see setup.py\n"
"""Marks modules of games, bundled bots and the search, whose speed decides how deep bots search.
Structs, variants and base classes are not compiled."""
COMPILED = os.environ.get("BRIBE_ARENA_COMPILE", "") not in ("", "0")
FAILED = """BRIBE_ARENA_COMPILE is set, but the games could not be compiled: {}
Install a C compiler and Python's headers, or unset the variable to install plain Python"""


def compiled_modules(folder: str) -> list[Extension]:
    """Return the marked modules, to be compiled in `folder`."""
    from mypyc.build import mypycify

    files = sorted([path for package in PACKAGES for path in Path(package).rglob("*.py")])
    marked = [str(path) for path in files if MARK in path.read_text("utf-8")]
    options = {"target_dir": folder, "group_name": "bribe_arena", "multi_file": True}
    # Other packages that the arena imports are not needed for a build.
    modules = mypycify(["--follow-imports=silent", *marked], opt_level="2", **options)
    if sys.platform != "win32":
        for module in modules:  # faster loading and calls, and no build paths in the result
            module.extra_compile_args += ["-fvisibility=hidden", "-g0"]
    return modules


if "bdist_wheel" in sys.argv:
    with tempfile.TemporaryDirectory() as folder:  # an old folder may contain deleted modules
        modules = compiled_modules(folder) if COMPILED else []
        try:
            setup(ext_modules=modules, options={"build": {"build_base": folder}})
        except (SystemExit, OSError) as error:
            if not COMPILED:
                raise
            sys.exit(FAILED.format(error))
elif COMPILED and "editable_wheel" in sys.argv:
    sys.exit(
        "BRIBE_ARENA_COMPILE has no effect on an editable install: unset it, or install without -e"
    )
elif COMPILED:  # setuptools asks for build requirements; mypy needs the types of imported packages
    setup(setup_requires=["mypy>=1.13", "msgspec", "pluggy"])
else:
    setup()
    if (
        "editable_wheel" in sys.argv
    ):  # as pip does for other installs, so that no process has to compile
        for package in PACKAGES:
            compileall.compile_dir(package, quiet=2)
