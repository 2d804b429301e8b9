"""Restrict access to files that contain secrets or personal data."""

import contextlib
import os
import secrets
import stat
from collections.abc import Iterable
from pathlib import Path

from arena.base.atomic_file import os_error_as
from arena.base.errors import SettingsError
from arena.schedule.randomness import Secret

SECRET_FILE = "secret.txt"
SECRET_BYTES = 32
MAX_FILE_BYTES = 4096


def keep_private(paths: Iterable[Path]) -> None:
    """Change file permissions so that no other account can access the files and folders."""
    # Write permission for a group is set on purpose.
    for path in paths:
        with contextlib.suppress(OSError):
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & 0o077 and not mode & stat.S_IWGRP:
                path.chmod(mode & 0o700)


def draw_secret() -> Secret:
    return Secret(secrets.token_hex(SECRET_BYTES))


def write_secret(path: Path, secret: Secret) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(file, "w", encoding="ascii") as text:
        text.write(f"{secret.text}\n")
        text.flush()
        os.fsync(file)


def read_secret(path: Path, is_public: bool = False) -> Secret:
    """Read a secret from a file.

    Raise `SettingsError` if the file is invalid, or if `is_public` is false and other accounts can
    read the file.
    """
    with os_error_as(SettingsError, f"cannot read the secret in {path}"), path.open("rb") as file:
        mode = os.fstat(file.fileno()).st_mode & 0o777
        content = file.read(MAX_FILE_BYTES + 1)
    if mode & 0o077 and os.name == "posix" and not is_public:
        raise SettingsError(
            f"others may read the secret in {path} (its mode is {mode:o}, expected 600): "
            "use `chmod 600`, and create a new secret if anybody has read it"
        )
    try:
        if len(content) > MAX_FILE_BYTES:
            raise SettingsError(f"it is longer than {MAX_FILE_BYTES} bytes")
        return Secret(content.decode("ascii"))
    except (SettingsError, UnicodeDecodeError) as error:
        reason = error if isinstance(error, SettingsError) else "it is not text"
        raise SettingsError(f"{path} contains no secret: {reason}") from None
