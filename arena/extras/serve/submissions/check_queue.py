"""The order of checks, fair between bots. Pure."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple


class Waiting(NamedTuple):
    """A submission that waits for its check."""

    id: int
    """Ids grow from one submission to the next."""
    bot: str


def order_checks(waiting: Iterable[Waiting], last_turns: Mapping[str, int]) -> Iterator[int]:
    """Yield the ids of submissions in the order of their checks, if no other submission comes.

    Bots take turns: the next one is the bot whose last check began longest ago, or a bot that was
    never checked. So a bot with many submissions delays the first check of another bot by one check
    at most. Submissions of one bot keep their order.

    Args:
        waiting: the submissions.
        last_turns: by bot, a number from 1 that grows with each check that is begun.
    """
    lines: dict[str, deque[int]] = {}
    for one in sorted(waiting):
        lines.setdefault(one.bot, deque()).append(one.id)
    turns = {bot: last_turns.get(bot, 0) for bot in lines}
    latest = max([0, *last_turns.values()])
    while lines:
        bot = min(lines, key=lambda one: (turns[one], lines[one][0]))
        yield lines[bot].popleft()
        latest += 1
        turns[bot] = latest
        if not lines[bot]:
            del lines[bot]
