"""Code that several extras share, because extras must not import each other."""
