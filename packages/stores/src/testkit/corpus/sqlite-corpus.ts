import type { HostileText } from './postgres-corpus.ts'

/** Writes, each of which changes the file. */
const WRITES: readonly string[] = [
  'DELETE FROM trades WHERE id = 1',
  'UPDATE trades SET price = 7 WHERE id = 1',
  "INSERT INTO trades VALUES (9, 'X', 1)",
  "REPLACE INTO trades VALUES (1, 'X', 7)",
  "INSERT INTO trades VALUES (1, 'X', 7) ON CONFLICT (id) DO UPDATE SET price = 7",
  'DROP TABLE words',
  'CREATE TABLE loot (id)',
]

/** Ways to hide a write in a text. */
const COVERS: readonly string[] = [
  'WRITE',
  'WRITE;',
  ' \t\n WRITE',
  '/* SELECT */ WRITE',
  '-- SELECT\nWRITE',
  ';;WRITE',
  'SELECT 1; WRITE',
  "SELECT ';'; WRITE",
  'SELECT 1 /* ; */ ; WRITE -- end',
  'BEGIN; WRITE; COMMIT',
  'SAVEPOINT a; WRITE; RELEASE a',
]

const OTHERS: readonly HostileText[] = [
  ...visible(
    "INSERT INTO trades VALUES (9, 'X', 1) RETURNING *",
    'DELETE FROM trades RETURNING id',
    'UPDATE trades SET price = 0 RETURNING price',
    'UPDATE OR REPLACE trades SET id = 1 WHERE id = 2',
    'UPDATE OR IGNORE trades SET price = 0',
    "INSERT OR REPLACE INTO trades VALUES (1, 'X', 0)",
    "INSERT OR IGNORE INTO trades VALUES (9, 'X', 0)",
    'INSERT INTO trades SELECT id + 100, symbol, price FROM trades',
    'INSERT INTO trades DEFAULT VALUES',
    'WITH a AS (SELECT 1 AS id) DELETE FROM trades WHERE id IN (SELECT id FROM a)',
    'WITH RECURSIVE n (i) AS (SELECT 50 UNION ALL SELECT i + 1 FROM n LIMIT 5) INSERT INTO trades SELECT i, i, i FROM n',
    'UPDATE trades SET price = 0 FROM doubled WHERE trades.id = doubled.id',
    'DELETE FROM cheap WHERE id = 1',
    "INSERT INTO cheap VALUES (9, 'X', 1)",
    "INSERT INTO words (word) VALUES ('x')",
    "INSERT INTO words (words) VALUES ('rebuild'), ('optimize')",
    'UPDATE doubled SET base = 9',
    'DELETE FROM sqlite_sequence; CREATE TABLE loot (id)',
    'CREATE TABLE loot AS SELECT * FROM trades',
    'CREATE TABLE IF NOT EXISTS loot (id, twice AS (id * 2) STORED)',
    'CREATE VIEW loot AS SELECT 1',
    'CREATE UNIQUE INDEX loot ON trades (price)',
    'CREATE INDEX loot ON trades (symbol) WHERE price > 1',
    'CREATE TRIGGER loot AFTER UPDATE ON trades BEGIN DELETE FROM trades; END',
    'CREATE TRIGGER loot INSTEAD OF UPDATE ON cheap BEGIN DELETE FROM trades; END',
    'CREATE VIRTUAL TABLE loot USING fts5(word)',
    'CREATE VIRTUAL TABLE loot USING rtree(id, low, high)',
    'ALTER TABLE trades ADD COLUMN loot',
    'ALTER TABLE trades RENAME TO loot',
    'DROP VIEW cheap',
    'DROP TRIGGER watch',
    'DROP INDEX by_symbol',
    'ANALYZE',
    'ANALYZE main.trades',
    "VACUUM INTO 'FOLDER/loot.sqlite'",
    "VACUUM main INTO 'FOLDER/loot.sqlite'",
    "ATTACH 'FOLDER/loot.sqlite' AS loot; CREATE TABLE loot.a (b)",
    "ATTACH DATABASE 'file:FOLDER/loot.sqlite?mode=rwc' AS loot; CREATE TABLE loot.a (b)",
    "ATTACH 'FOLDER/other.sqlite' AS other; DELETE FROM other.secrets",
    "ATTACH 'FOLDER/other.sqlite' AS other; INSERT INTO other.secrets SELECT symbol FROM main.trades",
    'PRAGMA user_version = 7',
    'PRAGMA user_version(7)',
    'PRAGMA main.user_version = 7',
    'pragma APPLICATION_ID = 7',
    'PRAGMA journal_mode = WAL',
    'PRAGMA main.journal_mode(PERSIST); DELETE FROM trades',
    "PRAGMA encoding = 'UTF-16'; CREATE TABLE loot (a)",
    'PRAGMA page_size = 8192; VACUUM',
    'PRAGMA auto_vacuum = FULL; VACUUM',
    'PRAGMA writable_schema = 1; CREATE TABLE loot (a)',
    'PRAGMA foreign_keys = 0; DELETE FROM trades',
    'PRAGMA ignore_check_constraints = 1; UPDATE trades SET price = -1',
  ),
  ...invisible(
    "INSERT INTO words (words) VALUES ('delete-all')",
    'DELETE FROM words_content',
    "UPDATE words_data SET block = x'00'",
    'ALTER TABLE trades RENAME COLUMN price TO loot',
    'ALTER TABLE trades DROP COLUMN price',
    'VACUUM',
    'REINDEX',
    'REINDEX trades',
    'BEGIN',
    'BEGIN EXCLUSIVE',
    'COMMIT',
    'END TRANSACTION',
    'ROLLBACK',
    'SAVEPOINT a',
    'RELEASE a',
    "ATTACH 'FOLDER/other.sqlite' AS other",
    "ATTACH ':memory:' AS loot",
    "ATTACH '' AS loot",
    'DETACH main',
    'EXPLAIN DELETE FROM trades',
    'EXPLAIN QUERY PLAN UPDATE trades SET price = 0',
    'CREATE TEMP TABLE loot (id)',
    'CREATE TEMPORARY VIEW loot AS SELECT 1',
    'CREATE TEMP TRIGGER loot AFTER INSERT ON trades BEGIN SELECT 1; END',
    'CREATE TABLE temp.loot (id)',
    'PRAGMA query_only = 0',
    'PRAGMA query_only',
    'PRAGMA writable_schema = ON',
    'PRAGMA writable_schema = RESET',
    'PRAGMA schema_version = 99',
    'PRAGMA trusted_schema = 1',
    'PRAGMA recursive_triggers = 1',
    'PRAGMA foreign_keys = 0',
    'PRAGMA defer_foreign_keys = 1',
    'PRAGMA cell_size_check = 0',
    'PRAGMA locking_mode = EXCLUSIVE',
    'PRAGMA synchronous = OFF',
    'PRAGMA temp_store = FILE',
    "PRAGMA temp_store_directory = 'FOLDER'",
    'PRAGMA cache_size = 1000000',
    'PRAGMA mmap_size = 1000000000',
    'PRAGMA soft_heap_limit = 0',
    'PRAGMA hard_heap_limit = 0',
    'PRAGMA busy_timeout = 0',
    'PRAGMA wal_checkpoint(TRUNCATE)',
    'PRAGMA wal_autocheckpoint = 0',
    'PRAGMA optimize',
    'PRAGMA optimize(0x10002)',
    'PRAGMA incremental_vacuum(10)',
    'PRAGMA shrink_memory',
    'PRAGMA case_sensitive_like = 1',
    'PRAGMA threads = 8',
    'PRAGMA analysis_limit = 1',
    'PRAGMA data_store_directory = 1',
    "SELECT load_extension('FOLDER/loot.so')",
    "SELECT load_extension('FOLDER/loot.so', 'init') FROM trades",
    "SELECT fts3_tokenizer('simple', x'00')",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('FOLDER/loot.txt', 'x')",
    "SELECT edit('x', 'sh')",
    'SELECT * FROM sqlite_dbpage',
    "SELECT * FROM fsdir('/')",
    "SELECT * FROM csv('/etc/passwd')",
    "CREATE VIRTUAL TABLE temp.loot USING csv(filename = '/etc/passwd')",
    'UPDATE sqlite_schema SET sql = NULL',
    "INSERT INTO sqlite_schema VALUES ('table', 'a', 'a', 0, 'CREATE TABLE a (b)')",
    'DELETE FROM sqlite_master',
    'DROP TABLE sqlite_schema',
    'INSERT INTO pragma_table_info VALUES (1)',
    'SELECT 1 SELECT 2',
    'SELECT 1；DELETE FROM trades',
    'SELECT 1 \0; DELETE FROM trades',
    '',
    ';',
    '-- nothing',
    '/* not closed',
    "SELECT 'not closed",
  ),
]

export function sqliteCorpus(): HostileText[] {
  const covered = COVERS.flatMap((cover) =>
    WRITES.map((write) => ({ text: cover.replaceAll('WRITE', write), isVisible: true })),
  )
  return [...covered, ...OTHERS]
}

/** The database that the texts are for. */
export const SQLITE_CONTENT = `
  CREATE TABLE trades (id INTEGER PRIMARY KEY AUTOINCREMENT, symbol TEXT, price REAL CHECK (price >= 0));
  INSERT INTO trades VALUES (1, 'BTCUSDT', 1.5), (2, 'ETHUSDT', 3), (3, 'BTCUSDT', 4.5);
  CREATE INDEX by_symbol ON trades (symbol);
  CREATE VIEW cheap AS SELECT * FROM trades WHERE price < 4;
  CREATE TRIGGER cheap_delete INSTEAD OF DELETE ON cheap BEGIN DELETE FROM trades WHERE id = old.id; END;
  CREATE TRIGGER cheap_insert INSTEAD OF INSERT ON cheap
    BEGIN INSERT INTO trades VALUES (new.id, new.symbol, new.price); END;
  CREATE TRIGGER watch AFTER DELETE ON trades BEGIN SELECT 1; END;
  CREATE TABLE doubled (id INTEGER PRIMARY KEY, base, twice AS (base * 2));
  INSERT INTO doubled VALUES (1, 2);
  CREATE VIRTUAL TABLE words USING fts5(word);
  INSERT INTO words VALUES ('one'), ('two')`

function visible(...texts: string[]): HostileText[] {
  return texts.map((text) => ({ text, isVisible: true }))
}

function invisible(...texts: string[]): HostileText[] {
  return texts.map((text) => ({ text, isVisible: false }))
}
