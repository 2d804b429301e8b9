"""Mutation tests: whether the tests beside a module notice a small change of it."""
