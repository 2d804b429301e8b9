"""The bundled bots. Start one with `python -P -m bots.FOLDER.NAME`."""
