-- version 1
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
-- version 2
CREATE TABLE players (
  number INTEGER PRIMARY KEY, game TEXT NOT NULL, player TEXT NOT NULL, state TEXT, offset_ms INTEGER NOT NULL DEFAULT 0,
  UNIQUE (game, player)
);
CREATE TABLE player_history (
  number INTEGER NOT NULL, slot INTEGER NOT NULL, entry INTEGER NOT NULL, line TEXT NOT NULL, answer TEXT, PRIMARY KEY (number, slot)
) WITHOUT ROWID;
CREATE TABLE ledgers (number INTEGER PRIMARY KEY, ledger TEXT NOT NULL);
CREATE TABLE game_clocks (
  game TEXT PRIMARY KEY, anchor_ms INTEGER NOT NULL, host_anchor_ms INTEGER NOT NULL, rate_thousandths INTEGER NOT NULL
) WITHOUT ROWID;
ALTER TABLE answers ADD COLUMN about TEXT;
CREATE INDEX answers_about ON answers (about) WHERE about IS NOT NULL;
-- version 3
CREATE TABLE players_with_revision (
  number INTEGER PRIMARY KEY, game TEXT NOT NULL, player TEXT NOT NULL, revision INTEGER NOT NULL, offset_ms INTEGER NOT NULL DEFAULT 0,
  state TEXT, requests BLOB, UNIQUE (game, player)
);
INSERT INTO players_with_revision (number, game, player, revision, offset_ms, state)
SELECT number, players.game, players.player, coalesce(revision, 0), offset_ms, state
FROM players LEFT JOIN player_revisions AS revisions ON revisions.game = players.game AND revisions.player = players.player;
DROP TABLE players;
ALTER TABLE players_with_revision RENAME TO players;
DELETE FROM player_revisions WHERE (game, player) IN (SELECT game, player FROM players);
-- version 4
CREATE TABLE templates (
  game TEXT NOT NULL, number INTEGER NOT NULL, at_ms INTEGER NOT NULL, origin TEXT NOT NULL, rollback_of INTEGER,
  author_uid INTEGER NOT NULL, author_name TEXT NOT NULL, author_pid INTEGER, reason TEXT, document TEXT NOT NULL,
  PRIMARY KEY (game, number)
);
CREATE TABLE template_activations (
  game TEXT PRIMARY KEY, active INTEGER, since_ms INTEGER NOT NULL, scheduled INTEGER, scheduled_at_ms INTEGER
) WITHOUT ROWID;
-- version 5
ALTER TABLE players ADD COLUMN marks BLOB;
-- version 6
CREATE TABLE player_lines (
  number INTEGER PRIMARY KEY, player INTEGER NOT NULL, prior INTEGER, entry INTEGER NOT NULL, at_ms INTEGER, line TEXT NOT NULL, answer TEXT
);
CREATE TABLE forgotten_lines (player INTEGER PRIMARY KEY, head INTEGER NOT NULL);
ALTER TABLE players ADD COLUMN head INTEGER;
INSERT INTO player_lines (number, player, prior, entry, line, answer)
SELECT at, number, CASE WHEN lag(number) OVER (ORDER BY at) = number THEN at - 1 END, entry, line, answer
FROM (SELECT row_number() OVER (ORDER BY number, entry) AS at, * FROM player_history);
UPDATE players SET head = newest.line FROM (SELECT player, max(number) AS line FROM player_lines GROUP BY player) AS newest
WHERE players.number = newest.player;
DROP TABLE player_history;
-- version 7
ALTER TABLE answers ADD COLUMN uid INTEGER NOT NULL DEFAULT -1;
ALTER TABLE answers ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE answers ADD COLUMN seen_ms INTEGER NOT NULL DEFAULT 0;
UPDATE answers SET bytes = 512 + length(CAST(body AS BLOB)) + length(CAST(headers AS BLOB));
CREATE INDEX answers_of_user ON answers (uid, number);
CREATE TABLE answer_shares (uid INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
INSERT INTO answer_shares (uid, bytes) SELECT uid, sum(bytes) FROM answers GROUP BY uid;
-- version 8
CREATE TABLE bests (
  player INTEGER NOT NULL, event TEXT NOT NULL, detail TEXT NOT NULL, score INTEGER, at_ms INTEGER NOT NULL, PRIMARY KEY (player, event, detail)
) WITHOUT ROWID;
ALTER TABLE players ADD COLUMN bests INTEGER NOT NULL DEFAULT 0;
CREATE TABLE boards (
  number INTEGER PRIMARY KEY, game TEXT NOT NULL, board TEXT NOT NULL, per TEXT NOT NULL, UNIQUE (game, board, per)
);
CREATE TABLE board_rows (
  board INTEGER NOT NULL, player INTEGER NOT NULL, score INTEGER NOT NULL, at_ms INTEGER NOT NULL, PRIMARY KEY (board, player)
) WITHOUT ROWID;
CREATE INDEX board_order ON board_rows (board, score DESC, at_ms, player);
CREATE TABLE forgotten_players (player INTEGER PRIMARY KEY);
-- version 9
CREATE TABLE play_owners (
  number INTEGER PRIMARY KEY, game TEXT, player TEXT, open INTEGER NOT NULL, closed INTEGER NOT NULL, bytes INTEGER NOT NULL,
  UNIQUE (game, player)
);
CREATE TABLE plays (
  number INTEGER PRIMARY KEY, owner INTEGER NOT NULL, id TEXT NOT NULL, opened_ms INTEGER NOT NULL, closed_ms INTEGER,
  closed_host_ms INTEGER, revision INTEGER NOT NULL, keys INTEGER NOT NULL, digest TEXT NOT NULL, bytes INTEGER NOT NULL,
  uid INTEGER NOT NULL, context TEXT, UNIQUE (owner, id)
);
CREATE INDEX plays_by_owner ON plays (owner);
CREATE INDEX plays_closed ON plays (owner, closed_host_ms);
CREATE INDEX play_owners_gone ON play_owners (number) WHERE game IS NULL;
CREATE TABLE play_values (digest TEXT PRIMARY KEY, uid INTEGER NOT NULL, uses INTEGER NOT NULL, bytes INTEGER NOT NULL, content TEXT NOT NULL);
CREATE TABLE play_users (uid INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
-- version 10
CREATE TABLE catalogs (
  game TEXT NOT NULL, number INTEGER NOT NULL, digest INTEGER NOT NULL, bytes INTEGER NOT NULL, files BLOB NOT NULL, PRIMARY KEY (game, number)
);
-- version 11
CREATE TABLE scenarios (
  id TEXT PRIMARY KEY, started_ms INTEGER NOT NULL, lease_ms INTEGER NOT NULL, lease_seconds INTEGER NOT NULL, ends_ms INTEGER NOT NULL,
  ending INTEGER NOT NULL, scenario TEXT NOT NULL
) WITHOUT ROWID;
-- version 12
CREATE TABLE audit_keys (key TEXT NOT NULL, audit INTEGER NOT NULL, PRIMARY KEY (key, audit)) WITHOUT ROWID;
INSERT INTO audit_keys (key, audit)
SELECT DISTINCT told.value, audit.id
FROM audit, json_each(CASE WHEN json_valid(audit.detail) THEN audit.detail END, '$.keys') AS told
WHERE audit.action IN ('catalog.accept', 'catalog.revert', 'template.activate', 'template.rollback') AND told.type = 'text';
CREATE INDEX audit_keys_of ON audit_keys (audit);
CREATE INDEX audit_by_key ON audit (key, id) WHERE key IS NOT NULL;
-- version 13
CREATE TABLE audit_packs (
  first INTEGER PRIMARY KEY, last INTEGER NOT NULL, at_ms INTEGER NOT NULL, author_uid INTEGER NOT NULL, author_name TEXT NOT NULL,
  author_pid INTEGER, action TEXT NOT NULL, game TEXT, reason TEXT, revision INTEGER, lines BLOB NOT NULL
);
-- version 14
ALTER TABLE audit ADD COLUMN session TEXT;
ALTER TABLE audit_packs ADD COLUMN session TEXT;
CREATE INDEX audit_session ON audit (session, id) WHERE session IS NOT NULL;
ALTER TABLE plays ADD COLUMN state TEXT;
ALTER TABLE plays ADD COLUMN state_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE player_lines ADD COLUMN event_prior INTEGER;
ALTER TABLE player_lines ADD COLUMN event_entry INTEGER;
ALTER TABLE players ADD COLUMN events BLOB;
ALTER TABLE forgotten_lines ADD COLUMN events BLOB;
