"""Pages of the server, one module for each part. Each module exports its `routes`."""
