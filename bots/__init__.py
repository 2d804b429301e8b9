"""The bundled bots. To start a bot, run `python -P -m bots.FOLDER.NAME`."""
