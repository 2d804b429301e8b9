"""Read text files from any editor or shell."""

import codecs

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode_text(content: bytes) -> str:
    """Decode UTF-8 text, or UTF-16 text with a byte order mark. Raise `ValueError` otherwise."""
    try:
        if content.startswith(_UTF_16):
            return content.decode("utf-16")
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise ValueError("is not UTF-8 text: save it with the encoding UTF-8") from None
    return text
