"""The bundled bots. Each is a program of its own: `python -P -m bots.FOLDER.NAME`."""
