"""The subcommands of `arena`, one module for each."""
