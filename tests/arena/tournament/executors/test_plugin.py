"""The hook of executors, and the built-in ones."""

from collections.abc import Iterable
from importlib.util import find_spec

import pytest

from arena.base.contracts import Executor, ExecutorKind, ExecutorSettings
from arena.base.errors import SettingsError
from arena.plugins import executors, get_executor, hookimpl, registered
from arena.tournament.executors.local import Workers
from tests.arena.runs import Crew, silent


class Plugin:
    """A third party's executor."""

    @hookimpl
    def register_executors(self) -> Iterable[ExecutorKind]:
        def open_crew(settings: ExecutorSettings, notice: object) -> Executor:
            return Crew(settings.workers or 1)

        return [ExecutorKind("crew", "plays in this process", open_crew)]


def test_built_in_executors_are_registered() -> None:
    assert [*executors()] == ["local", "dask"]
    opened = get_executor("local").open(ExecutorSettings(workers=3), silent)
    assert isinstance(opened, Workers)
    assert opened.width == 3


def test_plugin_adds_an_executor() -> None:
    with registered(Plugin()):
        assert get_executor("crew").open(ExecutorSettings(workers=2), silent).width == 2


def test_rejects_unknown_executor() -> None:
    with pytest.raises(SettingsError, match="dask"):
        get_executor("dusk")


def test_rejects_scheduler_for_local_workers() -> None:
    with pytest.raises(SettingsError, match=r"machine\.executor=dask"):
        get_executor("local").open(ExecutorSettings(scheduler="tcp://127.0.0.1:1"), silent)


@pytest.mark.skipif(find_spec("distributed") is not None, reason="needs an install without `dask`")
def test_names_missing_extra() -> None:
    with pytest.raises(SettingsError, match=r"pip install '\.\[dask\]'"):
        get_executor("dask").open(ExecutorSettings(), silent)
