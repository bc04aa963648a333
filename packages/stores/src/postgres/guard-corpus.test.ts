import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { StoreRefusal } from '#store-refusal.ts'
import { RAID_CONTENT } from '#testkit/corpus/hostile-server.ts'
import { CAPS, sharedFixture } from '#testkit/drivers/driver-fixture.ts'
import { configOf, postgresFingerprint } from '#testkit/drivers/postgres-fixture.ts'
import { countOf } from '#testkit/generated.ts'
import { describePostgres, freshDatabase } from '#testkit/stores/test-stores.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'
import { createPostgresDriver } from './driver.ts'

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
  "COPY accounts TO PROGRAM 'cat > loot'",
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

/** Functions called without a call: by attribute notation, operators, casts and aggregates. */
const UNSEEN_CALLS = [
  'SELECT (pid).pg_terminate_backend FROM (SELECT 1 AS pid) t',
  'SELECT (pid).pg_terminate_backend FROM pg_stat_activity',
  'SELECT (1).pg_terminate_backend',
  'SELECT (1).pg_cancel_backend',
  'SELECT ((1)).pg_cancel_backend',
  'SELECT (1 + 1).pg_cancel_backend',
  'SELECT (1).pg_log_backend_memory_contexts',
  'SELECT (SELECT 1).pg_cancel_backend',
  'SELECT (ARRAY[1])[1].pg_cancel_backend',
  'SELECT ((ARRAY[1])[1]).pg_cancel_backend',
  'SELECT (a.id).pg_cancel_backend FROM accounts a',
  'SELECT (CASE WHEN true THEN 1 END).pg_cancel_backend',
  'SELECT (1::int)."pg_cancel_backend"',
  'SELECT (1).U&"pg\\005fcancel\\005fbackend"',
  'SELECT (1).PG_CANCEL_BACKEND',
  'SELECT 1 WHERE (1).pg_cancel_backend',
  'SELECT 1 ORDER BY (1).pg_cancel_backend',
  'SELECT count(*) FROM accounts GROUP BY (1).pg_cancel_backend',
  'SELECT count(*) FILTER (WHERE (1).pg_cancel_backend) FROM accounts',
  'SELECT * FROM accounts JOIN accounts b ON (1).pg_cancel_backend',
  'SELECT * FROM accounts, LATERAL (SELECT (accounts.id).pg_cancel_backend) t',
  'VALUES ((1).pg_cancel_backend)',
  'WITH a AS (SELECT (1).pg_cancel_backend) SELECT * FROM a',
  'SELECT 1 LIMIT ((7::bigint).pg_advisory_lock::text)::int',
  'EXPLAIN ANALYZE SELECT (1).pg_cancel_backend',
  "SELECT ('tickets'::regclass).nextval",
  "SELECT (('tickets'::regclass).nextval).int4",
  "SELECT coalesce(('tickets'::regclass).nextval, 1)",
  'SELECT (-1).lo_creat',
  'SELECT (0::oid).lo_create',
  "SELECT ('/etc/passwd'::text).lo_import",
  'SELECT (1::oid).lo_unlink',
  'SELECT (1::oid).lo_get',
  'SELECT (7::bigint).pg_advisory_lock',
  'SELECT (7::bigint).pg_try_advisory_lock',
  'SELECT (7::bigint).pg_advisory_xact_lock',
  "SELECT ('PG_VERSION'::text).pg_read_file",
  "SELECT ('PG_VERSION'::text).pg_read_binary_file",
  "SELECT ('.'::text).pg_ls_dir",
  "SELECT ('PG_VERSION'::text).pg_stat_file",
  "SELECT (('PG_VERSION'::text).pg_stat_file).size",
  "SELECT ('loot'::name).pg_create_physical_replication_slot",
  "SELECT ('loot'::name).pg_drop_replication_slot",
  "SELECT ('loot'::text).pg_create_restore_point",
  "SELECT ('loot'::text).pg_backup_start",
  'SELECT (1::oid).pg_stat_reset_single_table_counters',
  "SELECT ('bgwriter'::text).pg_stat_reset_shared",
  "SELECT ('accounts'::regclass).brin_summarize_new_values",
  'SELECT (true).pg_promote',
  'SELECT a.raid_row FROM accounts a',
  'SELECT accounts.raid_row FROM accounts',
  'SELECT public.accounts.raid_row FROM public.accounts',
  'SELECT (a).raid_row FROM accounts a',
  'SELECT (a.*).raid_row FROM accounts a',
  'SELECT id FROM accounts a ORDER BY a.raid_row',
  'SELECT (ROW(1, 2)::accounts).raid_row',
  'SELECT (1).raid_number',
  'SELECT 1 OPERATOR(public.@@@) 2',
  'SELECT 1 @@@ 2',
  'SELECT 1 @@@ ANY (ARRAY[2])',
  'SELECT 1 @@@ ANY (SELECT 2)',
  'SELECT 1 @!@ 1',
  'SELECT raid_sum(id) FROM accounts',
  'SELECT raid_sum(id) OVER () FROM accounts',
  'SELECT 1::raid_kind',
  'SELECT CAST(1 AS public.raid_kind)',
  'SELECT raid_kind(1)',
  'SELECT * FROM accounts TABLESAMPLE public.raid_sample (1)',
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
  'SELECT a.id, (a).balance, public.accounts.http_status FROM accounts a, public.accounts',
  'SELECT (a.id).abs FROM accounts a',
  "SELECT '1'::int + 2.5::numeric, 'a' LIKE 'a', 1 = ANY (ARRAY[1]) FROM accounts TABLESAMPLE system (100)",
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
  "COPY accounts TO PROGRAM 'cat > loot'",
  "SELECT ('tickets'::regclass).nextval",
  'SELECT (-1).lo_creat',
  'SELECT (7::bigint).pg_advisory_lock',
  "SELECT ('loot'::name).pg_create_physical_replication_slot",
  'SELECT a.raid_row FROM accounts a',
  'SELECT (1).raid_number',
  'SELECT 1 @@@ 2',
  'SELECT raid_sum(id) FROM accounts',
  'SELECT 1::raid_kind',
]

describePostgres('on a read-only connection of a superuser', () => {
  const store = sharedFixture(prepare)
  const never = new AbortController().signal

  test('the corpus is as large as was asked for', () => {
    expect(new Set(HOSTILE).size).toBe(HOSTILE.length)
    expect(HOSTILE.length).toBeGreaterThanOrEqual(80)
  })

  test('[STORE-1] [STORE-14] no hostile statement is run, and nothing is changed by trying', async () => {
    const { database, look } = await store()
    const before = await look()
    expect(await statementsRun(HOSTILE, { url: database.superUrl, name: database.name })).toEqual([])
    expect(await look()).toEqual(before)
  })

  test('[STORE-22] a function called by attribute, operator, cast or aggregate is refused', async () => {
    const { database, look } = await store()
    expect(UNSEEN_CALLS.length).toBeGreaterThanOrEqual(40)
    const before = await look()
    const owner = { url: database.superUrl, name: database.name }
    expect(await statementsRun(UNSEEN_CALLS, owner, BY_GUARD)).toEqual([])
    // The guard checks the text alone, so another role needs fewer of them.
    const some = UNSEEN_CALLS.filter((_, index) => index % 5 < countOf('oddRequestsInFive'))
    expect(await statementsRun(some, database, BY_GUARD)).toEqual([])
    expect(await look()).toEqual(before)
  })

  test('[STORE-22] a session is not ended by a field that is a function', async () => {
    const { database, client } = await store()
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
    const text = `SELECT (pid).pg_terminate_backend FROM (SELECT ${rows[0]?.pid} AS pid) t`
    for (const writable of [false, true]) {
      const driver = createPostgresDriver({
        ...configOf({ url: database.superUrl, name: database.name }),
        acceptsPrivilegedRole: true,
        writable,
      })
      await expect(driver.run(text, CAPS, never)).rejects.toThrow(
        'The function pg_terminate_backend is not allowed here: it reaches files, settings or other sessions. ' +
          'If it is a column, write its name without a table or expression before it.',
      )
      await driver.close()
    }
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test('what only reads is run', async () => {
    const { database } = await store()
    const driver = createPostgresDriver(configOf(database))
    for (const statement of HARMLESS) {
      expect((await driver.run(statement, CAPS, never)).rows.length).toBeGreaterThan(0)
    }
    await driver.close()
  })

  test('[STORE-1] what a function leaves in its session does not meet the next statement', async () => {
    const { database } = await store()
    const driver = createPostgresDriver(configOf(database))
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

/** The words of a refusal by the guard, before the server gets the statement. */
const BY_GUARD = /not allowed here|may change data, but|sampling methods/

/** Those that were not refused, or not with these words. */
async function statementsRun(
  statements: readonly string[],
  database: { url: string; name: string },
  words = /./,
) {
  const never = new AbortController().signal
  // Even a superuser whose risk was accepted gets no hostile statement through.
  const driver = createPostgresDriver({ ...configOf(database), acceptsPrivilegedRole: true })
  const run = []
  for (const statement of statements) {
    const outcome = await driver.run(statement, CAPS, never).catch((reason) => reason)
    if (!(outcome instanceof StoreRefusal && words.test(outcome.message))) run.push([statement, outcome])
    const streamed = await driver.stream({ statement }, never).catch((reason) => reason)
    if (!(streamed instanceof StoreRefusal)) run.push(['stream', statement, streamed])
    await driver.explain(statement, never).catch(() => undefined)
  }
  await driver.close()
  return run
}

async function prepare(atEnd: AtEnd) {
  const database = await freshDatabase(atEnd)
  const client = new pg.Client(database.superUrl)
  await client.connect()
  atEnd(() => client.end())
  const restore = async () => {
    await client.query(
      'DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public; GRANT ALL ON SCHEMA public TO PUBLIC; SELECT lo_unlink(oid) FROM pg_largeobject_metadata; SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots; SELECT pg_advisory_unlock_all()',
    )
    await client.query(RAID_CONTENT)
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
