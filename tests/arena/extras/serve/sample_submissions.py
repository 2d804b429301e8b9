"""A checker that works in the process of a test, and files that students hand in."""

import os

from arena.contest.admission import rules_of
from arena.extras.serve.submissions.checker import Checker
from arena.extras.serve.submissions.uploaded_files import UploadedFiles
from arena.extras.serve.web.contest_site import ContestSite

GOOD = b"""\
from arena.bot import Bot, run


class MyBot(Bot):
    def act(self, view, legal):
        return legal[0]


run(MyBot)
"""
BAD = GOOD.replace(b"legal[0]", b"'<script>alert(1)</script>'")
"""A bot with a fault of each kind of text: what it says is shown to its student."""


def check_all(site: ContestSite, kind: type[UploadedFiles] = UploadedFiles) -> int:
    """Check all submissions that wait, and return the number of new versions."""
    rules = rules_of(site.contest)
    assert rules
    before = _versions_of(site)
    checker = Checker(site.current, site.database, kind(rules.folder, os.urandom))
    checker.resume()
    checker.check_all()
    return _versions_of(site) - before


def _versions_of(site: ContestSite) -> int:
    """Return the number of submissions that are versions."""
    find = "SELECT id FROM submissions WHERE state = 'accepted' AND against = ''"
    return len(site.database.rows(find))
