import { isAbsolute, join, resolve } from 'node:path'
import { PORTS } from '@binnacle/contract'
import * as z from 'zod'
import { type Authority, parseAuthority } from '#http/authority.ts'
import {
  ENGINE_KINDS,
  type EngineConfig,
  type NautilusNode,
  NODE_ADDRESS,
  parseNodeAddress,
  readEnginesFile,
  TRADER_ID,
  TRADER_ID_PATTERN,
} from '#storage/engines-file.ts'
import { StartRefusal } from '#storage/start-refusal.ts'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

const LOOPBACK =
  'one of the loopback addresses localhost, 127.0.0.1 and ::1: there is no sign-in yet, so Binnacle must not be reachable from other machines'
const PORT = 'a port number from 0 to 65535 (0 takes any free port)'
const HOSTS = 'a comma-separated list of host names such as console.example or console.example:8443'
const OUTBOUND = 'a comma-separated list of hosts such as feed.example or feed.example:8443'
const ORIGINS = 'a comma-separated list of origins such as https://console.example'

const DATABASE_HOSTS = 'a comma-separated list of hosts such as db.example or db.example:5432'

const FOLDERS = 'a comma-separated list of absolute paths such as /srv/databases'

const POSTGRES_URL = 'an address such as postgresql://user:password@localhost:5432/database'
const REDIS_URL = 'an address such as redis://localhost:6379'

const ANCHOR_PLACE = 'an absolute file path, an http or https address of a webhook, or a postgresql address'
const KEY_FILE = 'an absolute file path such as /etc/binnacle/audit.pem'

const ENGINE = '`embedded` or `nautilus`'
const ENGINES_FILE = 'an absolute file path such as /etc/binnacle/engines.json'
const PYTHON = 'an absolute file path such as /srv/nautilus/bin/python'
const FILE = 'an absolute file path'

const HISTORY_DAYS = 'a whole number of days from 0 (none) to 365'
const UPLOAD_LIMIT = 'a number from 1 to 16384'

const BUILT_SITE = join(import.meta.dirname, '..', '..', 'web', 'dist')

const Port = z
  .string()
  .regex(/^\d{1,5}$/, PORT)
  .transform(Number)
  .refine((port) => port <= 65_535, PORT)

/** Every variable the server reads. The descriptions are printed into docs/guide/configuration.md. */
const Environment = z.object({
  BINNACLE_DATA: z
    .string()
    .default('./data')
    .transform((folder) => resolve(folder))
    .meta({
      description: 'Data folder: journal, admin store, catalog, backups, keys, logs, custom strategies.',
    }),
  BINNACLE_HOST: z
    .string()
    .default('localhost')
    .transform(loopbackAddresses)
    .refine((addresses) => addresses.length > 0, LOOPBACK)
    .meta({
      description: 'Loopback address to listen on. `localhost` means both `127.0.0.1` and `::1`.',
      accepts: '`localhost`, `127.0.0.1` or `::1`',
    }),
  BINNACLE_TRADING_PORT: Port.default(PORTS.trading).meta({
    description: 'Port of the site, the trading API and, for the served site, the two other APIs.',
    accepts: PORT,
  }),
  BINNACLE_ADMIN_PORT: Port.default(PORTS.admin).meta({
    description: 'Port of the admin database API.',
    accepts: PORT,
  }),
  BINNACLE_DATABASE_PORT: Port.default(PORTS.database).meta({
    description: 'Port of the database management API.',
    accepts: PORT,
  }),
  BINNACLE_ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform((list) => itemsOf(list).map(parseAuthority))
    .refine((hosts): hosts is Authority[] => !hosts.includes(undefined), HOSTS)
    .meta({ description: 'Further `Host` names that requests may carry.', accepts: HOSTS }),
  BINNACLE_CORS_ORIGINS: z
    .string()
    .default('')
    .transform(itemsOf)
    .refine((origins) => origins.every(isOrigin), ORIGINS)
    .meta({ description: 'Other origins whose pages may call the APIs.', accepts: ORIGINS }),
  BINNACLE_OUTBOUND_HOSTS: z
    .string()
    .default('')
    .transform((list) => itemsOf(list).map(parseAuthority))
    .refine((hosts): hosts is Authority[] => !hosts.includes(undefined), OUTBOUND)
    .meta({
      description:
        'Hosts beyond loopback that health probes, route tests and notification channels may reach.',
      accepts: OUTBOUND,
    }),
  BINNACLE_DATABASE_FOLDERS: z
    .string()
    .default('')
    .transform(itemsOf)
    .refine((folders) => folders.every((folder) => isAbsolute(folder)), FOLDERS)
    .meta({
      description:
        'Folders, besides `databases` in the data folder, in which connections may have SQLite files and Parquet folders.',
      accepts: FOLDERS,
    }),
  BINNACLE_DATABASE_HOSTS: z
    .string()
    .default('')
    .transform((list) => itemsOf(list).map(parseAuthority))
    .refine((hosts): hosts is Authority[] => !hosts.includes(undefined), DATABASE_HOSTS)
    .meta({
      description:
        'Hosts beyond loopback that PostgreSQL and Redis connections may reach. Others are refused without being dialled.',
      accepts: DATABASE_HOSTS,
    }),
  BINNACLE_POSTGRES_URL: z
    .string()
    .refine((text) => isAddress(text, ['postgres:', 'postgresql:']), POSTGRES_URL)
    .optional()
    .meta({
      description: 'PostgreSQL that Admin → Database works on. May contain a password; it is never printed.',
      accepts: POSTGRES_URL,
    }),
  BINNACLE_REDIS_URL: z
    .string()
    .refine((text) => isAddress(text, ['redis:', 'rediss:']), REDIS_URL)
    .optional()
    .meta({
      description: 'Redis that Admin → Database works on. May contain a password; it is never printed.',
      accepts: REDIS_URL,
    }),
  BINNACLE_WORK_QUEUE: z
    .string()
    .refine((text) => isAddress(text, ['redis:', 'rediss:']), REDIS_URL)
    .optional()
    .meta({
      description:
        'Redis through which workers on other machines run backtests and sweeps. May contain a password; it is never printed. Without it they run in the server.',
      accepts: REDIS_URL,
    }),
  BINNACLE_AUDIT_ANCHOR: z.string().refine(isAnchorPlace, ANCHOR_PLACE).optional().meta({
    description:
      'Where the signed head of the audit log is written, outside the data folder, so that a rewritten log is noticed. May contain a password; it is never printed.',
    accepts: ANCHOR_PLACE,
  }),
  BINNACLE_AUDIT_KEY: z
    .string()
    .refine((file) => isAbsolute(file), KEY_FILE)
    .optional()
    .meta({
      description:
        'File of the key that signs anchors, outside the data folder; it is created the first time. Needed with `BINNACLE_AUDIT_ANCHOR`.',
      accepts: KEY_FILE,
    }),
  BINNACLE_POSTGRES_BIN: z
    .string()
    .transform((folder) => resolve(folder))
    .optional()
    .meta({
      description:
        'Folder of `pg_dump`, `pg_restore` and `psql`, for backups of PostgreSQL. They are searched on `PATH` when it is not set.',
    }),
  PATH: z.string().default(''),
  BINNACLE_TRADER_ID: z
    .string()
    .regex(TRADER_ID_PATTERN, TRADER_ID)
    .default('TRADER-001')
    .meta({ description: 'Name under which the engine trades.', accepts: TRADER_ID }),
  BINNACLE_ENGINE: z.enum(ENGINE_KINDS, ENGINE).default('embedded').meta({
    description:
      'Engine that trades: the embedded one, or a local NautilusTrader node for paper trading, which `npm run nautilus -- setup` installs.',
    accepts: ENGINE,
  }),
  BINNACLE_ENGINES: z
    .string()
    .refine((file) => isAbsolute(file), ENGINES_FILE)
    .optional()
    .meta({
      description:
        'File that lists several engines of one console, the default one first. Replaces `BINNACLE_ENGINE`. [NautilusTrader](nautilus.md) shows one.',
      accepts: ENGINES_FILE,
    }),
  BINNACLE_NAUTILUS_PYTHON: z
    .string()
    .refine((file) => isAbsolute(file), PYTHON)
    .optional()
    .meta({
      description: 'Python interpreter with NautilusTrader, instead of the one in the data folder.',
      accepts: PYTHON,
    }),
  BINNACLE_NAUTILUS_ADDRESS: z
    .string()
    .refine((text) => parseNodeAddress(text) !== undefined, NODE_ADDRESS)
    .optional()
    .meta({
      description: 'Address of a NautilusTrader node that runs elsewhere, instead of one beside the console.',
      accepts: NODE_ADDRESS,
    }),
  BINNACLE_NAUTILUS_TOKEN_FILE: z
    .string()
    .refine((file) => isAbsolute(file), FILE)
    .optional()
    .meta({ description: "File with the token of that node's bridge; needed for tls.", accepts: FILE }),
  BINNACLE_NAUTILUS_CA_FILE: z
    .string()
    .refine((file) => isAbsolute(file), FILE)
    .optional()
    .meta({
      description: 'Certificate that signed the one of that node, unless a known authority did.',
      accepts: FILE,
    }),
  BINNACLE_HISTORY_DAYS: z
    .string()
    .regex(/^\d{1,3}$/, HISTORY_DAYS)
    .transform(Number)
    .refine((days) => days <= 365, HISTORY_DAYS)
    .default(90)
    .meta({
      description: 'Days of simulated market history that a first start creates.',
      accepts: HISTORY_DAYS,
    }),
  BINNACLE_UPLOAD_LIMIT_MIB: z
    .string()
    .regex(/^\d{1,5}$/, UPLOAD_LIMIT)
    .transform(Number)
    .refine((mib) => mib >= 1 && mib <= 16_384, UPLOAD_LIMIT)
    .default(512)
    .meta({
      description: 'Largest file of market data that can be uploaded, in MiB.',
      accepts: UPLOAD_LIMIT,
    }),
  BINNACLE_LOG_LEVEL: z
    .enum(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`)
    .default('info')
    .meta({
      description: 'Lowest level that is written to `logs/server.log` in the data folder.',
      accepts: `one of ${LOG_LEVELS.join(', ')}`,
    }),
  BINNACLE_SITE: z
    .string()
    .default(BUILT_SITE)
    .transform((folder) => (folder === 'none' ? undefined : resolve(folder)))
    .meta({
      description: 'Folder of the built site that the trading port serves.',
      accepts: 'a folder, or `none` to serve only the APIs',
      shownDefault: 'the built site',
    }),
})

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
  /** Folders that are searched for pg_dump, pg_restore and psql. */
  /** Where and with which key the audit log is anchored. */
  auditAnchor?: { place: string; keyFile: string } | undefined
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
  logLevel: (typeof LOG_LEVELS)[number]
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

export interface VariableDescription {
  name: string
  standard: string
  accepts: string
  meaning: string
}

/** The variables of the schema with their defaults, for the configuration reference. */
export function describeEnvironment(): VariableDescription[] {
  const { properties = {} } = z.toJSONSchema(Environment, { io: 'input', unrepresentable: 'any' })
  const parsed = new Map(Object.entries(describeConfig(parseConfig({}))))
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (typeof schema === 'boolean' || schema.description === undefined) return []
    const { accepts = 'a folder', shownDefault, description } = schema
    // A default behind a conversion is not in the JSON schema; the parsed configuration has it.
    const value = String(schema.default ?? parsed.get(name) ?? '')
    const standard = shownDefault ?? (value === '' ? 'not set' : `\`${value}\``)
    return [{ name, standard: String(standard), accepts: String(accepts), meaning: description }]
  })
}

/** Only whether it is set: an address may contain a password. */
function secret(value: string | undefined): string {
  return value === undefined ? '' : '(set)'
}

function isAnchorPlace(text: string): boolean {
  return isAbsolute(text) || isAddress(text, ['http:', 'https:', 'postgres:', 'postgresql:'])
}

/** Both or neither: an anchor without its key proves nothing. */
function anchorOf({ BINNACLE_AUDIT_ANCHOR: place, BINNACLE_AUDIT_KEY: keyFile }: AnchorSettings) {
  if (place === undefined && keyFile === undefined) return undefined
  if (place !== undefined && keyFile !== undefined) return { place, keyFile }
  const missing = place === undefined ? 'BINNACLE_AUDIT_ANCHOR' : 'BINNACLE_AUDIT_KEY'
  throw new StartRefusal(`${missing} must be set too: an anchor needs a place and a key.`)
}

/** The only engine of a console without a file of engines. */
const SINGLE_ENGINE = 'main'
const REPLACED = ['BINNACLE_ENGINE', 'BINNACLE_NAUTILUS_ADDRESS'] as const

function enginesOf(
  settings: NodeSettings & { BINNACLE_ENGINES?: string | undefined; BINNACLE_TRADER_ID: string },
  set: Record<string, string | undefined>,
): readonly EngineConfig[] {
  const { BINNACLE_ENGINES: file, BINNACLE_ENGINE: kind, BINNACLE_TRADER_ID: traderId } = settings
  if (file === undefined) return [{ name: SINGLE_ENGINE, kind, traderId, node: nodeOf(settings) }]
  const replaced = REPLACED.find((name) => set[name] !== undefined)
  if (replaced === undefined) return readEnginesFile(file, traderId)
  throw new StartRefusal(`${replaced} must not be set with BINNACLE_ENGINES: the file names every engine.`)
}

function nodeOf({
  BINNACLE_ENGINE: engine,
  BINNACLE_NAUTILUS_ADDRESS: address,
  BINNACLE_NAUTILUS_TOKEN_FILE: tokenFile,
  BINNACLE_NAUTILUS_CA_FILE: caFile,
}: NodeSettings): NautilusNode | undefined {
  const at = address === undefined ? undefined : parseNodeAddress(address)
  if (address === undefined || at === undefined) return undefined
  if (engine !== 'nautilus')
    throw new StartRefusal('BINNACLE_NAUTILUS_ADDRESS needs BINNACLE_ENGINE=nautilus.')
  if (at.kind === 'tls' && tokenFile === undefined)
    throw new StartRefusal('BINNACLE_NAUTILUS_TOKEN_FILE must be set too: a node by TLS needs its token.')
  return { address, at, tokenFile, caFile }
}

interface NodeSettings {
  BINNACLE_ENGINE: EngineConfig['kind']
  BINNACLE_NAUTILUS_ADDRESS?: string | undefined
  BINNACLE_NAUTILUS_TOKEN_FILE?: string | undefined
  BINNACLE_NAUTILUS_CA_FILE?: string | undefined
}

interface AnchorSettings {
  BINNACLE_AUDIT_ANCHOR?: string | undefined
  BINNACLE_AUDIT_KEY?: string | undefined
}

function isAddress(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol)
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

function loopbackAddresses(host: string): string[] {
  const addresses: Record<string, string[]> = {
    localhost: ['127.0.0.1', '::1'],
    '127.0.0.1': ['127.0.0.1'],
    '::1': ['::1'],
    '[::1]': ['::1'],
  }
  return addresses[host] ?? []
}

function itemsOf(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

function textOf({ name, port }: Authority): string {
  return port === undefined ? name : `${name}:${port}`
}
