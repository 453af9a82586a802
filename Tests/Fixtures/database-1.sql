-- The tables of version 1, the oldest that was released, with one override: what an upgrade begins with.
CREATE TABLE game_revisions (game TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE slot_revisions (
  game TEXT NOT NULL, player TEXT NOT NULL, key TEXT NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (game, player, key)
) WITHOUT ROWID;
CREATE TABLE player_revisions (game TEXT NOT NULL, player TEXT NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (game, player)) WITHOUT ROWID;
CREATE TABLE numbers (name TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE overrides (
  game TEXT NOT NULL, player TEXT NOT NULL, key TEXT NOT NULL, window TEXT NOT NULL,
  from_ms INTEGER, until_ms INTEGER, is_open INTEGER NOT NULL, value TEXT NOT NULL,
  author_uid INTEGER NOT NULL, author_name TEXT NOT NULL, author_pid INTEGER, reason TEXT,
  at_ms INTEGER NOT NULL, revision INTEGER NOT NULL, quarantined TEXT, PRIMARY KEY (game, player, key, window)
) WITHOUT ROWID;
CREATE INDEX override_windows ON overrides (until_ms) WHERE window > '';
CREATE TABLE override_counts (game TEXT PRIMARY KEY, of_players INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, author_uid INTEGER NOT NULL, author_name TEXT NOT NULL,
  author_pid INTEGER, action TEXT NOT NULL, game TEXT, player TEXT, key TEXT, window TEXT, before TEXT, after TEXT, reason TEXT,
  revision INTEGER, detail TEXT, undo_before TEXT, undo_after TEXT, reverts INTEGER, reverted_by INTEGER
);
CREATE INDEX audit_at ON audit (at_ms);
CREATE INDEX audit_key ON audit (game, key, id);
CREATE INDEX audit_player ON audit (game, player, id) WHERE player IS NOT NULL;
CREATE TABLE answers (
  number INTEGER PRIMARY KEY AUTOINCREMENT, request TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, status INTEGER NOT NULL,
  headers TEXT NOT NULL, body TEXT NOT NULL, at_ms INTEGER NOT NULL
);
INSERT INTO overrides (game, player, key, window, is_open, value, author_uid, author_name, at_ms, revision)
  VALUES ('dartsscore', '', 'dart_size', '', 0, '37', 0, 'root', 1763000000000, 3);
INSERT INTO game_revisions (game, revision) VALUES ('dartsscore', 3);
PRAGMA application_id = 1734567524;
PRAGMA user_version = 1;
