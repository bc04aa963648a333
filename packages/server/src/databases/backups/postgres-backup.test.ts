import { createCopyCounter } from '@binnacle/stores'
import { describePostgres, freshDatabase, type TestDatabase } from '@binnacle/stores/testkit'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newBackups } from '#testkit/backups/backup-context.ts'
import { quietControl, subjectOf } from '#testkit/backups/backup-subjects.ts'

const ACT = serverAuditContext('test')

/** What dumps are known to stumble over. */
const RICH = `
  CREATE TYPE mood AS ENUM ('calm', 'wild');
  CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
  CREATE SCHEMA "Far; away";
  CREATE TABLE "Far; away"."Table ""1"" (x" (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, m mood, p positive);
  INSERT INTO "Far; away"."Table ""1"" (x" (m, p) VALUES ('calm', 1), ('wild', 2);
  CREATE TABLE parent (day date NOT NULL, note text) PARTITION BY RANGE (day);
  CREATE TABLE parent_2026 PARTITION OF parent FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
  INSERT INTO parent VALUES ('2026-05-05', E'two\\nlines'), ('2026-05-06', E'\\\\.');
  CREATE VIEW calm AS SELECT * FROM "Far; away"."Table ""1"" (x" WHERE m = 'calm';
  CREATE MATERIALIZED VIEW wild AS SELECT count(*) AS n FROM "Far; away"."Table ""1"" (x" WHERE m = 'wild';
  CREATE PROCEDURE settle() LANGUAGE plpgsql AS $$
BEGIN
COMMIT;
END
$$;
  CREATE FUNCTION twice(positive) RETURNS integer LANGUAGE sql AS 'SELECT $1 * 2';
  SELECT lo_from_bytea(4711, 'a large object');
  CREATE SEQUENCE counting START 41;
  SELECT nextval('counting');
`

describePostgres('PostgreSQL', () => {
  test('what a database can hold comes back, and nothing that was made since stays', async () => {
    const database = await freshDatabase(onTestFinished)
    await run(database.url, RICH)
    const { backups } = await newBackups(database.binFolder)
    const subject = subjectOf({ type: 'postgresql', url: database.url })
    const { id } = await backups.make(ACT, subject, quietControl())
    const before = await contentsOf(database)
    await run(
      database.url,
      `DROP SCHEMA "Far; away" CASCADE; CREATE TYPE newer AS ENUM ('x'); CREATE TABLE newer_t (n newer);
       CREATE FUNCTION newer_f() RETURNS integer LANGUAGE sql AS 'SELECT 1'; SELECT lo_unlink(4711);
       INSERT INTO parent VALUES ('2026-07-07', 'later'); SELECT nextval('counting');`,
    )
    await backups.restore(ACT, subject, id, quietControl())
    expect(await contentsOf(database)).toEqual(before)
    expect(before).toMatchObject({ rows: '2', parent: '2', wild: '1', large: 'a large object', next: '42' })
  })

  test('[BACKUP-6] a restore that PostgreSQL refuses changes nothing and says why', async () => {
    const database = await freshDatabase(onTestFinished)
    await run(database.url, 'CREATE TABLE t (n integer); INSERT INTO t VALUES (1)')
    const { backups } = await newBackups(database.binFolder)
    const subject = subjectOf({ type: 'postgresql', url: database.url })
    const { id } = await backups.make(ACT, subject, quietControl())
    await run(
      database.superUrl,
      `INSERT INTO t VALUES (2); CREATE SCHEMA theirs; CREATE TABLE theirs.x (n integer);
       GRANT USAGE ON SCHEMA theirs TO ${database.name}; GRANT SELECT ON theirs.x TO ${database.name}`,
    )
    await expect(backups.restore(ACT, subject, id, quietControl())).rejects.toThrow(
      /must be owner of schema theirs[\s\S]* Nothing was changed\.$/,
    )
    expect(await run(database.superUrl, 'SELECT n FROM t ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }])
  })

  test('[BACKUP-8] a drill restores into a database of its own, which is gone afterwards', async () => {
    const database = await freshDatabase(onTestFinished)
    await run(database.url, 'CREATE TABLE t (n integer); INSERT INTO t VALUES (1), (2)')
    await run(database.superUrl, 'CREATE DATABASE binnacle_drill_0123456789ab')
    const { backups } = await newBackups(database.binFolder)
    const subject = subjectOf({ type: 'postgresql', url: database.superUrl })
    await backups.make(ACT, subject, quietControl())
    const report = await backups.drill(subject, quietControl())
    expect(report.counts).toEqual({ 'public.t': 2 })
    expect(await run(database.superUrl, "SELECT 1 FROM pg_database WHERE datname LIKE 'binnacle%'")).toEqual(
      [],
    )
  })
})

test('rows are counted in the text of a dump, wherever it looks like something else', () => {
  const counter = createCopyCounter()
  const lines = [
    'SET x;',
    'COPY public.a (n, m) FROM stdin;',
    '1\t\\N',
    '\\\\.',
    '\\.',
    '',
    'COPY "B (x".c FROM stdin;',
    '\\.',
  ]
  for (const line of lines) counter.take(line)
  expect(counter.counts).toEqual({ 'public.a': 2, '"B (x".c': 0 })
})

async function run(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  const result = await client.query(sql)
  await client.end()
  return [result].flat().at(-1)?.rows ?? []
}

async function contentsOf({ url }: TestDatabase) {
  const [row] = await run(
    url,
    `SELECT (SELECT count(*) FROM "Far; away"."Table ""1"" (x") AS rows, (SELECT count(*) FROM parent) AS parent,
       (SELECT n FROM wild) AS wild, convert_from(lo_get(4711), 'UTF8') AS large, nextval('counting') AS next,
       (SELECT string_agg(typname, ',' ORDER BY typname) FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')) AS types,
       (SELECT string_agg(proname, ',' ORDER BY proname) FROM pg_proc WHERE pronamespace = 'public'::regnamespace) AS routines,
       (SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace) AS relations`,
  )
  return row
}
