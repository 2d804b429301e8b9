"""A checker that runs in the test's process, and sample submissions."""

from arena.contest.inbox import Inbox
from arena.extras.serve.checker import Checker
from arena.extras.serve.web.contest_site import ContestSite

GOOD = b"""\
from arena.bot import Bot, run


class MyBot(Bot):
    def act(self, view, legal):
        return legal[0]


run(MyBot)
"""
BAD = GOOD.replace(b"legal[0]", b"'<script>alert(1)</script>'")
"""A bot with an illegal action that contains markup, which is shown to its student."""


def inbox_of(site: ContestSite) -> Inbox:
    return Inbox(site.folder)


def check_all(site: ContestSite) -> int:
    """Check all waiting submissions, and return the number of new versions."""
    before = _versions_of(site)
    Checker(site.current).check_all()
    return _versions_of(site) - before


def _versions_of(site: ContestSite) -> int:
    return len(inbox_of(site).versions())
