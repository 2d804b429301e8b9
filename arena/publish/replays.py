"""The replay of a published game."""

from collections.abc import Iterator

from arena.publish.layout import replay_page
from arena.publish.render import Renderer
from arena.record import GameRecord, Seen


def files_of(record: GameRecord, seen: Seen, renderer: Renderer) -> Iterator[tuple[str, str]]:
    """Yield the files of the replay of a game: path and content.

    Raises:
        EngineError: the engine does not accept the record.
    """
    path = replay_page(record.key)
    yield path, renderer.page("game.html", path, record=record)
