"""Find out what went wrong with a bot: faults by cause, logs, and a debugger."""
