"""The tiles and cards of section 2 of the rules, independent of the table of the engine."""

BOROUGHS = ("village", "fortress", "citadel", "market", "port")
COLOURS = ("yellow", "red", "blue", "green", "black")
COLOUR_OF = dict(zip(BOROUGHS, COLOURS, strict=True))
PLACES = ("first", "second")

FAMILIES = ("malabita", "granara", "foglietta", "carretto", "oliva")

LOYALS = {
    "malabita": {"luciano": (3, 5), "matteo": (3, 4), "mario": (3, 5), "raineo": (3, 4)},
    "granara": {"niccolo": (3, 5), "enrico": (4, 5), "giorgio": (2, 4), "giovanni": (3, 4)},
    "foglietta": {"taddeo": (4, 4), "oberto": (3, 5), "franco": (2, 5), "ansaldo": (3, 4)},
    "carretto": {"mileto": (3, 5), "filippo": (4, 5), "lucchino": (2, 4), "antonio": (3, 4)},
    "oliva": {"raffaele": (3, 6), "isandro": (5, 4), "tommaso": (2, 4), "gabriele": (2, 4)},
}
"""By family: prestige and charm; kinds are extra-worker, guard, two-ducati and the own name."""

COMMONS = {
    "village": "double hag plague-spreader-1 plague-spreader-2 damsel-1 damsel-2".split(),
    "fortress": "lover falconer guard-1 guard-2 mediator charmer".split(),
    "citadel": "archivist-1 archivist-2 magistrate beguiler tutor groomsman".split(),
    "market": "merchant-1 merchant-2 bard crook jester barker".split(),
    "port": "assassin-1 assassin-2 rat thief-1 thief-2 defamer".split(),
}


LORDS = {"adorno": 3, "fieschi": 4, "grimaldi": 5, "spinola": 5, "doria": 6}

BRIDES = {
    "bianca": (8, 0, "poison-5"),
    "caterina": (8, 2, None),
    "eleonora": (9, 1, "antidote-5"),
    "ginevra": (9, 1, "poison-6"),
    "isabella": (9, 3, None),
    "lucrezia": (10, 2, "poison-7"),
    "vittoria": (10, 2, "wine-5"),
    "agnese": (5, 1, None),
    "chiara": (5, 1, None),
    "fiammetta": (6, 0, "antidote-6"),
    "livia": (6, 2, None),
    "margherita": (6, 0, "poison-8"),
    "paola": (7, 1, "antidote-7"),
    "teresa": (7, 3, None),
}
FIRST_BRIDES, SECOND_BRIDES = list(BRIDES)[:7], list(BRIDES)[7:]

WORKSHOPS = {
    "apothecary": ("poison", 5, "yellow yellow red black"),
    "hospital": ("antidote", 4, "yellow blue blue"),
    "tavern": ("wine", 4, "red black black"),
    "jewelry": ("ring", 5, "blue green black black"),
    "notary": ("edict", 5, "red red blue green"),
    "tailor": ("suit", 4, "yellow green green"),
}

OBJECT_COUNTS = {"poison": 8, "antidote": 7, "wine": 5, "ring": 4, "edict": 4, "suit": 4}
OBJECTS = [f"{kind}-{k + 1}" for kind, count in OBJECT_COUNTS.items() for k in range(count)]


def kind_of(tile: str) -> str:
    for loyals in LOYALS.values():
        if tile in loyals:
            at = list(loyals).index(tile)
            return (*("extra-worker", "guard", "two-ducati"), tile)[at]
    head, _, tail = tile.rpartition("-")
    return head if tail.isdigit() else tile


def is_character(tile: str) -> bool:
    return tile not in OBJECTS
