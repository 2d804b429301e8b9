"""The audit of a run: collusion, bots that know who sits at the table, and near copies."""
