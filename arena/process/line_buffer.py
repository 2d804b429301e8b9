"""A buffer that turns the bytes of a bot into lines, without I/O."""

from arena.protocol import MAX_LINE_BYTES


class LineBuffer:
    """Parts what comes, in pieces of any size, at line feeds and nowhere else."""

    def __init__(self, most_bytes: int = MAX_LINE_BYTES) -> None:
        """Make an empty one; `most_bytes` are those of a line without its end."""
        self._most_bytes = most_bytes
        self.partial = b""
        """What has come of a line that has no end yet."""
        self.too_long: bytes | None = None
        """What there is of the first line that is too long; nothing behind it counts."""

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that are whole now, without their ends, as far as none is too long."""
        if self.too_long is not None:
            return []
        data = self.partial + data
        *lines, self.partial = data.split(b"\n")
        if len(data) <= self._most_bytes:
            return lines
        for number, line in enumerate([*lines, self.partial]):
            if len(line) > self._most_bytes:
                self.too_long, self.partial = line, b""
                return lines[:number]
        return lines
