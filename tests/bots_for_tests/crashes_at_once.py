"""Has no licence."""

import sys

sys.exit("no licence found")
