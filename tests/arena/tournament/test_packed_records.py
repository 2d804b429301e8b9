"""Records are packed with a dictionary, and come back as they were."""

import random
import zlib

from arena.base.record import write_record
from arena.tournament.database import (
    MAX_BYTES,
    dictionary_id,
    dictionary_of,
    pack,
    unpack,
)
from tests.arena.runs import made_up_settings, play_out, schedule_of

PLAYED = [play_out(game) for game in schedule_of(made_up_settings(4, "pot-de-vin/3", rounds=3))]
RECORDS = [write_record(record) for record in PLAYED]
FIRST, *OTHERS = RECORDS
KNOWN = {dictionary_id(FIRST): FIRST}


def test_a_record_comes_back_as_it_was() -> None:
    for record in [*RECORDS, b"{}", b'{"notes":"' + b"x" * 100_000 + b'"}']:
        packed = pack(record, FIRST)
        assert dictionary_of(packed) == dictionary_id(FIRST)
        assert unpack(packed, KNOWN) == record


def test_a_record_becomes_a_fourth_at_most() -> None:
    assert 4 * sum(len(pack(one, FIRST)) for one in OTHERS) < sum(map(len, OTHERS))


def test_what_is_not_packed_is_returned_as_it_is() -> None:
    plain = [zlib.compress(FIRST, level) for level in range(10)]
    for data in (b"", b"{", FIRST, b"\xff" * 9, *plain):
        assert dictionary_of(data) is None
        assert unpack(data, KNOWN) == data


def test_what_is_damaged_is_returned_as_it_is() -> None:
    """Some bits of a stream mean nothing: changed, they give the record as it was."""
    packed = pack(OTHERS[0], FIRST)
    meaningless = 0
    rng = random.Random(1)
    for _ in range(300):
        broken = bytearray(packed)
        broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
        if (found := unpack(bytes(broken), KNOWN)) != broken:
            assert found == OTHERS[0]
            meaningless += 1
    assert meaningless < 8  # those that fill the last byte before the checksum
    assert unpack(packed[:-1], KNOWN) == packed[:-1]
    assert unpack(packed + b"x", KNOWN) == packed + b"x"
    assert unpack(packed, {}) == packed
    assert unpack(packed, {dictionary_id(FIRST): OTHERS[0]}) == packed


def test_a_stream_that_would_fill_the_memory_is_not_unpacked() -> None:
    packer = zlib.compressobj(9, zdict=FIRST)
    bomb = packer.compress(bytes(MAX_BYTES + 1)) + packer.flush()
    assert len(bomb) < MAX_BYTES // 500
    assert unpack(bomb, KNOWN) == bomb


def test_a_record_of_more_than_16_mib_is_kept_as_it_is() -> None:
    large = b" " * (16 * 2**20)
    assert len(pack(large, FIRST)) < len(large) // 500
    assert unpack(pack(large, FIRST), KNOWN) == large
    huge = large + b" "
    assert pack(huge, FIRST) is huge
