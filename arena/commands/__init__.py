"""The commands of `arena`, one module each. `common` and `settings` have shared options."""
