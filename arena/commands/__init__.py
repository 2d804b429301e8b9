"""The commands of `arena`, a module each; `common` and `settings` have shared options."""
