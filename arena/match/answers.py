"""Classification of a line from a bot: an answer to its first pending request, or a fault."""
# compiled: see setup.py

from collections.abc import Sequence

from arena.errors import ProtocolError
from arena.match.in_progress import ProcessSeat
from arena.protocol import PROTOCOL, Act, Fault, Ready, read_from_bot


def read_answer(
    line: bytes, requests: Sequence[ProcessSeat | None], nesting: int
) -> Act | Ready | Fault:
    """Return the answer to the first of the pending `requests`, or the fault that the line is.

    Args:
        line: what came, without its end.
        requests: the pending requests, of which None asks for `ready`; there may be none.
        nesting: how deep lists and objects may be nested.
    """
    try:
        message = read_from_bot(line, nesting)
    except ProtocolError as error:
        return Fault("malformed", f"sent no message of the protocol: {error}")
    request = requests[0] if requests else None
    if requests and request is None:
        return _ready(message)
    if isinstance(message, Ready):
        return Fault("malformed", "sent `ready` again, expected nothing but `act`")
    if request is None or message.table != request.game.table or message.turn != request.asked.turn:
        return Fault("malformed", "answered something else than it was asked")
    return message


def _ready(message: Act | Ready) -> Ready | Fault:
    if not isinstance(message, Ready):
        return Fault("malformed", "sent `act`, expected `ready`")
    if message.protocol != PROTOCOL:
        text = f"speaks version {message.protocol} of the protocol, expected {PROTOCOL}"
        return Fault("malformed", text)
    return message
