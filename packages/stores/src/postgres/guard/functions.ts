import type { ClientBase } from 'pg'
import { namesIn, type SyntaxNode } from './syntax-tree.ts'

/**
 * How PostgreSQL's grammar calls a function, and how each syntax is checked:
 *
 * | syntax | in the tree | check |
 * |---|---|---|
 * | call, aggregate, window, FROM f(), ROWS FROM, EXTRACT, OVERLAPS, AT TIME ZONE | FuncCall | forbidden names, then the catalogue |
 * | attribute notation: (argument).f, row.f | A_Indirection, ColumnRef of two or more names | as a call, if a function takes one argument |
 * | operator, OPERATOR(schema.op), LIKE, IN, ANY, ORDER BY … USING | A_Expr, SubLink.operName, SortBy.useOp | function of the operator, by the catalogue |
 * | aggregate whose steps are volatile | FuncCall | functions of the aggregate, by the catalogue |
 * | cast, also f(x) and (x).f with a type's name | TypeCast, FuncCall | function of the cast, by the catalogue |
 * | TABLESAMPLE method | RangeTableSample | only BERNOULLI and SYSTEM |
 * | XMLPARSE, JSON_VALUE, CURRENT_USER, GREATEST, IS JSON … | XmlExpr, JsonFuncExpr, SQLValueFunction, MinMaxExpr | built in and without side effects |
 * | COLLATE, subscripts | CollateClause, A_Indices | no function, or one in C that only a superuser can install |
 * | defaults, views, rules, policies, domains, type input, default operators of a type | not in the tree | the READ ONLY transaction and the rights of the role |
 */
export interface CalledFunction {
  schema?: string | undefined
  name: string
  /** How it is called; 'attribute' may as well be a column. */
  syntax: 'call' | 'attribute' | 'operator' | 'cast'
}

/** The functions that a statement calls, or may call, by a name in its text. */
export function functionsIn(found: readonly SyntaxNode[]): CalledFunction[] {
  const called = new Map<string, CalledFunction>()
  const add = (syntax: CalledFunction['syntax'], names: readonly string[]) => {
    const name = names.at(-1)
    if (name !== undefined)
      called.set(JSON.stringify([syntax, names]), { schema: names.at(-2), name, syntax })
  }
  for (const { kind, node } of found) {
    if ('funcname' in node) add('call', namesIn(node.funcname))
    if (kind === 'A_Expr') add('operator', namesIn(node.name))
    add('operator', namesIn(node.operName))
    add('operator', namesIn(node.useOp))
    if (/^typename$/i.test(kind)) add('cast', namesIn(node.names))
    // An attribute never has a schema: the name before it is the argument.
    if ('arg' in node) for (const name of namesIn(node.indirection)) add('attribute', [name])
    if (kind === 'ColumnRef') for (const name of namesIn(node.fields).slice(1)) add('attribute', [name])
  }
  return [...called.values()]
}

/** Refused on every connection: files, other servers, settings or other sessions. */
export function isForbiddenFunction({ name }: Pick<CalledFunction, 'name'>): boolean {
  return FORBIDDEN.some((pattern) => pattern.test(name))
}

/** Volatile in the catalogue, but without side effects. */
const HARMLESS_VOLATILE: readonly string[] = [
  'clock_timestamp',
  'currval',
  'gen_random_uuid',
  'lastval',
  'pg_column_size',
  'pg_database_size',
  'pg_indexes_size',
  'pg_is_in_recovery',
  'pg_relation_size',
  'pg_sleep',
  'pg_sleep_for',
  'pg_sleep_until',
  'pg_table_size',
  'pg_tablespace_size',
  'pg_total_relation_size',
  'random',
  'random_normal',
  'timeofday',
  'txid_current_if_assigned',
  'uuidv4',
  'uuidv7',
]

const FORBIDDEN: readonly RegExp[] = [
  // Settings, and SQL passed as text, which the guard cannot check.
  /^set_config$/,
  /^(query|cursor|table|schema|database)_to_xml/,
  /^(ts_stat|ts_rewrite|crosstab\d?|connectby|xpath_table)$/,
  // Files and programs of the server.
  /^pg_(read|ls|stat|file|write|current_logfile|logdir|rotate|hba|ident)_?(file|binary|dir|logdir|waldir|archive|tmpdir|logical|replslot|summaries|unlink|rename|sync|old|rules|mappings)/,
  /^pg_(stat_file|rotate_logfile|current_logfile)/,
  /^(lo_|lowrite$|loread$|be_lo_)/,
  // Other servers.
  /^(dblink|postgres_fdw_|http_|pg_background_)/,
  // Other sessions, locks and the server itself.
  /^pg_(terminate|cancel|log)_backend/,
  /^pg_(try_)?advisory_/,
  /^pg_(notify|reload_conf|promote|export_snapshot|import_system_collations|prewarm)$/,
  /^pg_(switch|create|start|stop|backup|drop|copy|sync|replication|logical|wal_replay|stat_reset|stat_clear)_?/,
  /^pg_(restore|clear)_(relation|attribute|extended)_/,
  /^(brin_|gin_clean_pending_list$|heap_force_|pg_truncate_visibility_map$|pg_buffercache_evict|pg_extension_config_dump$)/,
  // Sequences advance even when the transaction is rolled back.
  /^(nextval|setval)$/,
]

export interface CheckedFunction extends CalledFunction {
  verdict: 'forbidden' | 'volatile'
}

/** The first of these functions that, by the server's own catalogue, is forbidden or may change something. */
export async function findUnsafe(
  client: ClientBase,
  functions: readonly CalledFunction[],
): Promise<CheckedFunction | undefined> {
  if (functions.length === 0) return undefined
  const names = [...new Set(functions.map(({ name }) => name))]
  const { rows } = await client.query<CatalogueEntry>(CATALOGUE, [names, HARMLESS_VOLATILE])
  const checked = functions.flatMap((called): CheckedFunction[] => {
    const meant = rows.filter((row) => isMeant(row, called))
    // A plain call by a forbidden name is refused before the catalogue is read.
    if (called.syntax !== 'call' && meant.some((row) => isForbiddenFunction({ name: row.function })))
      return [{ ...called, verdict: 'forbidden' }]
    return meant.some(({ isVolatile }) => isVolatile) ? [{ ...called, verdict: 'volatile' }] : []
  })
  return checked.find(({ verdict }) => verdict === 'forbidden') ?? checked[0]
}

interface CatalogueEntry {
  syntax: CalledFunction['syntax']
  schema: string
  name: string
  function: string
  isVolatile: boolean
  takesOneArgument: boolean
}

function isMeant(row: CatalogueEntry, { syntax, schema, name }: CalledFunction): boolean {
  if (row.name !== name || (schema !== undefined && schema !== row.schema)) return false
  // A call and an attribute with the name of a type are casts.
  if (row.syntax === 'cast') return syntax !== 'operator'
  return syntax === 'attribute' ? row.syntax === 'call' && row.takesOneArgument : row.syntax === syntax
}

const CATALOGUE = `
  SELECT f.syntax, f.schema, f.name, p.proname AS function,
    p.provolatile = 'v' AND NOT (p.pronamespace = 'pg_catalog'::regnamespace AND p.proname = ANY($2)) AS "isVolatile",
    f."takesOneArgument"
  FROM (
    SELECT 'call' AS syntax, n.nspname AS schema, c.proname AS name, unnest(ARRAY[c.oid, a.aggtransfn, a.aggfinalfn]) AS function,
      c.pronargs >= 1 AND c.pronargs - c.pronargdefaults - (c.provariadic <> 0)::int <= 1 AS "takesOneArgument"
    FROM pg_catalog.pg_proc c JOIN pg_catalog.pg_namespace n ON n.oid = c.pronamespace
      LEFT JOIN pg_catalog.pg_aggregate a ON a.aggfnoid = c.oid
    WHERE c.proname = ANY($1)
    UNION ALL
    SELECT 'operator', n.nspname, o.oprname, o.oprcode, false
    FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace
    WHERE o.oprname = ANY($1)
    UNION ALL
    SELECT 'cast', n.nspname, t.typname, unnest(ARRAY[c.castfunc, t.typinput]), false
    FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
      LEFT JOIN pg_catalog.pg_cast c ON c.casttarget = t.oid
    WHERE t.typname = ANY($1)
  ) f JOIN pg_catalog.pg_proc p ON p.oid = f.function`
