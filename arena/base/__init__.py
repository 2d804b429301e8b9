"""What everything stands on: messages, records, types of plugins, errors, files and locks."""
