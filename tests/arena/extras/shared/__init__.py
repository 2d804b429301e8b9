"""Tests of what several extras share."""
