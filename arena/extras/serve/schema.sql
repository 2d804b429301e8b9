-- All tables of server.db. Times are seconds since 1970. A change needs another SCHEMA_VERSION.

-- Of the server: the key of its cookies, its address.
CREATE TABLE IF NOT EXISTS server (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;

-- People. `owner` is the id of the bot that a student hands in, which is the student's own id, or that
-- of the first member of the team. `removed` is the time of the removal.
CREATE TABLE IF NOT EXISTS people (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    team TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('student', 'teacher')),
    owner TEXT NOT NULL,
    pseudonym TEXT NOT NULL UNIQUE,
    removed REAL
);
CREATE INDEX IF NOT EXISTS people_of_owner ON people (owner);

-- Sign-in links and tokens, of which only the SHA-256 is kept: one of each for a person.
CREATE TABLE IF NOT EXISTS keys (
    hash BLOB PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people,
    kind TEXT NOT NULL CHECK (kind IN ('link', 'token')),
    made REAL NOT NULL,
    UNIQUE (person, kind)
) WITHOUT ROWID;

-- Signed-in browsers, by the SHA-256 of the session's id.
CREATE TABLE IF NOT EXISTS sessions (
    hash BLOB PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people,
    made REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sessions_of_person ON sessions (person);

-- The last review of each bot that a student has asked for. `record` is JSON of the game, `content` is
-- what its page shows.
CREATE TABLE IF NOT EXISTS reviews (
    bot TEXT PRIMARY KEY,
    asked REAL NOT NULL,
    record BLOB NOT NULL,
    begun INTEGER NOT NULL DEFAULT 0,
    content BLOB,
    failure TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;

-- Games of people against bots. `game` is JSON: variant, deal and actions so far, from which all of a
-- position follows. `moves` is the number of these actions, so that an old page changes nothing.
-- `points` and `rank` are those of the person, NULL until the game is over.
CREATE TABLE IF NOT EXISTS browser_games (
    id TEXT PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people,
    game BLOB NOT NULL,
    moves INTEGER NOT NULL,
    played REAL NOT NULL,
    points INTEGER,
    rank INTEGER
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS browser_games_of_person ON browser_games (person, played);
