"""One thread for numpy: its small products are slower with more where cores are busy."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy reads it when it is imported
