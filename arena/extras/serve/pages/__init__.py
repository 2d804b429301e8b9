"""Pages of the server, one module per part. Each module exports its `routes`."""
