"""The bundled bots. Each is a separate program: `python -P -m bots.FOLDER.NAME`."""
