"""The registration of the built-in sandboxes, from the weakest to the strongest."""

from collections.abc import Iterable

from arena.contracts import Sandbox
from arena.plugins import hookimpl
from arena.sandbox.isolated import IsolatedSandbox
from arena.sandbox.limits import LimitsSandbox
from arena.sandbox.none import NoSandbox


@hookimpl
def register_sandboxes() -> Iterable[Sandbox]:
    """Return the built-in sandboxes."""
    return [NoSandbox(), LimitsSandbox(), IsolatedSandbox()]
