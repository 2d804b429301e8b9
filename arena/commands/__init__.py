"""The subcommands of `arena`. Each subcommand has its own module."""
