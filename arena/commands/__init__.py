"""The commands of `arena`, a module each; `common` is what they share."""
