"""The server's pages. Each module exports its `routes`."""
