"""Skip the server's tests if its extras are not installed."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

MISSING = [name for name in ("starlette", "httpx2") if not find_spec(name)]

if not MISSING:
    from tests.arena.extras.serve.site_fixtures import (  # noqa: F401
        ann,
        anns,
        bob,
        bobs,
        clock,
        contest_file,
        site,
        teacher,
        teachers,
        visitor,
        woken,
    )
    from tests.arena.publish.conftest import browser  # noqa: F401


class SkippedModule(pytest.Module):
    def collect(self) -> Iterator[pytest.Item]:
        pytest.skip(f"needs bribe-arena[serve,serve-test]: there is no {', '.join(MISSING)}")


def pytest_pycollect_makemodule(
    module_path: Path, parent: pytest.Collector
) -> pytest.Module | None:
    """Return a skipped module if an extra is missing, or None for pytest's own."""
    return SkippedModule.from_parent(parent, path=module_path) if MISSING else None
