import { randomBytes } from 'node:crypto'
import type { Counts } from '#backup/source.ts'

/** Begins the transaction and drops everything that a dump restores. Objects of extensions stay. */
export const PREAMBLE = `
BEGIN;
SET LOCAL lock_timeout = '10s';
SET LOCAL search_path = '';
DO $binnacle$
DECLARE
  thing record;
BEGIN
  FOR thing IN
    SELECT nspname FROM pg_catalog.pg_namespace
    WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public')
  LOOP
    EXECUTE pg_catalog.format('DROP SCHEMA IF EXISTS %I CASCADE', thing.nspname);
  END LOOP;
  FOR thing IN
    SELECT c.relname,
      CASE c.relkind
        WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'f' THEN 'FOREIGN TABLE'
        WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind
    FROM pg_catalog.pg_class c
    WHERE c.relnamespace = 'public'::pg_catalog.regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
      AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_depend d
        WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.deptype = 'e')
    ORDER BY c.relkind = 'S'
  LOOP
    EXECUTE pg_catalog.format('DROP %s IF EXISTS public.%I CASCADE', thing.kind, thing.relname);
  END LOOP;
  FOR thing IN
    SELECT p.oid::pg_catalog.regprocedure AS signature
    FROM pg_catalog.pg_proc p
    WHERE p.pronamespace = 'public'::pg_catalog.regnamespace
      AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_depend d
        WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE pg_catalog.format('DROP ROUTINE IF EXISTS %s CASCADE', thing.signature);
  END LOOP;
  FOR thing IN
    SELECT t.typname
    FROM pg_catalog.pg_type t LEFT JOIN pg_catalog.pg_class c ON c.oid = t.typrelid
    WHERE t.typnamespace = 'public'::pg_catalog.regnamespace
      AND (t.typtype IN ('e', 'd', 'r') OR (t.typtype = 'c' AND c.relkind = 'c'))
      AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_depend d
        WHERE d.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND d.objid = t.oid AND d.deptype = 'e')
  LOOP
    EXECUTE pg_catalog.format('DROP TYPE IF EXISTS public.%I CASCADE', thing.typname);
  END LOOP;
  PERFORM pg_catalog.lo_unlink(oid) FROM pg_catalog.pg_largeobject_metadata;
END
$binnacle$;
`

/** Fails the transaction unless every table has the backed up number of rows. */
export function rowCountCheckSql(counts: Counts): string {
  const checks = Object.entries(counts).map(
    ([table, rows]) => `
  SELECT pg_catalog.count(*) INTO found FROM ONLY ${table};
  IF found <> ${rows} THEN RAISE EXCEPTION 'a table has % rows, not ${rows}', found; END IF;`,
  )
  // A random quote, so no table name can end the text early.
  const quote = `$check_${randomBytes(8).toString('hex')}$`
  return `
DO ${quote}
DECLARE
  found bigint;
BEGIN${checks.join('')}
END
${quote};
`
}
