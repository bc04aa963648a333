import { type Found, namesIn } from './syntax-tree.ts'

export interface CalledFunction {
  schema?: string | undefined
  name: string
}

/** The functions that are called by name anywhere in a statement. */
export function functionsIn(found: readonly Found[]): CalledFunction[] {
  const called = new Map<string, CalledFunction>()
  for (const { kind, node } of found) {
    if (kind !== 'FuncCall') continue
    const names = namesIn(node.funcname)
    const name = names.at(-1) ?? ''
    const schema = names.at(-2)
    called.set(names.join('.'), { schema, name })
  }
  return [...called.values()]
}

/** Whether it is refused on every connection: it reaches files, other servers, settings or other people's sessions. */
export function forbiddenFunction({ name }: CalledFunction): boolean {
  return FORBIDDEN.some((pattern) => pattern.test(name))
}

/** Volatile by the catalogue, and yet they change nothing. */
export const HARMLESS_VOLATILE: readonly string[] = [
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
  // Settings, and SQL given as text that this guard would not see.
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
  // Sequences run on even when a transaction is undone.
  /^(nextval|setval)$/,
]
