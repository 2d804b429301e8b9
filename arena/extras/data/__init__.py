"""The games of a run for other programs: JSON lines, Parquet and SQLite.

From the core it takes runs (`interface`), and their records as lines and as rows (`tournament`).
"""
