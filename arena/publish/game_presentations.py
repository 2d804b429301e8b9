"""Files of a site that the plugin of a game brings: its drawing in replays."""

from collections.abc import Iterable, Iterator

from arena.plugins import presentation_of
from arena.publish.layout import drawing_script


def presented_files(games: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the files for `games` as path and content; none for a game without a drawing."""
    for game in games:
        if script := presentation_of(game).replay:
            yield drawing_script(game), script
