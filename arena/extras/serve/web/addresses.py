"""The address of the server, and those of sign-in links."""

from arena.extras.serve.database import Database

DEFAULT_ADDRESS = "http://127.0.0.1:8000"
_ADDRESS = "address"
"""The name of the address in the database."""


def keep_address(database: Database, address: str) -> None:
    """Store the address that people type, for the links that commands print."""
    database.keep_value(_ADDRESS, address.encode())


def address_of(database: Database) -> str:
    """Return the last address of the server, or the default one before its first start."""
    kept = database.value(_ADDRESS)
    return DEFAULT_ADDRESS if kept is None else kept.decode()


def sign_in_link(address: str, link: str) -> str:
    """Return the address that signs in with a person's link."""
    return f"{address}/sign-in/{link}"
