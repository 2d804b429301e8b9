"""Bots for Pot de Vin, and what they share."""
