"""Bots for Brides & Bribes, and the code they share."""
