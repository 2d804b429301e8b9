"""The audit of a run: collusion, bots that know who sits at the table, and near copies.

From the core it takes the results and settings of a run (`tournament`), shares and least squares
(`rating`), the code of its bots (`contest`), and the look of pages (`publish`).
"""
