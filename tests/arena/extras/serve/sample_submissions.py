"""A checker that works in the process of a test, and files that students hand in."""

import os

from arena.contest.admission import rules_of
from arena.contest.contest_file import read_contest
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from arena.extras.serve.submissions.checker import Checker, with_server_sandbox
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
    contest = with_server_sandbox(read_contest(site.contest_file))
    rules = rules_of(contest)
    assert rules
    database = ServerDatabase(site.folder / DATABASE)
    news: list[None] = []
    checker = Checker(lambda: contest, database, kind(rules.folder, os.urandom))
    checker.resume()
    checker.check_all(lambda: news.append(None))
    database.close()
    return len(news)
