"""The subcommands of `arena`, with one module per command."""
