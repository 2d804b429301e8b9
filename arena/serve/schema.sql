-- All tables of server.db. Times are seconds since 1970. A change needs another SCHEMA_VERSION.

-- Of the server: the key of its cookies, its address.
CREATE TABLE server (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;

-- People: students and teachers. `owner` is the id of the bot that a student hands in, which is the
-- student's own id, or that of the first member of the team.
CREATE TABLE people (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    team TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('student', 'teacher')),
    owner TEXT NOT NULL,
    pseudonym TEXT NOT NULL UNIQUE
);
CREATE INDEX people_of_owner ON people (owner);

-- Sign-in links and tokens, of which only the SHA-256 is kept: one of each for a person.
CREATE TABLE keys (
    hash BLOB PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people,
    kind TEXT NOT NULL CHECK (kind IN ('link', 'token')),
    made REAL NOT NULL,
    UNIQUE (person, kind)
) WITHOUT ROWID;

-- Signed-in browsers, by the SHA-256 of the session's id.
CREATE TABLE sessions (
    hash BLOB PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people,
    made REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX sessions_of_person ON sessions (person);
