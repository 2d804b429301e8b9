"""The journal of a run: hashes of what was stored, which show whether anything has changed since.

A game is stored with hashes of its own, and the journal is a chain of these in the order in which
the games were stored. It covers what differs whenever a game is played again (observations), and
games that do not count. So it cannot be compared between two runs: `arena.tournament.digest` can.
"""

import hashlib

import msgspec

PART_BYTES = 4
"""Bytes that are kept of the hash of a part of a record: enough to name what has changed."""


class GameDigest(msgspec.Struct, frozen=True):
    """The digests of a stored game."""

    record: bytes
    """SHA-256 of the record as JSON."""
    parts: bytes
    """The first `PART_BYTES` of the SHA-256 of actions, faults and notes, which no rule gives."""
    seen: bytes
    """SHA-256 of the observations as JSON; of nothing if there are none."""


class _Parts(msgspec.Struct, frozen=True):
    """The parts of a record that no rule gives, as JSON."""

    actions: msgspec.Raw = msgspec.Raw(b"[]")
    faults: msgspec.Raw = msgspec.Raw(b"[]")
    notes: msgspec.Raw = msgspec.Raw(b"[]")


PARTS = _Parts.__struct_fields__
_parts_decoder = msgspec.json.Decoder(_Parts)


def digest_game(record: bytes, seen: bytes | None) -> GameDigest:
    """Return the digests of a game. Raises `msgspec.DecodeError` if `record` is not JSON."""
    parts = _parts_decoder.decode(record)
    kept = [sha256(bytes(getattr(parts, name)))[:PART_BYTES] for name in PARTS]
    return GameDigest(sha256(record), b"".join(kept), sha256(seen or b""))


def changed_parts(before: bytes, now: bytes) -> list[str]:
    """Return the names of the parts of a record whose digests differ."""
    return [
        name
        for number, name in enumerate(PARTS)
        if before[number * PART_BYTES :][:PART_BYTES] != now[number * PART_BYTES :][:PART_BYTES]
    ]


EMPTY_JOURNAL = bytes(32)
"""The journal of a run without games."""


def extend_journal(journal: bytes, game: GameDigest) -> bytes:
    """Return the journal after another game has been stored."""
    return sha256(journal + game.record + game.parts + game.seen)


def sha256(data: bytes) -> bytes:
    """Return the SHA-256 of some bytes."""
    return hashlib.sha256(data).digest()
