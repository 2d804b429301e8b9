"""The games of a run for other programs: JSON lines, Parquet, SQLite and data frames.

From the core it takes runs (`interface`), and their records as lines (`tournament`).
"""
