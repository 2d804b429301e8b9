"""Commands that help to find a bot's faults: logs and a debugger."""
