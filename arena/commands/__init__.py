"""The commands of `arena`, one per module."""
