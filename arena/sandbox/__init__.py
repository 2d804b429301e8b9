"""Sandboxes that restrict bots' access to the machine."""
