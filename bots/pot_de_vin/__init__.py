"""Bots for Pot de Vin and their shared code."""
