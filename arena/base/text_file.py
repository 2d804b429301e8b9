"""Text that a person has written with any editor or shell."""

import codecs

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode_text(content: bytes) -> str:
    """Return the text in a file: UTF-8 with or without a byte order mark, or UTF-16 with one.

    Raises:
        ValueError: it is neither. The error says what to do, as the end of a sentence that begins
            with the name of the file.
    """
    try:
        if content.startswith(_UTF_16):
            return content.decode("utf-16")
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise ValueError("is not UTF-8 text: save it with the encoding UTF-8") from None
    return text
