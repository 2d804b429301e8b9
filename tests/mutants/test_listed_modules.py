"""What `mutants.toml` lists exists."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = tomllib.loads((ROOT / "tests/mutants/mutants.toml").read_text("utf-8"))


def test_listed_modules_tests_and_lines_exist() -> None:
    for room in TABLE["rooms"]:
        assert all(list(ROOT.glob(pattern)) for pattern in room["modules"])
        assert all((ROOT / path).exists() for path in room["tests"])
    for entry in TABLE["equivalent"]:
        lines = (ROOT / entry["module"]).read_text("utf-8").splitlines()
        assert entry["line"] in [line.strip() for line in lines]
        assert entry["why"]
