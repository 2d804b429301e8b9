"""Tests of the games of OpenSpiel, in both directions."""
