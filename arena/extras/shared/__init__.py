"""Code that several extras share. Extras never import each other."""
