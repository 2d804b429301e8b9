"""Bots for Brides & Bribes, and what they share."""
