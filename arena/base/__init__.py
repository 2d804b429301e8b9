"""Shared types and helpers: messages, records, plugin types, errors, files and locks."""
