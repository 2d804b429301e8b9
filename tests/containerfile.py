"""The steps of the Containerfile as a script, since a test cannot count on a registry of images.

    python -m tests.containerfile [--plain]

runs them with bubblewrap in a root of its own, where the system is read-only and `/contest`, `/src`
and `/srv` are new. Steps of the package manager are not run: what they install must be on this
machine. Then it starts the server as the image does, and asks it for its first page. `--plain` does
not compile the games, which takes minutes.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).parent.parent
CONTAINERFILE = CHECKOUT / "deploy" / "Containerfile"
FOLDERS = ("contest", "src", "srv")
"""The folders of the image that its steps write to."""
KNOWN = {"FROM", "RUN", "COPY", "USER", "WORKDIR", "EXPOSE", "ENTRYPOINT", "CMD"}


class Step(NamedTuple):
    """An instruction of a Containerfile."""

    name: str
    text: str


def steps_in(text: str) -> Iterator[Step]:
    """Yield the instructions of a Containerfile. Raises `ValueError` for one that is not known."""
    for line in text.replace("\\\n", " ").splitlines():
        name, _, rest = line.partition(" ")
        if not line.strip() or name == "#":
            continue
        if name not in KNOWN:
            raise ValueError(f"got the instruction {name!r}, expected one of {', '.join(KNOWN)}")
        yield Step(name, rest.strip())


def missing_packages(command: str) -> list[str]:
    """Return the packages that a step of the package manager installs and this machine lacks."""
    _, _, names = command.partition(" install ")
    wanted = [one for one in names.split() if not one.startswith("-")]
    lacks = []
    for package in wanted:
        asked = ["dpkg-query", "--show", "--showformat", "${db:Status-Status}", package]
        found = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
        if found != "installed":
            lacks.append(package)
    return lacks


class Image:
    """A root with the system of this machine, read-only, and folders of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for name in FOLDERS:
            (folder / name).mkdir()
        self._programs = folder / "programs"
        self._programs.mkdir()
        python = Path(os.path.realpath(sys.executable))
        (self._programs / "python").symlink_to(python)
        self._working_folder = "/"

    def command(self, command: list[str]) -> list[str]:
        """Return the command as it is run in the image."""
        system = [f"/{one}" for one in sorted(os.listdir("/")) if one not in (*FOLDERS, "proc")]
        system = [one for one in system if one not in ("/dev", "/tmp")]
        bound = [word for one in system for word in ("--ro-bind", one, one)]
        own = [word for one in FOLDERS for word in ("--bind", str(self._folder / one), f"/{one}")]
        programs = ["--ro-bind", str(self._programs), "/tmp/programs"]
        path = f"/tmp/programs:{os.environ['PATH']}"
        return [
            *("bwrap", "--die-with-parent", "--tmpfs", "/", *bound, "--dev", "/dev"),
            *("--bind", "/proc", "/proc", "--tmpfs", "/tmp", *programs, *own),
            *("--setenv", "PATH", path, "--setenv", "HOME", "/tmp"),
            *("--chdir", self._working_folder),
            *command,
        ]

    def run(self, step: Step) -> None:
        """Run a step. Raises `CalledProcessError` if it fails, `SystemExit` if a package lacks."""
        if step.name == "RUN" and step.text.startswith("apt-get "):
            if lacks := missing_packages(step.text):
                sys.exit(f"skipped: this machine lacks {', '.join(lacks)} (apt-get install)")
        elif step.name == "RUN":
            text = step.text.replace("mkdir /contest", "true")  # it is there
            text = text.replace("rm -rf /src", "rm -rf /src/*")
            subprocess.run(self.command(["/bin/sh", "-e", "-c", text]), check=True)
        elif step.name == "COPY":
            *sources, target = step.text.split()
            for source in sources:
                self._copy(CHECKOUT / source, target)
        elif step.name == "WORKDIR":
            self._working_folder = step.text

    def _copy(self, source: Path, target: str) -> None:
        place = self._folder / target.strip("/")
        if source.is_dir():
            left = shutil.ignore_patterns("__pycache__", "*.so")
            shutil.copytree(source, place, ignore=left)
        else:
            shutil.copy(source, place)


def main() -> None:
    """Run the steps, then the server that they make."""
    with tempfile.TemporaryDirectory() as scratch:
        image = Image(Path(scratch))
        start: list[str] = []
        for step in steps_in(CONTAINERFILE.read_text("utf-8")):
            if "--plain" in sys.argv:
                step = step._replace(text=step.text.replace("BRIBE_ARENA_COMPILE=1 ", ""))
            print(f"+ {step.name} {step.text}", flush=True)
            image.run(step)
            if step.name in ("ENTRYPOINT", "CMD"):
                start += json.loads(step.text)
        subprocess.run(image.command([start[0], "init", "/contest"]), check=True)
        serve(image.command([*start, "--port", "0"]))
    print("the server of the image answers and stops")


def serve(command: list[str]) -> None:
    """Start the server, ask for its first page, and stop it. Raises `AssertionError`."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"got {line!r}, expected the address"
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        try:
            with urllib.request.urlopen(found[0]) as answer:
                assert answer.status == 200
        finally:
            os.kill(int(children.split()[0]), signal.SIGTERM)  # the child of bubblewrap
        assert process.wait(60) == 0, process.returncode


if __name__ == "__main__":
    main()
