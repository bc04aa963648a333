import type * as z from 'zod'
import type { Authority } from './authority.ts'
import { enginesOf } from './configured-engines.ts'
import type { EngineConfig } from './engines-file.ts'
import { Environment, type Settings } from './environment.ts'
import { StartRefusal } from './start-refusal.ts'

export interface Config {
  dataFolder: string
  /** The first is required; others are skipped on a machine without them, such as one without IPv6. */
  addresses: string[]
  ports: Record<ListenerName, number>
  allowedHosts: Authority[]
  databaseHosts: Authority[]
  corsOrigins: string[]
  /** Hosts beyond loopback that probes and route tests may call. */
  outboundHosts: Authority[]
  /** Folders for SQLite files and Parquet folders, besides `databases` in the data folder. */
  databaseFolders: string[]
  /** Stores of database maintenance. An address may contain a password. */
  postgresUrl: string | undefined
  redisUrl: string | undefined
  /** Where workers on other machines take their runs from. */
  workQueueUrl?: string | undefined
  /** Where and with which key the audit log is anchored. */
  auditAnchor?: { place: string; keyFile: string } | undefined
  /** Folders that are searched for pg_dump, pg_restore and psql. */
  postgresTools: { binFolder: string | undefined; path: string }
  traderId: string
  /** The first is the default. */
  engines: readonly EngineConfig[]
  /** The file that lists them, if one does. */
  enginesFile?: string | undefined
  /** The interpreter of a NautilusTrader node; undefined uses the one in the data folder. */
  nautilusPython: string | undefined
  /** Days of market history that a first start generates. */
  historyDays: number
  /** The largest upload of market data. */
  uploadLimitMib: number
  logLevel: Settings['BINNACLE_LOG_LEVEL']
  /** Folder of the built site; undefined serves only the APIs. */
  siteFolder: string | undefined
}

export type ListenerName = 'trading' | 'admin' | 'database'

export const PORT_VARIABLES = {
  trading: 'BINNACLE_TRADING_PORT',
  admin: 'BINNACLE_ADMIN_PORT',
  database: 'BINNACLE_DATABASE_PORT',
} as const satisfies Record<ListenerName, string>

/** Reads the environment once; an empty variable counts as unset. */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(set)
  if (!parsed.success) throw refusalOf(parsed.error, set)
  const settings = parsed.data
  const ports = {
    trading: settings.BINNACLE_TRADING_PORT,
    admin: settings.BINNACLE_ADMIN_PORT,
    database: settings.BINNACLE_DATABASE_PORT,
  }
  refuseSharedPorts(ports)
  return {
    dataFolder: settings.BINNACLE_DATA,
    addresses: settings.BINNACLE_HOST,
    ports,
    allowedHosts: settings.BINNACLE_ALLOWED_HOSTS,
    corsOrigins: settings.BINNACLE_CORS_ORIGINS,
    outboundHosts: settings.BINNACLE_OUTBOUND_HOSTS,
    databaseFolders: settings.BINNACLE_DATABASE_FOLDERS,
    databaseHosts: settings.BINNACLE_DATABASE_HOSTS,
    postgresUrl: settings.BINNACLE_POSTGRES_URL,
    redisUrl: settings.BINNACLE_REDIS_URL,
    workQueueUrl: settings.BINNACLE_WORK_QUEUE,
    auditAnchor: anchorOf(settings),
    postgresTools: { binFolder: settings.BINNACLE_POSTGRES_BIN, path: settings.PATH },
    traderId: settings.BINNACLE_TRADER_ID,
    engines: enginesOf(settings, set),
    enginesFile: settings.BINNACLE_ENGINES,
    nautilusPython: settings.BINNACLE_NAUTILUS_PYTHON,
    historyDays: settings.BINNACLE_HISTORY_DAYS,
    uploadLimitMib: settings.BINNACLE_UPLOAD_LIMIT_MIB,
    logLevel: settings.BINNACLE_LOG_LEVEL,
    siteFolder: settings.BINNACLE_SITE,
  }
}

/** The settings by variable, without secrets: fields are listed one by one, so a new one is not printed by accident. */
export function describeConfig(config: Config): Record<string, string> {
  const single = config.enginesFile === undefined ? config.engines[0] : undefined
  return {
    BINNACLE_DATA: config.dataFolder,
    BINNACLE_HOST: config.addresses.join(),
    BINNACLE_TRADING_PORT: String(config.ports.trading),
    BINNACLE_ADMIN_PORT: String(config.ports.admin),
    BINNACLE_DATABASE_PORT: String(config.ports.database),
    BINNACLE_ALLOWED_HOSTS: config.allowedHosts.map(textOf).join(),
    BINNACLE_CORS_ORIGINS: config.corsOrigins.join(),
    BINNACLE_OUTBOUND_HOSTS: config.outboundHosts.map(textOf).join(),
    BINNACLE_DATABASE_FOLDERS: config.databaseFolders.join(),
    BINNACLE_DATABASE_HOSTS: config.databaseHosts.map(textOf).join(),
    BINNACLE_POSTGRES_URL: secret(config.postgresUrl),
    BINNACLE_REDIS_URL: secret(config.redisUrl),
    BINNACLE_WORK_QUEUE: secret(config.workQueueUrl),
    BINNACLE_AUDIT_ANCHOR: secret(config.auditAnchor?.place),
    BINNACLE_AUDIT_KEY: config.auditAnchor?.keyFile ?? '',
    BINNACLE_POSTGRES_BIN: config.postgresTools.binFolder ?? '',
    BINNACLE_TRADER_ID: config.traderId,
    BINNACLE_ENGINE: single?.kind ?? '',
    BINNACLE_ENGINES: config.enginesFile ?? '',
    BINNACLE_NAUTILUS_PYTHON: config.nautilusPython ?? '',
    BINNACLE_NAUTILUS_ADDRESS: single?.node?.address ?? '',
    BINNACLE_NAUTILUS_TOKEN_FILE: single?.node?.tokenFile ?? '',
    BINNACLE_NAUTILUS_CA_FILE: single?.node?.caFile ?? '',
    BINNACLE_HISTORY_DAYS: String(config.historyDays),
    BINNACLE_UPLOAD_LIMIT_MIB: String(config.uploadLimitMib),
    BINNACLE_LOG_LEVEL: config.logLevel,
    BINNACLE_SITE: config.siteFolder ?? 'none',
  }
}

/** Only whether it is set: an address may contain a password. */
function secret(value: string | undefined): string {
  return value === undefined ? '' : '(set)'
}

/** Both or neither: an anchor without its key proves nothing. */
function anchorOf({ BINNACLE_AUDIT_ANCHOR: place, BINNACLE_AUDIT_KEY: keyFile }: Settings) {
  if (place === undefined && keyFile === undefined) return undefined
  if (place !== undefined && keyFile !== undefined) return { place, keyFile }
  const missing = place === undefined ? 'BINNACLE_AUDIT_ANCHOR' : 'BINNACLE_AUDIT_KEY'
  throw new StartRefusal(`${missing} must be set too: an anchor needs a place and a key.`)
}

function refusalOf(error: z.ZodError, set: Record<string, string | undefined>): StartRefusal {
  const [issue] = error.issues
  const variable = String(issue?.path[0])
  // An address may contain a password, which must not be printed or logged.
  const is = /_URL$|_ANCHOR$|_QUEUE$|_ADDRESS$/.test(variable) ? '' : ` is '${set[variable]}', but it`
  return new StartRefusal(`${variable}${is} must be ${issue?.message}.`)
}

function refuseSharedPorts(ports: Config['ports']): void {
  const owners = new Map<number, string>()
  for (const name of ['trading', 'admin', 'database'] as const) {
    const port = ports[name]
    const owner = owners.get(port)
    if (port !== 0 && owner !== undefined) {
      throw new StartRefusal(
        `${PORT_VARIABLES[name]} is '${port}', but it must differ from ${owner}, which is ${port} too.`,
      )
    }
    owners.set(port, PORT_VARIABLES[name])
  }
}

function textOf({ name, port }: Authority): string {
  return port === undefined ? name : `${name}:${port}`
}
