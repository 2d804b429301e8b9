"""The sandbox of submissions, and submissions that do harm."""

import io
import stat
import zipfile
from pathlib import Path

import pytest

from arena.base.errors import SettingsError
from arena.contest.contest_file import read_contest
from arena.extras.serve.serve_table import RISK
from arena.extras.serve.submissions.checker import with_server_sandbox
from arena.extras.serve.submissions.submission_store import SubmissionStore
from arena.extras.serve.submissions.uploaded_files import FOLDER
from tests.arena.extras.serve.sample_submissions import GOOD, check_all
from tests.arena.extras.serve.visiting import Browser

SCRIPT = "<script>alert('xss')</script>"
LOUD = f"""\
import sys

sys.stderr.write("{SCRIPT}\\x1b[2J\\n")
print("{SCRIPT}", flush=True)
""".encode()
"""A bot that writes markup and control characters wherever it can."""


def packed(*members: tuple[str, bytes], link: str = "") -> bytes:
    """Return a zip of these members, and one that is a link to `link`."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members:
            made.writestr(name, content)
        if link:
            info = zipfile.ZipInfo("link.py")
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            made.writestr(info, link)
    return data.getvalue()


BOMB = packed(("bot.py", GOOD), ("zeros.bin", b"\0" * 40_000_000))
HOSTILE = {
    "bomb": (BOMB, "more than 100 times as many"),
    "bomb in a bomb": (packed(("inner.zip", BOMB)), "no bot"),
    "many files": (packed(*[(f"{n}.py", b"") for n in range(1_001)]), "more than 1,000 files"),
    "path upwards": (packed(("../../evil.py", GOOD)), "is not a path below the folder"),
    "absolute path": (packed(("/tmp/evil.py", GOOD)), "is not a path below the folder"),
    "backslashes": (packed(("..\\evil.py", GOOD)), "is not a path below the folder"),
    "link": (packed(("bot.py", GOOD), link="/etc/passwd"), "is a link"),
    "markup": (packed((f"{SCRIPT}.py", GOOD), ("..", b"")), "is refused"),
    "control": (packed(("\x1b[2J.py", GOOD)), "a character in its name that cannot be printed"),
    "no zip": (GOOD, "is not a zip"),
    "half a zip": (packed(("bot.py", GOOD * 99))[:-40], "is not a zip"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_zip_is_refused_with_a_reason(anns: Browser, tmp_path: Path, what: str) -> None:
    content, reason = HOSTILE[what]
    path = anns.post("/submissions", files={"file": ("bot.zip", content)}).url.path
    assert check_all(anns.site) == 0
    (submission,) = SubmissionStore(anns.site.database).of_bot("ann", 9)
    assert submission.state == "refused"
    assert reason in submission.reason
    page = anns.get(path).text
    assert "<script>alert" not in page
    assert "\x1b" not in page
    assert not list(tmp_path.rglob("evil.py"))
    submissions = anns.site.folder / "submissions"
    assert {path.name for path in submissions.iterdir()} == {FOLDER}


def test_what_a_bot_writes_is_text_on_the_page(bobs: Browser) -> None:
    path = bobs.post("/submissions", files={"file": (f"{SCRIPT}.py", LOUD)}).url.path
    assert check_all(bobs.site) == 0
    for page in (bobs.get(path).text, bobs.get(f"{path}/steps").text, bobs.get("/me").text):
        assert "<script>alert" not in page
        assert "\x1b" not in page
    assert "&lt;script&gt;alert" in bobs.get(path).text
    assert bobs.get(path).headers["Content-Security-Policy"].startswith("default-src 'none'")


# -- the sandbox, and the risk of a weaker one ---------------------------------------------------


def level(tmp_path: Path, text: str) -> str:
    """Return the level of the sandbox on a server of a contest with this text."""
    file = tmp_path / "contest.toml"
    file.write_text(text)
    return with_server_sandbox(read_contest(file)).sandbox.level


def test_submissions_run_isolated(tmp_path: Path) -> None:
    assert level(tmp_path, "") == "isolated"
    assert level(tmp_path, "[sandbox]\nlevel = 'isolated'") == "isolated"


@pytest.mark.parametrize("weak", ["none", "limits"])
def test_a_weaker_sandbox_needs_the_sentence(tmp_path: Path, weak: str) -> None:
    sandbox = f"[sandbox]\nlevel = '{weak}'\n"
    with pytest.raises(SettingsError, match="expected 'isolated', since the server runs programs"):
        level(tmp_path, sandbox)
    accepted = f"[serve]\naccepted_risk = '{RISK}'\n"
    assert level(tmp_path, sandbox + accepted) == weak
    assert level(tmp_path, accepted) == "auto"


def test_another_sentence_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"line 2: serve.accepted_risk: got 'yes', expected"):
        level(tmp_path, "[serve]\naccepted_risk = 'yes'\n")
