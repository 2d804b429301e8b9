"""msgspec without `typing_extensions`.

msgspec imports `typing_extensions` where that is installed, although it does the same without, and
it takes as long as all of msgspec. A program that imports this module first starts without it.
"""

import sys

_HIDDEN = "typing_extensions"

if _is_hidden := _HIDDEN not in sys.modules:
    sys.modules[_HIDDEN] = None  # type: ignore[assignment]
try:
    import msgspec  # noqa: F401  # only so that it is loaded
finally:
    if _is_hidden:
        del sys.modules[_HIDDEN]
