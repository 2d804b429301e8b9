"""The ladder: the process that plays it, and the one that computes its boards."""
