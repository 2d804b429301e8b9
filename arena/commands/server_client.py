"""Submit bots to a contest server over HTTP."""

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

from arena.base.errors import SettingsError, SubmissionError
from arena.base.protocol import printable
from arena.check.bot_check import CheckResult
from arena.contest.bot_files import PACKED
from arena.contest.fingerprint import files_in
from arena.contest.inbox import CheckStep, State, in_words
from arena.terminal.check_report import CheckOutput
from arena.terminal.console import notice, say

POLL_S = 0.5
TIMEOUT_S = 60.0
MAX_BYTES = 4 * 1024 * 1024
BOUNDARY = "bribe-arena-9b1f0c7d5e3a4826"


class RemoteSubmission(msgspec.Struct, frozen=True):
    id: int
    bot: str
    url: str
    state: State
    late: bool = False
    version: int = 0
    reason: str = ""
    steps: tuple[CheckStep, ...] = ()


def submit(source: Path, address: str, token: str) -> str:
    """Upload a bot to a contest server, print the progress of the check, and return the result.

    `source` is a .py file, a .zip file or a folder.

    Raises:
        SettingsError: The address is not a valid web address.
        SubmissionError: The bot is unreadable, the server is unreachable, or the bot is rejected.
    """
    url = f"{address.strip().rstrip('/')}/api/submissions"
    if not url.startswith(("http://", "https://")):
        raise SettingsError(
            f"got the server {printable(address[:200])!r}, expected an address such as "
            "http://192.0.2.7:8000 or https://arena.example.edu"
        )
    name, content = _packed(source)
    safe = "".join([letter for letter in name if letter.isprintable() and letter not in '"\\'])
    part = f'Content-Disposition: form-data; name="file"; filename="{safe}"'
    form = f"--{BOUNDARY}\r\n{part}\r\n\r\n".encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()
    submission, printed = _request(url, token, form), 0
    page = printable(submission.url)
    notice(f"stored as submission {submission.id}: {page}")
    while True:
        for step in submission.steps[printed:]:
            CheckOutput().show(
                CheckResult(printable(step.name), step.outcome, printable(step.text))
            )
            if step.card:
                say(f"\n{printable(step.card)}\n")
        printed = len(submission.steps)
        if submission.state not in ("waiting", "checking"):
            break
        time.sleep(POLL_S)
        try:
            submission = _request(f"{url}/{submission.id}", token)
        except SubmissionError as error:
            raise SubmissionError(f"{error}; the bot was stored, see {page}") from None
    if submission.state == "refused":
        raise SubmissionError(f"{printable(submission.reason)} ({page})")
    result = in_words(submission.state, submission.version, is_late=submission.late)
    return f"{printable(submission.bot)}: {result}: {page}"


class _NoRedirect(HTTPRedirectHandler):
    """Rejects HTTP redirects, because a redirect could send the token to another server."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _request(url: str, token: str, form: bytes | None = None) -> RemoteSubmission:
    headers = {"Authorization": f"Bearer {token.strip()}"}
    if form is not None:
        headers["Content-Type"] = f"multipart/form-data; boundary={BOUNDARY}"
    try:
        opener = build_opener(_NoRedirect)
        with opener.open(Request(url, form, headers), timeout=TIMEOUT_S) as response:
            return msgspec.json.decode(response.read(MAX_BYTES), type=RemoteSubmission)
    except HTTPError as error:
        text = f"it answered {error.status} {error.headers.get('Location', '')}".strip()
        with error, suppress(msgspec.DecodeError, KeyError, OSError):
            text = msgspec.json.decode(error.read(MAX_BYTES), type=dict[str, str])["error"]
    except msgspec.DecodeError:
        text = "this is not a contest server, or it has a different version of bribe-arena"
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        text = f"{reason}; check the address, the token and the network"
    raise SubmissionError(f"{url}: {printable(text)}")


def _packed(source: Path) -> tuple[str, bytes]:
    if not source.is_dir() and source.suffix.lower() not in PACKED:
        raise SubmissionError(f"got {source}, expected a .py file, a .zip file or a folder")
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
