import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createPostgresDriver } from '#database/drivers/postgres/postgres-driver.ts'
import { StoreRefusal } from '#database/drivers/store-refusal.ts'
import { postgresFingerprint, targetOf } from '#testkit/drivers/postgres-stage.ts'
import { CAPS, sharedBy } from '#testkit/drivers/stage.ts'
import { describePostgres, freshDatabase } from '#testkit/stores/test-stores.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'

/** Each must be refused on a read-only connection, even one of a superuser. */
const HOSTILE = [
  // Two statements in one text.
  'SELECT 1; DELETE FROM accounts',
  'SELECT 1; COMMIT; DELETE FROM accounts',
  'COMMIT; BEGIN READ WRITE; DELETE FROM accounts; COMMIT',
  'ROLLBACK; DROP TABLE accounts',
  '/* ; */ SELECT 1 /* */; /**/ TRUNCATE accounts --',
  'SELECT 1;\n\n;DELETE FROM accounts',
  `SELECT E'\\'; DELETE FROM accounts; --'; DELETE FROM accounts`,
  // Plain writes.
  'DELETE FROM accounts',
  'INSERT INTO accounts VALUES (3, 300)',
  'UPDATE accounts SET balance = 0 WHERE id = 1',
  'MERGE INTO accounts a USING accounts b ON a.id = b.id WHEN MATCHED THEN DELETE',
  'TRUNCATE accounts',
  'DROP TABLE accounts',
  'CREATE TABLE loot (id int)',
  'CREATE TEMP TABLE loot (id int)',
  'CREATE TABLE loot AS SELECT * FROM accounts',
  'ALTER TABLE accounts ADD COLUMN x int',
  'CREATE INDEX ON accounts (balance)',
  'CREATE VIEW loot AS SELECT 1',
  'CREATE SCHEMA loot',
  'CREATE EXTENSION dblink',
  'CREATE ROLE mallory SUPERUSER',
  'ALTER ROLE CURRENT_USER SET search_path = loot',
  'GRANT ALL ON accounts TO PUBLIC',
  "COMMENT ON TABLE accounts IS 'mine'",
  'REFRESH MATERIALIZED VIEW totals',
  // Writes in the dress of a read.
  'WITH gone AS (DELETE FROM accounts RETURNING *) SELECT * FROM gone',
  'WITH a AS (SELECT 1), b AS (INSERT INTO accounts VALUES (9, 9) RETURNING id) SELECT * FROM a, b',
  'SELECT * INTO loot FROM accounts',
  'SELECT * INTO TEMP loot FROM accounts',
  '(SELECT * INTO UNLOGGED loot FROM accounts)',
  'SELECT * FROM accounts FOR UPDATE',
  'SELECT * FROM accounts FOR NO KEY UPDATE SKIP LOCKED',
  'TABLE accounts FOR SHARE',
  'EXPLAIN ANALYZE DELETE FROM accounts',
  'EXPLAIN (ANALYZE, COSTS off) INSERT INTO accounts VALUES (4, 4)',
  'EXPLAIN (ANALYZE 1) CREATE TABLE loot AS SELECT 1',
  'EXPLAIN ANALYZE WITH x AS (UPDATE accounts SET balance = 1 RETURNING 1) SELECT * FROM x',
  // Settings.
  "SELECT set_config('transaction_read_only', 'off', false)",
  "SELECT pg_catalog.set_config('session_replication_role', 'replica', false)",
  `SELECT "set_config"('search_path', 'loot', false)`,
  `SELECT U&"set\\005fconfig"('search_path', 'loot', false)`,
  "SELECT * FROM set_config('work_mem', '64kB', false)",
  "SELECT 1 WHERE (SELECT set_config('work_mem', '64kB', false)) IS NOT NULL",
  "SELECT count(*) FILTER (WHERE set_config('work_mem', '64kB', false) <> '') FROM accounts",
  'SET transaction_read_only = off',
  'SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE',
  'SET LOCAL statement_timeout = 0',
  'RESET ALL',
  'DISCARD ALL',
  "ALTER SYSTEM SET log_statement = 'all'",
  'ALTER DATABASE CURRENT SET work_mem = 64',
  // Transactions and sessions.
  'BEGIN',
  'COMMIT',
  'ROLLBACK',
  'START TRANSACTION READ WRITE',
  'SAVEPOINT a',
  "PREPARE TRANSACTION 'a'",
  'PREPARE loot AS DELETE FROM accounts',
  'EXECUTE loot',
  'DECLARE c CURSOR WITH HOLD FOR SELECT 1',
  'LISTEN gossip',
  "NOTIFY gossip, 'hi'",
  "SELECT pg_notify('gossip', 'hi')",
  'LOCK TABLE accounts',
  // Code and files.
  'DO $$ BEGIN DELETE FROM accounts; END $$',
  'CALL raid()',
  'SELECT raid_function()',
  'SELECT * FROM public.raid_function()',
  'SELECT id FROM accounts ORDER BY raid_function()',
  'SELECT * FROM raided',
  'SELECT public.pg_sleep(1::text)',
  'SELECT 1 OPERATOR(public.@@@) 2',
  'SELECT 1::text::trap',
  "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'DELETE FROM accounts RETURNING 1'",
  "COPY accounts TO PROGRAM 'touch loot'",
  "COPY (SELECT 1) TO '/tmp/loot'",
  'COPY accounts TO STDOUT',
  "COPY accounts FROM PROGRAM 'echo 9'",
  "SELECT pg_read_file('postgresql.conf')",
  "SELECT pg_read_binary_file('postgresql.conf')",
  "SELECT pg_ls_dir('.')",
  'SELECT pg_ls_waldir()',
  "SELECT (pg_stat_file('postgresql.conf')).size",
  'SELECT * FROM pg_hba_file_rules()',
  "SELECT lo_import('/etc/passwd')",
  "SELECT lo_from_bytea(0, '\\x00')",
  'SELECT lo_creat(-1)',
  "SELECT lo_export(1, '/tmp/loot')",
  "LOAD 'loot'",
  // SQL as text.
  "SELECT query_to_xml('DELETE FROM accounts RETURNING id', true, true, '')",
  "SELECT table_to_xml('accounts', true, true, '')",
  "SELECT cursor_to_xml('c', 1, true, true, '')",
  `SELECT * FROM ts_stat('SELECT set_config(''work_mem'', ''64kB'', false)::tsvector')`,
  "SELECT dblink_exec('dbname=postgres', 'DROP TABLE accounts')",
  // Other sessions, locks, sequences and the server.
  "SELECT nextval('tickets')",
  "SELECT setval('tickets', 1000)",
  'SELECT pg_advisory_lock(1)',
  'SELECT pg_try_advisory_lock(1)',
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity',
  'SELECT pg_cancel_backend(1)',
  'SELECT pg_reload_conf()',
  'SELECT pg_rotate_logfile()',
  'SELECT pg_switch_wal()',
  "SELECT pg_create_restore_point('loot')",
  'SELECT pg_stat_reset()',
  "SELECT pg_logical_emit_message(false, 'a', 'b')",
  'SELECT pg_promote()',
  'SELECT pg_export_snapshot()',
  'VACUUM',
  'VACUUM FULL accounts',
  'ANALYZE accounts',
  'CLUSTER',
  'REINDEX TABLE accounts',
  'CHECKPOINT',
  // Not what it seems.
  '',
  '   ',
  '--',
  'SELECT 1 \0; DELETE FROM accounts',
  'DELETE\u00a0FROM accounts',
  'ＤＥＬＥＴＥ FROM accounts',
  `EXPLAIN EXPLAIN DELETE FROM accounts`,
]

/** Everything a person needs for reading still works. */
const HARMLESS = [
  'SELECT * FROM accounts',
  'TABLE accounts',
  'VALUES (1), (2)',
  'SHOW work_mem',
  'EXPLAIN SELECT * FROM accounts',
  'EXPLAIN ANALYZE SELECT * FROM accounts',
  'EXPLAIN DELETE FROM accounts',
  'WITH a AS (SELECT * FROM accounts) SELECT sum(balance), max(id) FROM a',
  "SELECT 'DELETE FROM accounts; DROP TABLE accounts' AS text",
  'SELECT lower(version()), now(), random(), count(*) FROM accounts',
  'SELECT pg_total_relation_size(oid), gen_random_uuid() FROM pg_class LIMIT 1',
  'SELECT id, balance, row_number() OVER (ORDER BY id) FROM accounts;',
]

/** Hostile ones that do change something where no guard stands before the server. */
const EFFECTIVE = [
  'DELETE FROM accounts',
  'SELECT 1; DELETE FROM accounts',
  'WITH gone AS (DELETE FROM accounts RETURNING *) SELECT * FROM gone',
  'SELECT * INTO loot FROM accounts',
  'DO $$ BEGIN DELETE FROM accounts; END $$',
  'SELECT raid_function()',
  "SELECT nextval('tickets')",
  "SELECT lo_from_bytea(0, '\\x00')",
  "COPY accounts TO PROGRAM 'touch loot'",
]

describePostgres('on a read-only connection of a superuser', () => {
  const store = sharedBy(prepare)
  const never = new AbortController().signal

  test('the corpus is as large as was asked for', () => {
    expect(new Set(HOSTILE).size).toBe(HOSTILE.length)
    expect(HOSTILE.length).toBeGreaterThanOrEqual(80)
  })

  test('[STORE-1] no hostile statement is run, and nothing is changed by trying', async () => {
    const { database, look } = await store()
    const driver = createPostgresDriver(targetOf({ url: database.superUrl, name: database.name }))
    const before = await look()
    const run = []
    for (const statement of HOSTILE) {
      const outcome = await driver.run(statement, CAPS, never).catch((reason) => reason)
      if (!(outcome instanceof StoreRefusal)) run.push([statement, outcome])
      const streamed = await driver.stream({ statement }, never).catch((reason) => reason)
      if (!(streamed instanceof StoreRefusal)) run.push(['stream', statement, streamed])
      await driver.explain(statement, never).catch(() => undefined)
    }
    await driver.close()
    expect(run).toEqual([])
    expect(await look()).toEqual(before)
  })

  test('what only reads is run', async () => {
    const { database } = await store()
    const driver = createPostgresDriver(targetOf(database))
    for (const statement of HARMLESS) {
      expect((await driver.run(statement, CAPS, never)).rows.length).toBeGreaterThan(0)
    }
    await driver.close()
  })

  test('[STORE-1] what a function leaves in its session does not meet the next statement', async () => {
    const { database } = await store()
    const driver = createPostgresDriver(targetOf(database))
    await driver.run('SELECT sneak()', CAPS, never)
    const left = `SELECT current_setting('work_mem') AS memory, (
      SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
      WHERE locktype = 'advisory' AND datname = current_database()) AS locks`
    const { rows } = await driver.run(left, CAPS, never)
    await driver.close()
    expect({ ...rows[0] }).toEqual({ memory: '4MB', locks: 0 })
  })

  test.each(EFFECTIVE)('without the guard something would change: %s', async (statement) => {
    const { look, client, restore } = await store()
    const before = await look()
    await client.query(statement)
    expect(await look()).not.toEqual(before)
    await restore()
  })
})

async function prepare(atEnd: AtEnd) {
  const database = await freshDatabase(atEnd)
  const client = new pg.Client(database.superUrl)
  await client.connect()
  atEnd(() => client.end())
  const restore = async () => {
    await client.query(
      'DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public; GRANT ALL ON SCHEMA public TO PUBLIC; SELECT lo_unlink(oid) FROM pg_largeobject_metadata',
    )
    await client.query(CONTENT)
  }
  await restore()
  const look = async () => [await postgresFingerprint(client), filesIn(database.folder)]
  return { database, client, look, restore }
}

/** The server's own files, less those it writes by itself all the time. */
function filesIn(folder: string): unknown[] {
  const cluster = join(folder, 'cluster')
  const settings = ['postgresql.conf', 'postgresql.auto.conf', 'pg_hba.conf'].map((name) => {
    const { size, mtimeMs } = statSync(join(cluster, name))
    return [name, size, mtimeMs]
  })
  return [readdirSync(folder).toSorted(), readdirSync(cluster).toSorted(), settings]
}

const CONTENT = `
  CREATE TABLE accounts (id int PRIMARY KEY, balance numeric);
  INSERT INTO accounts VALUES (1, 100), (2, 200);
  CREATE SEQUENCE tickets;
  SELECT nextval('tickets');
  CREATE MATERIALIZED VIEW totals AS SELECT sum(balance) FROM accounts;
  CREATE PROCEDURE raid() LANGUAGE sql AS 'DELETE FROM accounts';
  CREATE FUNCTION raid_function() RETURNS int LANGUAGE sql AS 'DELETE FROM accounts; SELECT 1';
  CREATE FUNCTION pg_sleep(text) RETURNS text LANGUAGE sql AS $$ SELECT pg_read_file('PG_VERSION') $$;
  CREATE VIEW raided AS SELECT raid_function();
  CREATE FUNCTION raid_operator(int, int) RETURNS int LANGUAGE sql AS 'SELECT raid_function()';
  CREATE OPERATOR @@@ (LEFTARG = int, RIGHTARG = int, FUNCTION = raid_operator);
  CREATE FUNCTION raid_check(text) RETURNS boolean LANGUAGE sql AS 'SELECT raid_function() = 1';
  CREATE DOMAIN trap AS text CHECK (raid_check(VALUE));
  CREATE FUNCTION sneak() RETURNS text STABLE LANGUAGE sql AS $$
    SELECT set_config('work_mem', '64kB', false) || pg_advisory_lock(7)::text $$;
  GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC;
  GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO PUBLIC;`
