"""Skip msgspec's optional dependency `typing_extensions` to reduce the import time.

Import `arena.base.quick_msgspec` before any other module that imports msgspec.
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
