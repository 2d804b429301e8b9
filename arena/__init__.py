"""The bribe arena: a tournament framework for bots that play games about bribery."""

__version__ = "0.1.0"
