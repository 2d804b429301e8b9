"""Submit bots to a contest server over HTTP, for `arena submit --server`."""

import http.client
import io
import json
import time
import zipfile
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec

from arena import __version__
from arena.base.errors import SettingsError, SubmissionError
from arena.base.protocol import printable
from arena.check.bot_check import Checked, Outcome
from arena.contest.archive import SUBMISSION_LIMITS, plain_files
from arena.contest.bot_files import PACKED
from arena.contest.inbox import State, in_words
from arena.terminal.check_report import CheckOutput
from arena.terminal.console import notice, say

LOOK_S = 0.5
"""Seconds between two requests for the progress of a check."""
TIMEOUT_S = 60.0
"""Seconds to wait for a complete response from the server."""
MAX_ANSWER_BYTES, READ_BYTES = 4 * 1024 * 1024, 64 * 1024
BOUNDARY = "bribe-arena-9b1f0c7d5e3a4826"


class RemoteStep(msgspec.Struct, frozen=True):
    name: str
    outcome: Outcome
    text: str
    card: str = ""
    """Report of the fault, if the bot failed this step because of one."""


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
    """Send a bot to a server, print the progress of its check, and return the result.

    Args:
        source: a .py file, a .zip or a folder.
        address: the server's address.
        token: the student's token.

    Raises:
        SettingsError: the address or the token is wrong.
        SubmissionError: the bot cannot be read, or the server does not answer or rejects it.
    """
    url, token = address.strip().rstrip("/"), token.strip()
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname and parts.port != 0)
    except ValueError:  # of the port
        is_address = False
    if not is_address:
        raise SettingsError(
            f"got the server {printable(url[:200])!r}, expected an address such as "
            "http://192.0.2.7:8000 or https://arena.example.edu"
        )
    if not token.isascii() or not token.isalnum():
        raise SettingsError(
            "the token has characters other than letters and digits: copy it again from your "
            "page on the server"
        )
    submission, told = hand_in(source, url, token), 0
    page = printable(submission.url)
    notice(f"stored as submission {submission.id}: {page}")
    while True:
        for step in submission.steps[told:]:
            CheckOutput().show(Checked(printable(step.name), step.outcome, printable(step.text)))
            if step.card:
                say(f"\n{printable(step.card)}\n")
        told = max(told, len(submission.steps))
        if submission.state not in ("waiting", "checking"):
            break
        time.sleep(LOOK_S)
        try:
            submission = _ask(f"{url}/api/submissions/{submission.id}", token)
        except SubmissionError as error:
            raise SubmissionError(
                f"submission {submission.id} is stored, but the progress of its check is unknown: "
                f"{error}; see {page} later"
            ) from None
    if submission.state == "refused":
        raise SubmissionError(f"{printable(submission.reason)} ({page})")
    became = in_words(submission.state, submission.version, is_late=submission.late)
    return f"{printable(submission.bot)}: {became}: {page}"


def hand_in(source: Path, url: str, token: str) -> RemoteSubmission:
    """Send a bot to the server at `url`. Raises the same errors as `submit`."""
    return _ask(f"{url}/api/submissions", token, _form(*packed(source)))


class _NoRedirect(HTTPRedirectHandler):
    """Rejects redirects, because following them would send the token to another server."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _ask(url: str, token: str, form: bytes | None = None) -> RemoteSubmission:
    """Send a request about a submission, and return it with its current state.

    Raises:
        SubmissionError: the server can't be reached, or rejects the request.
    """
    headers = {"Authorization": f"Bearer {token}", "User-Agent": f"bribe-arena/{__version__}"}
    if form is not None:
        headers["Content-Type"] = f"multipart/form-data; boundary={BOUNDARY}"
    try:
        status, content, place = _response(Request(url, form, headers))
        if status < 300:
            return msgspec.json.decode(content, type=RemoteSubmission)
        text = _refusal(content) or f"it answered {status}"
        if place:
            text = f"the server redirects to {place}: use that address with --server"
    except msgspec.DecodeError:
        text = "not a contest server, or one with another version of bribe-arena"
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        text = f"{reason}; check the address, whether it is http or https, and the network"
    raise SubmissionError(f"{url}: {printable(text)}")


def _response(request: Request) -> tuple[int, bytes, str]:
    """Return the status, content and `Location` header of the response.

    Raises:
        OSError: the server can't be reached, or the whole response takes too long.
    """
    content, until = b"", time.monotonic() + TIMEOUT_S
    try:
        response = build_opener(_NoRedirect).open(request, timeout=TIMEOUT_S)
    except HTTPError as error:
        response = error
    with response:
        while len(content) < MAX_ANSWER_BYTES and (part := response.read1(READ_BYTES)):
            content += part
            if time.monotonic() > until:
                raise TimeoutError(f"no whole answer within {TIMEOUT_S:g} s")
        return response.status, content, response.headers.get("Location", "")


def _refusal(content: bytes) -> str:
    """Return the error message in a contest server's response, or an empty string."""
    try:
        error = json.loads(content)["error"]
    except (ValueError, TypeError, KeyError):
        return ""
    return error if isinstance(error, str) else ""


def _form(name: str, content: bytes) -> bytes:
    safe = "".join([letter for letter in name if letter.isprintable() and letter not in '"\\'])
    head = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{safe}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    return head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()


def packed(source: Path) -> tuple[str, bytes]:
    """Return the file name and content to upload for a bot. A folder is packed as a zip file.

    Raises:
        SubmissionError: the bot can't be read, or isn't a .py file, a .zip file or a folder.
    """
    try:
        if not source.is_dir():
            if source.suffix.lower() not in PACKED:
                raise SubmissionError(
                    f"cannot submit {source}: expected a .py file, a .zip file or a folder"
                )
            return source.name, source.read_bytes()
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as made:
            for file in sorted(plain_files(source, SUBMISSION_LIMITS)):
                made.write(file, file.relative_to(source).as_posix())
        return f"{source.resolve().name}.zip", data.getvalue()
    except (OSError, ValueError) as error:
        raise SubmissionError(f"cannot read {source}: {error}") from None
