"""Pages of the server, a module for each part. Each exports its `routes`."""
