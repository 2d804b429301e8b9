"""Like programs, by made-up passages."""

from arena.extras.audit.like_programs import MIN_COMMON_BOTS, MIN_PASSAGES, RunPrograms


def numbers(first: int, count: int) -> frozenset[int]:
    return frozenset(range(first, first + count))


def test_a_pair_that_shares_half_of_the_shorter_program_is_named() -> None:
    programs = RunPrograms(
        {
            "a": numbers(0, 100),
            "b": numbers(50, 400),
            "c": numbers(20_000, 100),
            "d": numbers(20_051, 100),
        },
        {},
    )
    (found,) = programs.likenesses()
    assert (found.bots, found.shared, found.passages) == (("a", "b"), 0.5, 100)


def test_programs_with_little_of_their_own_are_left_out() -> None:
    short = numbers(0, MIN_PASSAGES - 1)
    programs = RunPrograms({"a": short, "b": short, "c": numbers(0, 100)}, {"d": "it is secret"})
    assert programs.likenesses() == ()
    coverage = programs.coverage()
    assert coverage.compared == ("c",)
    assert {out.bot: out.reason for out in coverage.left_out} == {
        "a": "too little that is its own",
        "b": "too little that is its own",
        "d": "it is secret",
    }


def test_what_most_programs_share_is_a_lesson() -> None:
    lesson = numbers(0, 500)
    bots = {
        f"bot-{number}": lesson | numbers(1000 * number, 80)
        for number in range(1, MIN_COMMON_BOTS + 1)
    }
    assert RunPrograms(bots, {}).likenesses() == ()
    bots["copy"] = bots["bot-1"]
    (found,) = RunPrograms(bots, {}).likenesses()
    assert (found.bots, found.shared, found.passages) == (("bot-1", "copy"), 1.0, 80)


def test_what_half_of_the_programs_share_is_no_lesson() -> None:
    shared = numbers(0, 500)
    bots = {f"bot-{number}": numbers(1000 * number, 80) for number in range(MIN_COMMON_BOTS)}
    bots |= {
        f"bot-{number}": bots[f"bot-{number}"] | shared for number in range(MIN_COMMON_BOTS // 2)
    }
    assert len(RunPrograms(bots, {}).likenesses()) == 3


def test_in_a_small_field_everything_counts() -> None:
    bots = dict.fromkeys("abc", numbers(0, 100))
    assert len(RunPrograms(bots, {}).likenesses()) == 3
