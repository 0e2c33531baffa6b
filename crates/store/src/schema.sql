-- One row: how many transactions were ever committed.
CREATE TABLE state (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    generation INTEGER NOT NULL
) STRICT;
INSERT INTO state VALUES (1, 0);

-- The newest snapshot of every session.
CREATE TABLE session (
    id TEXT PRIMARY KEY,
    parent TEXT,
    host TEXT NOT NULL,
    waiting TEXT,
    snapshot TEXT NOT NULL,
    changed_ms INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_change ON session (generation);

-- Every event and every decision, for ever.
CREATE TABLE journal (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    time_ms INTEGER NOT NULL,
    session TEXT NOT NULL,
    host TEXT NOT NULL,
    agent TEXT,
    kind TEXT NOT NULL,
    tool TEXT,
    verdict TEXT,
    reason TEXT,
    id TEXT,
    text TEXT
) STRICT;
CREATE INDEX journal_by_session ON journal (session, seq);
CREATE TRIGGER journal_keeps_lines BEFORE DELETE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_keeps_words BEFORE UPDATE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
