"""The foundation: messages, records, plugin types, errors, files and locks."""
