"""Parse and validate the lines that bots send."""

from collections.abc import Sequence

from arena.base.errors import ProtocolError
from arena.base.protocol import PROTOCOL, Act, Fault, Ready, read_from_bot
from arena.match.match_state import BotSeat


def read_answer(
    line: bytes, requests: Sequence[BotSeat | None], nesting: int
) -> Act | Ready | Fault:
    """Return a bot's answer to the first pending request, or a fault if the line is invalid.

    `line` must not end with a line feed. In `requests`, None represents a request for a `ready`
    message. `nesting` is the maximum nesting depth of lists and objects.
    """
    try:
        message = read_from_bot(line, nesting)
    except ProtocolError as error:
        return Fault("malformed", f"sent an invalid line: {error}")
    if requests and requests[0] is None:
        return _checked_ready(message)
    if isinstance(message, Ready):
        return Fault("malformed", "sent `ready` again, expected only `act`")
    request = requests[0] if requests else None
    if request is None or message.table != request.number or message.turn != request.asked.turn:
        # One text for all, because which of them is seen first depends on timing.
        return Fault("malformed", "answered the wrong table or turn, or without being asked")
    return message


def _checked_ready(message: Act | Ready) -> Ready | Fault:
    if not isinstance(message, Ready):
        return Fault("malformed", "sent `act`, expected `ready`")
    if message.protocol != PROTOCOL:
        text = f"speaks version {message.protocol} of the protocol, expected {PROTOCOL}"
        return Fault("malformed", text)
    return message
