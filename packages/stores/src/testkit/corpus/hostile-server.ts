import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type PostgresServer, startPostgres } from '#testkit/stores/postgres-server.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'

/** A PostgreSQL server of its own, since hostile statements may change roles, slots, settings and files. */
export interface HostileServer {
  urls: { reader: string; owner: string; superuser: string }
  /** The whole state that a statement could change. */
  look(): Promise<string>
  /** Runs a text as superuser, past all guards. */
  strike(text: string): Promise<void>
  restore(): Promise<void>
  /** The process id of another session. */
  victim(): number
}

export async function startHostileServer(atEnd: AtEnd): Promise<HostileServer> {
  const server = await startPostgres(inject('stores').postgresBin ?? '')
  atEnd(() => server.end())
  const client = await connect(server.url)
  const witness = await connect(server.url)
  let victim = await connect(server.url)
  let victimPid = await pidOf(victim)
  atEnd(() => Promise.allSettled([client, witness, victim].map((one) => one.end())).then(() => undefined))
  await client.query("CREATE ROLE reader LOGIN PASSWORD 'sesame'; CREATE ROLE owner LOGIN PASSWORD 'sesame'")
  await client.query('GRANT pg_read_all_data TO reader; GRANT ALL ON DATABASE postgres TO owner')
  const restore = async () => {
    await client.query('ROLLBACK')
    for (const sql of RESTORE) await client.query(sql)
    const { rows } = await client.query('SELECT FROM pg_stat_activity WHERE pid = $1', [victimPid])
    if (rows.length === 0) {
      victim = await connect(server.url)
      victimPid = await pidOf(victim)
    }
  }
  await restore()
  return {
    urls: { reader: urlOf(server, 'reader'), owner: urlOf(server, 'owner'), superuser: server.url },
    look: async () =>
      JSON.stringify([
        await stateOf(witness, victimPid),
        await contentsOf(witness),
        (await client.query('SELECT name, setting FROM pg_settings WHERE source = $1', ['session'])).rows,
        filesOf(server.folder),
      ]),
    async strike(text) {
      await client.query(text).catch(() => undefined)
      await client.query('ROLLBACK')
    },
    restore,
    victim: () => victimPid,
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function pidOf(client: pg.Client): Promise<number> {
  return (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0
}

function urlOf({ url }: PostgresServer, role: string): string {
  const address = new URL(url)
  address.username = role
  address.password = 'sesame'
  return address.href
}

async function stateOf(client: pg.Client, victim: number): Promise<unknown[]> {
  return (await client.query(STATE, [victim])).rows
}

async function contentsOf(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  )
  const contents = []
  for (const { name } of rows) {
    contents.push([name, (await client.query(`SELECT t::text FROM ${name} AS t ORDER BY 1`)).rows])
  }
  return contents
}

/** Names of files, and the settings, less what the server writes by itself all the time. */
function filesOf(folder: string): unknown[] {
  const cluster = join(folder, 'cluster')
  const settings = ['postgresql.conf', 'postgresql.auto.conf', 'pg_hba.conf', 'pg_ident.conf']
  return [
    readdirSync(folder).toSorted(),
    readdirSync(cluster).toSorted(),
    readdirSync(join(cluster, 'pg_tblspc')),
    settings.map((name) => readFileSync(join(cluster, name), 'utf8')),
  ]
}

const STATE = `
  SELECT 'setting' AS what, name::text, setting::text AS value FROM pg_settings
    WHERE name NOT LIKE 'transaction%' AND source NOT IN ('session', 'client')
  UNION ALL SELECT 'sequence', sequencename, coalesce(last_value, 0)::text FROM pg_sequences
  UNION ALL SELECT 'relation', c.oid::regclass::text, c.relkind::text || coalesce(pg_get_viewdef(c.oid), '') ||
      (SELECT string_agg(attname, ',' ORDER BY attnum) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0)
    FROM pg_class c WHERE relnamespace = to_regnamespace('public') AND relkind <> 'i'
  UNION ALL SELECT 'index', c.oid::regclass::text, '' FROM pg_class c
    WHERE relnamespace = to_regnamespace('public') AND relkind = 'i'
  UNION ALL SELECT 'function', oid::regprocedure::text, prosrc FROM pg_proc WHERE pronamespace = to_regnamespace('public')
  UNION ALL SELECT 'type', typname, '' FROM pg_type WHERE typnamespace = to_regnamespace('public')
  UNION ALL SELECT 'role', rolname, rolsuper::text || coalesce(rolconfig::text, '') FROM pg_roles
  UNION ALL SELECT 'database', datname, '' FROM pg_database
  UNION ALL SELECT 'extension', extname, '' FROM pg_extension
  UNION ALL SELECT 'large object', count(*)::text, '' FROM pg_largeobject_metadata
  UNION ALL SELECT 'slot', slot_name, slot_type FROM pg_replication_slots
  UNION ALL SELECT 'origin', roname, '' FROM pg_replication_origin
  UNION ALL SELECT 'publication', pubname, '' FROM pg_publication
  UNION ALL SELECT 'comment', objoid::text, description FROM pg_description WHERE objoid >= 16384
  UNION ALL SELECT 'lock', classid::text, objid::text FROM pg_locks WHERE locktype = 'advisory'
  UNION ALL SELECT 'session', pid::text, '' FROM pg_stat_activity WHERE pid = $1
  UNION ALL SELECT 'statistics', datname::text, coalesce(stats_reset::text, '') FROM pg_stat_database
    WHERE datname = current_database()
  ORDER BY 1, 2, 3`

/** Tables, and objects that others may have planted: each deletes rows when it is used. */
export const RAID_CONTENT = `
  CREATE TABLE accounts (id int PRIMARY KEY, balance numeric, http_status int);
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
  CREATE FUNCTION raid_row(accounts) RETURNS int LANGUAGE sql AS 'SELECT raid_function()';
  CREATE FUNCTION raid_number(int) RETURNS int LANGUAGE sql AS 'SELECT raid_function()';
  CREATE OPERATOR @!@ (LEFTARG = int, RIGHTARG = int, FUNCTION = raid_operator);
  CREATE AGGREGATE raid_sum(int) (SFUNC = raid_operator, STYPE = int, INITCOND = '0');
  CREATE TYPE raid_kind AS (id int);
  CREATE FUNCTION raid_cast(int) RETURNS raid_kind LANGUAGE sql AS 'SELECT ROW(raid_function())::raid_kind';
  CREATE CAST (int AS raid_kind) WITH FUNCTION raid_cast(int);
  CREATE FUNCTION sneak() RETURNS text STABLE LANGUAGE sql AS $$
    SELECT set_config('work_mem', '64kB', false) || pg_advisory_lock(7)::text $$;
  GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC;
  GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO PUBLIC;`

/** Planted objects that only a server of its own can have. */
const MORE_CONTENT = `
  CREATE VIEW over_accounts AS SELECT id, balance FROM accounts;
  CREATE TABLE ruled (id int);
  CREATE RULE raid AS ON INSERT TO ruled DO INSTEAD DELETE FROM accounts;
  GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC;`

const RESTORE: readonly string[] = [
  'DISCARD ALL',
  'ALTER SYSTEM RESET ALL',
  'DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public; GRANT ALL ON SCHEMA public TO PUBLIC',
  'DROP ROLE IF EXISTS looter',
  'SELECT lo_unlink(oid) FROM pg_largeobject_metadata',
  'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots',
  'SELECT pg_replication_origin_drop(roname) FROM pg_replication_origin',
  'DROP FOREIGN DATA WRAPPER IF EXISTS loot',
  RAID_CONTENT,
  MORE_CONTENT,
]
