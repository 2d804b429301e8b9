"""Sandboxes that restrict what bots can do on the machine."""
