-- All tables of server.db. Times are in seconds since 1970. When you change a table, increase
-- SCHEMA_VERSION.

-- Facts about the server: its cookie key and its address.
CREATE TABLE IF NOT EXISTS server (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;

-- People. `owner` is the id of the bot that a student submits: the student's own id, or the id of the
-- team's first member. `removed` is the time of the removal.
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

-- Sign-in links and tokens, at most one of each per person. Only their SHA-256 is stored.
CREATE TABLE IF NOT EXISTS keys (
    hash BLOB PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people,
    kind TEXT NOT NULL CHECK (kind IN ('link', 'token')),
    made REAL NOT NULL,
    UNIQUE (person, kind)
) WITHOUT ROWID;

-- Signed-in browsers, by the SHA-256 of their session ids.
CREATE TABLE IF NOT EXISTS sessions (
    hash BLOB PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people,
    made REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sessions_of_person ON sessions (person);

-- The last requested review of each bot. `record` is the game as JSON, and `content` is what the page
-- of the review shows.
CREATE TABLE IF NOT EXISTS reviews (
    bot TEXT PRIMARY KEY,
    asked REAL NOT NULL,
    record BLOB NOT NULL,
    begun INTEGER NOT NULL DEFAULT 0,
    content BLOB,
    failure TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;

-- Games of people against bots. `game` is JSON with the variant, the deal and the actions so far, which
-- determine the position. `moves` is the number of actions, so that an outdated page can't change the
-- game. `points` and `rank` are the person's results, or NULL until the game is over.
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
