"""Tests of the sandbox of checks, file names of uploads, and harmful submissions."""

import io
import stat
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.base.errors import SettingsError, SubmissionError
from arena.contest.contest_file import read_contest
from arena.contest.settings import RISK
from arena.extras.serve.checker import with_server_sandbox
from arena.extras.serve.pages.hand_in_pages import safe_file_name
from tests.arena.extras.serve.sample_submissions import GOOD, check_all, inbox_of
from tests.arena.extras.serve.visiting import Browser

SCRIPT = "<script>alert('xss')</script>"
LOUD = f"""\
import sys

sys.stderr.write("{SCRIPT}\\x1b[2J\\n")
print("{SCRIPT}", flush=True)
""".encode()
"""A bot that writes markup and control characters wherever it can."""


def packed(*members: tuple[str, bytes], link: str = "") -> bytes:
    """Return a zip of these members, with an additional link to `link`."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members:
            made.writestr(name, content)
        if link:
            info = zipfile.ZipInfo("link.py")
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            made.writestr(info, link)
    return data.getvalue()


HOSTILE = {
    "bomb": (packed(("bot.py", GOOD), ("zeros.bin", b"\0" * 40_000_000)), "more than 100 times"),
    "link": (packed(("bot.py", GOOD), link="/etc/passwd"), "is a link"),
    "markup": (packed((f"{SCRIPT}.py", GOOD), ("..", b"")), "is refused"),
}
"""A zip for each kind of harm. `tests/arena/contest/test_archive.py` tests all of them."""


@pytest.mark.parametrize("what", HOSTILE)
def test_rejects_hostile_zip(anns: Browser, what: str) -> None:
    content, reason = HOSTILE[what]
    path = anns.post("/submissions", files={"file": ("bot.zip", content)}).url.path
    assert check_all(anns.site) == 0
    (submission,) = inbox_of(anns.site).of_owner("ann", 9)
    assert submission.state == "refused"
    assert reason in submission.reason
    page = anns.get(path).text
    assert "<script>alert" not in page
    assert "\x1b" not in page
    assert not list(inbox_of(anns.site).bots.iterdir())


def test_escapes_output_of_bots(bobs: Browser) -> None:
    path = bobs.post("/submissions", files={"file": (f"{SCRIPT}.py", LOUD)}).url.path
    assert check_all(bobs.site) == 0
    for page in (bobs.get(path).text, bobs.get(f"{path}/steps").text, bobs.get("/me").text):
        assert "<script>alert" not in page
        assert "\x1b" not in page
    assert "&lt;script&gt;alert" in bobs.get(path).text
    assert bobs.get(path).headers["Content-Security-Policy"].startswith("default-src 'none'")


# -- the sandbox, and the risk of a weaker one ---------------------------------------------------


def level(tmp_path: Path, text: str) -> str:
    """Return the sandbox level on the server of a contest with this text."""
    file = tmp_path / "contest.toml"
    file.write_text(text)
    return with_server_sandbox(read_contest(file)).sandbox.level


def test_weaker_sandbox_needs_accepted_risk(tmp_path: Path) -> None:
    assert level(tmp_path, "") == "isolated"
    sandbox = "[sandbox]\nlevel = 'none'\n"
    with pytest.raises(
        SettingsError, match="expected 'isolated', since the server runs untrusted programs"
    ):
        level(tmp_path, sandbox)
    accepted = f"[serve]\naccepted_risk = '{RISK}'\n"
    assert level(tmp_path, sandbox + accepted) == "none"
    assert level(tmp_path, accepted) == "auto"


@given(st.text(min_size=1), st.sampled_from([".py", ".zip", ".PY"]))
def test_stores_plain_file_names(stem: str, ending: str) -> None:
    name = safe_file_name(f"a{stem}{ending}")
    assert Path(name).name == name
    assert name.isascii()
    assert name.isprintable()
    assert not name.startswith((".", "-"))
    assert name.endswith(ending.lower())


@pytest.mark.parametrize("name", ["", ".py", "a", "a.exe", "a/.zip", "..", "a.py.txt"])
def test_other_files_are_refused(name: str) -> None:
    with pytest.raises(SubmissionError, match=r"expected a \.py file or a \.zip file"):
        safe_file_name(name)
