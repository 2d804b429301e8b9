"""Effects of the cards and tiles of games, in one line each."""

from arena.narration.telling import telling_of


def about(game: str, slug: str) -> str:
    """Return what a card or tile does, in one line; empty for a game without such lines."""
    return telling_of(game).about(slug)


def cards_of(game: str) -> tuple[str, ...]:
    """Return the cards or tiles of a game that have a line; none for other games."""
    return telling_of(game).cards


def about_action(game: str, action: str) -> str:
    """Return what the cards or tiles of an action do, in one line; empty if it has none."""
    return telling_of(game).about_action(action)
