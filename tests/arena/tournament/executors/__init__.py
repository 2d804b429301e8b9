"""Tests of executors that need an extra."""
