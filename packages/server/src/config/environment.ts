import { isAbsolute, join, resolve } from 'node:path'
import { PORTS } from '@binnacle/contract'
import * as z from 'zod'
import { type Authority, parseAuthority } from './authority.ts'
import { ENGINE_KINDS, NODE_ADDRESS, parseNodeAddress, TRADER_ID, TRADER_ID_PATTERN } from './engines-file.ts'

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

const BUILT_SITE = join(import.meta.dirname, '..', '..', '..', 'web', 'dist')

const Port = z
  .string()
  .regex(/^\d{1,5}$/, PORT)
  .transform(Number)
  .refine((port) => port <= 65_535, PORT)

/** Every variable the server reads. The descriptions are printed into docs/guide/configuration.md. */
export const Environment = z.object({
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

export type Settings = z.infer<typeof Environment>

function isAnchorPlace(text: string): boolean {
  return isAbsolute(text) || isAddress(text, ['http:', 'https:', 'postgres:', 'postgresql:'])
}

function isAddress(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol)
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
