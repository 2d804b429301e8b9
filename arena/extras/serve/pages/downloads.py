"""Answers that a browser saves as a file."""

from starlette.responses import Response

JSON = "application/json"


def download(content: bytes, media_type: str, name: str) -> Response:
    """Return an answer that a browser saves under a name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)
