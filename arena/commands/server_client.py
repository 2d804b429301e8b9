"""Submit bots to a contest server over HTTP, for `arena submit --server`."""

import http.client
import io
import time
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec

from arena import __version__
from arena.base.errors import SettingsError, SubmissionError
from arena.base.protocol import printable
from arena.check.bot_check import Checked, Outcome
from arena.contest.bot_files import PACKED
from arena.contest.fingerprint import files_in
from arena.contest.inbox import State, in_words
from arena.terminal.check_report import CheckOutput
from arena.terminal.console import notice, say

LOOK_S = 0.5
TIMEOUT_S = 60.0
MAX_ANSWER_BYTES = 4 * 1024 * 1024
BOUNDARY = "bribe-arena-9b1f0c7d5e3a4826"


class RemoteStep(msgspec.Struct, frozen=True):
    name: str
    outcome: Outcome
    text: str
    card: str = ""
    """A report about the fault, if the bot failed this step because of a fault."""


class RemoteSubmission(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    bot: str
    url: str
    file: str = ""
    late: bool = False
    state: State
    version: int = 0
    reason: str = ""
    checks_before: int = 0
    steps: tuple[RemoteStep, ...] = ()


def submit(source: Path, address: str, token: str) -> str:
    """Upload a bot to a server, print the progress of its check, and return the result.

    `source` is the path of a .py file, a .zip file or a folder.

    Raises:
        SettingsError: the address is not a valid web address.
        SubmissionError: the bot can't be read, or the server doesn't respond or rejects the bot.
    """
    url, token = address.strip().rstrip("/"), token.strip()
    if not url.startswith(("http://", "https://")):
        raise SettingsError(
            f"got the server {printable(url[:200])!r}, expected an address such as "
            "http://192.0.2.7:8000 or https://arena.example.edu"
        )
    submission, printed = hand_in(source, url, token), 0
    page = printable(submission.url)
    notice(f"stored as submission {submission.id}: {page}")
    while True:
        for step in submission.steps[printed:]:
            CheckOutput().show(Checked(printable(step.name), step.outcome, printable(step.text)))
            if step.card:
                say(f"\n{printable(step.card)}\n")
        printed = max(printed, len(submission.steps))
        if submission.state not in ("waiting", "checking"):
            break
        time.sleep(LOOK_S)
        try:
            submission = _ask(f"{url}/api/submissions/{submission.id}", token)
        except SubmissionError as error:
            text = f"{error}; submission {submission.id} is stored, see {page}"
            raise SubmissionError(text) from None
    if submission.state == "refused":
        raise SubmissionError(f"{printable(submission.reason)} ({page})")
    became = in_words(submission.state, submission.version, is_late=submission.late)
    return f"{printable(submission.bot)}: {became}: {page}"


def hand_in(source: Path, url: str, token: str) -> RemoteSubmission:
    """Upload a bot to the server at `url`. Raise `SubmissionError` if this fails."""
    name, content = packed(source)
    safe = "".join([letter for letter in name if letter.isprintable() and letter not in '"\\'])
    part = f'Content-Disposition: form-data; name="file"; filename="{safe}"'
    start, end = f"--{BOUNDARY}\r\n{part}\r\n\r\n", f"\r\n--{BOUNDARY}--\r\n"
    return _ask(f"{url}/api/submissions", token, start.encode() + content + end.encode())


class _NoRedirect(HTTPRedirectHandler):
    """Rejects HTTP redirects, because following them would send the token to another server."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _ask(url: str, token: str, form: bytes | None = None) -> RemoteSubmission:
    """Send an HTTP request and return the current state of the submission.

    Raises:
        SubmissionError: the server can't be reached or rejects the request.
    """
    headers = {"Authorization": f"Bearer {token}", "User-Agent": f"bribe-arena/{__version__}"}
    if form is not None:
        headers["Content-Type"] = f"multipart/form-data; boundary={BOUNDARY}"
    try:
        opener = build_opener(_NoRedirect)
        with opener.open(Request(url, form, headers), timeout=TIMEOUT_S) as response:
            content = response.read(MAX_ANSWER_BYTES)
        return msgspec.json.decode(content, type=RemoteSubmission)
    except HTTPError as error:
        text = f"it answered {error.status} {error.headers.get('Location', '')}".strip()
        with error, suppress(msgspec.DecodeError, KeyError, OSError):
            text = msgspec.json.decode(error.read(MAX_ANSWER_BYTES), type=dict[str, str])["error"]
    except msgspec.DecodeError:
        text = "not a contest server, or one with another version of bribe-arena"
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        text = f"{reason}; check the address, the token and the network"
    raise SubmissionError(f"{url}: {printable(text)}")


def packed(source: Path) -> tuple[str, bytes]:
    """Return the file name and content to upload for a bot. Folders are packed into a zip file.

    Raises:
        SubmissionError: the bot can't be read, or it isn't a .py file, a .zip file or a folder.
    """
    if not source.is_dir() and source.suffix.lower() not in PACKED:
        raise SubmissionError(
            f"cannot submit {source}: expected a .py file, a .zip file or a folder"
        )
    try:
        if not source.is_dir():
            return source.name, source.read_bytes()
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as made:
            for file in files_in(source):
                made.write(file, file.relative_to(source).as_posix())
        return f"{source.resolve().name}.zip", data.getvalue()
    except (OSError, ValueError) as error:
        raise SubmissionError(f"cannot read {source}: {error}") from None
