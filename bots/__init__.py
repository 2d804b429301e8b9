"""The bundled bots. Each is a program, `python -P -m bots.NAME`, entered like anybody's bot."""
