"""Submissions to a contest server over HTTP, as `arena submit --server` makes them."""

import http.client
import io
import json
import socket
import ssl
import time
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

import msgspec

from arena import __version__
from arena.base.errors import SettingsError, SubmissionError
from arena.base.protocol import printable
from arena.check.bot_check import Checked, Outcome
from arena.contest.archive import SUBMISSION_LIMITS, plain_files
from arena.contest.bot_files import PACKED
from arena.terminal.check_report import CheckOutput
from arena.terminal.console import notice, say

LOOK_S = 0.5
"""Seconds between two questions to the server for the progress of a check."""
TIMEOUT_S = 60.0
"""Seconds in which the server has to answer."""
MAX_ANSWER_BYTES = 4 * 1024 * 1024
MAX_LOST_LOOKS = 5
"""Times in a row that the server may be gone while a check is watched."""
BOUNDARY = "bribe-arena-9b1f0c7d5e3a4826"


class RemoteStep(msgspec.Struct, frozen=True):
    """A step of the check on the server."""

    name: str
    outcome: Outcome
    text: str
    card: str = ""
    """The report of the fault of a step that has failed with one."""


class RemoteSubmission(msgspec.Struct, frozen=True, kw_only=True):
    """A submission as the server tells of it."""

    id: int
    bot: str
    url: str
    file: str = ""
    late: bool = False
    state: str
    version: int = 0
    reason: str = ""
    checks_before: int = 0
    steps: tuple[RemoteStep, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether there is a verdict."""
        return self.state not in ("waiting", "checking")


class _Unreachable(SubmissionError):
    """The server does not answer."""


class ContestServer(NamedTuple):
    """A contest server, and the token of a student."""

    address: SplitResult
    token: str

    def hand_in(self, source: Path) -> RemoteSubmission:
        """Send a bot, and return its submission, which the server has stored.

        Args:
            source: a .py file, a .zip or a folder.

        Raises:
            SubmissionError: the bot cannot be read, or the server does not take it.
        """
        name, content = packed(source)
        head = (
            f"--{BOUNDARY}\r\nContent-Disposition: form-data; "
            f'name="file"; filename="{_quoted(name)}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        body = head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()
        headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
        return self._ask("POST", "/api/submissions", headers, body)

    def look(self, number: int) -> RemoteSubmission:
        """Return how far a submission is. Raises `SubmissionError` if the server does not say."""
        return self._ask("GET", f"/api/submissions/{number}", {})

    def watch(
        self,
        submission: RemoteSubmission,
        pause: Callable[[], object],
        tell: Callable[[RemoteStep], object],
    ) -> RemoteSubmission:
        """Return a submission after its check.

        Args:
            submission: as `hand_in` returns it.
            pause: called before the server is asked again.
            tell: called with each step as it is done.

        Raises:
            SubmissionError: the server is gone. The submission stays stored.
        """
        told = lost = 0
        while True:
            for step in submission.steps[told:]:
                tell(step)
            told = max(told, len(submission.steps))
            if submission.is_done:
                return submission
            pause()
            try:
                submission, lost = self.look(submission.id), 0
            except _Unreachable as error:
                lost += 1
                if lost == MAX_LOST_LOOKS:
                    raise SubmissionError(
                        f"submission {submission.id} is stored, but its check cannot be watched: "
                        f"{error}; look later at {printable(submission.url)}"
                    ) from None

    def _ask(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> RemoteSubmission:
        """Return what the server answers. Raises `SubmissionError` if it refuses or is none."""
        is_https = self.address.scheme == "https"
        kind = http.client.HTTPSConnection if is_https else http.client.HTTPConnection
        connection = kind(self.address.hostname or "", self.address.port, timeout=TIMEOUT_S)
        sent = {
            "Authorization": f"Bearer {self.token}",
            "User-Agent": f"bribe-arena/{__version__}",
            "Accept": "application/json",
            **headers,
        }
        try:
            # A server that refuses a large body answers and closes before it is sent.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.request(method, self.address.path + path, body, sent)
            answer = connection.getresponse()
            content = answer.read(MAX_ANSWER_BYTES)
        except (OSError, http.client.HTTPException) as error:
            raise _Unreachable(f"{self._shown} {_reason(error)}") from None
        finally:
            connection.close()
        return self._read(answer, content)

    def _read(self, answer: http.client.HTTPResponse, content: bytes) -> RemoteSubmission:
        """Return the submission in an answer."""
        if 300 <= answer.status < 400:
            place = printable(answer.headers.get("Location", "another address"))
            raise SubmissionError(f"{self._shown} redirects to {place}: give that as --server")
        try:
            if answer.status in (200, 201):
                return msgspec.json.decode(content, type=RemoteSubmission)
            error = json.loads(content)["error"]
        except (ValueError, TypeError, KeyError):
            raise SubmissionError(
                f"{self._shown} is no contest server of bribe-arena, or another version of it: it "
                f"answered {answer.status} {printable(answer.reason)}"
            ) from None
        raise SubmissionError(f"{self._shown} refuses it: {printable(str(error))}")

    @property
    def _shown(self) -> str:
        return printable(self.address.geturl())


def submit(source: Path, address: str, token: str) -> str:
    """Send a bot to the server at an address, print its check, and return what became of it.

    Raises:
        SettingsError: it is no address, or no token.
        SubmissionError: the server cannot be asked, or refuses the bot.
    """
    server = server_at(address, token)
    submission = server.hand_in(source)
    notice(f"stored as submission {submission.id}: {submission.url}")
    return receipt_text(server.watch(submission, partial(time.sleep, LOOK_S), tell_step))


def server_at(url: str, token: str) -> ContestServer:
    """Return the server at an address. Raises `SettingsError` if it is no address or token."""
    try:
        address = urlsplit(url.strip().rstrip("/"))
        is_address = bool(address.hostname) and address.scheme in ("http", "https")
        _ = address.port
    except ValueError:
        is_address = False
    if not is_address:
        raise SettingsError(
            f"got the server {printable(url[:200])!r}, expected an address such as "
            "http://192.0.2.7:8000 or https://arena.example.edu"
        )
    token = token.strip()
    if not token.isascii() or not token.isalnum():
        raise SettingsError(
            "got a token with other characters than letters and digits: copy it again from your "
            "page on the server"
        )
    return ContestServer(address, token)


def packed(source: Path) -> tuple[str, bytes]:
    """Return the name and the content of the file that a bot is sent as; a folder becomes a zip.

    Raises:
        SubmissionError: it is neither a .py file, nor a .zip, nor a folder, or cannot be read.
    """
    try:
        if not source.is_dir():
            if source.suffix.lower() not in PACKED:
                raise SubmissionError(
                    f"{source} is not a submission: expected a .py file, a .zip file or a folder"
                )
            return source.name, source.read_bytes()
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as made:
            for file in sorted(plain_files(source, SUBMISSION_LIMITS)):
                made.write(file, file.relative_to(source).as_posix())
        return f"{source.resolve().name}.zip", data.getvalue()
    except (OSError, ValueError) as error:
        raise SubmissionError(f"cannot read {source}: {error}") from None


def _quoted(name: str) -> str:
    """Return the name of a file as it stands in a header."""
    return name.replace("\\", "_").replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _reason(error: Exception) -> str:
    """Return why a server could not be asked, and what to do."""
    match error:
        case ssl.SSLCertVerificationError():
            return f"has a certificate that is not trusted here: {error.verify_message}"
        case ssl.SSLError():
            return "does not speak TLS: is it http:// instead of https://?"
        case socket.gaierror():
            return "cannot be found: is the name right, and is the network there?"
        case ConnectionRefusedError():
            return "does not answer: is the server running, and the port right?"
        case TimeoutError():
            return f"has not answered within {TIMEOUT_S:g} s: try again"
        case http.client.HTTPException():
            return "does not speak HTTP as expected: is it https:// instead of http://?"
    return f"cannot be asked: {getattr(error, 'strerror', None) or error}"


def tell_step(step: RemoteStep) -> None:
    """Print a step of a check on a server, with the report of its fault."""
    CheckOutput().show(Checked(printable(step.name), step.outcome, printable(step.text)))
    if step.card:
        say(f"\n{printable(step.card)}\n")


def receipt_text(submission: RemoteSubmission) -> str:
    """Return what became of a submission to a server, for people.

    Raises:
        SubmissionError: it was refused.
    """
    page = printable(submission.url)
    if submission.state == "refused":
        raise SubmissionError(f"{printable(submission.reason)} ({page})")
    became = (
        f"is accepted as version {submission.version}"
        if submission.state == "accepted"
        else f"is unchanged: it equals version {submission.version}"
    )
    return f"{printable(submission.bot)} {became}{', late' if submission.late else ''}: {page}"
