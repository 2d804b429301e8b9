"""Split received bytes into lines."""

from arena.base.protocol import MAX_LINE_BYTES


class LineBuffer:
    def __init__(self, max_bytes: int = MAX_LINE_BYTES) -> None:
        """Create a buffer for lines of up to `max_bytes` bytes, not counting the line feed."""
        self._max_bytes = max_bytes
        self.partial = b""
        self.too_long: bytes | None = None
        """The start of the first line that was too long, or None."""

    def feed(self, data: bytes) -> list[bytes]:
        if self.partial:
            data = self.partial + data
        lines = data.split(b"\n")
        self.partial = lines.pop()
        if len(data) <= self._max_bytes:
            return lines
        if self.too_long is not None:
            self.partial = b""
            return []
        for number, line in enumerate([*lines, self.partial]):
            if len(line) > self._max_bytes:
                self.too_long, self.partial = line, b""
                self._max_bytes = -1  # so that later data needs no extra check
                return lines[:number]
        return lines
