"""The bundled bots. Each is its own program: `python -P -m bots.FOLDER.NAME`."""
