import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { describeConfig, parseConfig } from './config.ts'
import { describeEnvironment } from './describe-environment.ts'
import { StartRefusal } from './start-refusal.ts'

test('[CALL-1] without settings the server takes 8000, 8001 and 8002 on both loopback addresses', () => {
  const config = parseConfig({})
  expect(config.ports).toEqual({ trading: 8000, admin: 8001, database: 8002 })
  expect(config.addresses).toEqual(['127.0.0.1', '::1'])
  expect(config.dataFolder).toBe(resolve('data'))
  expect(config.logLevel).toBe('info')
  expect(config.historyDays).toBe(90)
  expect(config.allowedHosts).toEqual([])
  expect(config.corsOrigins).toEqual([])
  expect(config.outboundHosts).toEqual([])
})

test('an empty variable counts as unset', () => {
  expect(parseConfig({ BINNACLE_TRADING_PORT: '', BINNACLE_HOST: '' })).toEqual(parseConfig({}))
})

test('every setting is read', () => {
  const config = parseConfig({
    BINNACLE_DATA: '/var/lib/binnacle',
    BINNACLE_HOST: '::1',
    BINNACLE_TRADING_PORT: '0',
    BINNACLE_ADMIN_PORT: '9001',
    BINNACLE_DATABASE_PORT: '9002',
    BINNACLE_ALLOWED_HOSTS: 'Console.Example, desk.example:8443',
    BINNACLE_CORS_ORIGINS: 'https://console.example,http://desk.example:3000',
    BINNACLE_OUTBOUND_HOSTS: 'feed.example:9443,10.0.0.7',
    BINNACLE_DATABASE_FOLDERS: '/srv/databases, /srv/parquet',
    BINNACLE_DATABASE_HOSTS: 'db.example:5432,[2001:DB8::7]',
    BINNACLE_POSTGRES_URL: 'postgresql://ada:battery@localhost/desk',
    BINNACLE_REDIS_URL: 'redis://localhost:6379',
    BINNACLE_WORK_QUEUE: 'redis://queue.example:6379',
    BINNACLE_POSTGRES_BIN: '/opt/postgres/bin',
    PATH: '/usr/bin:/bin',
    BINNACLE_TRADER_ID: 'DESK-7',
    BINNACLE_ENGINE: 'nautilus',
    BINNACLE_NAUTILUS_PYTHON: '/srv/nautilus/bin/python',
    BINNACLE_NAUTILUS_ADDRESS: 'tls://node.example:7001',
    BINNACLE_NAUTILUS_TOKEN_FILE: '/srv/token',
    BINNACLE_NAUTILUS_CA_FILE: '/srv/ca.pem',
    BINNACLE_HISTORY_DAYS: '0',
    BINNACLE_UPLOAD_LIMIT_MIB: '64',
    BINNACLE_LOG_LEVEL: 'debug',
    BINNACLE_SITE: 'none',
  })
  expect(config).toEqual({
    dataFolder: '/var/lib/binnacle',
    addresses: ['::1'],
    ports: { trading: 0, admin: 9001, database: 9002 },
    allowedHosts: [
      { name: 'console.example', port: undefined },
      { name: 'desk.example', port: 8443 },
    ],
    corsOrigins: ['https://console.example', 'http://desk.example:3000'],
    outboundHosts: [
      { name: 'feed.example', port: 9443 },
      { name: '10.0.0.7', port: undefined },
    ],
    databaseFolders: ['/srv/databases', '/srv/parquet'],
    databaseHosts: [
      { name: 'db.example', port: 5432 },
      { name: '[2001:db8::7]', port: undefined },
    ],
    postgresUrl: 'postgresql://ada:battery@localhost/desk',
    redisUrl: 'redis://localhost:6379',
    workQueueUrl: 'redis://queue.example:6379',
    postgresTools: { binFolder: '/opt/postgres/bin', path: '/usr/bin:/bin' },
    traderId: 'DESK-7',
    engines: [
      {
        name: 'main',
        kind: 'nautilus',
        traderId: 'DESK-7',
        node: {
          address: 'tls://node.example:7001',
          at: { kind: 'tls', host: 'node.example', port: 7001 },
          tokenFile: '/srv/token',
          caFile: '/srv/ca.pem',
        },
      },
    ],
    nautilusPython: '/srv/nautilus/bin/python',
    historyDays: 0,
    uploadLimitMib: 64,
    logLevel: 'debug',
    siteFolder: undefined,
  })
})

test.each([
  ['BINNACLE_TRADING_PORT', '80 00', 'a port number from 0 to 65535 (0 takes any free port)'],
  ['BINNACLE_ADMIN_PORT', '65536', 'a port number from 0 to 65535 (0 takes any free port)'],
  ['BINNACLE_DATABASE_PORT', '-1', 'a port number from 0 to 65535 (0 takes any free port)'],
  [
    'BINNACLE_DATABASE_FOLDERS',
    'databases',
    'a comma-separated list of absolute paths such as /srv/databases',
  ],
  ['BINNACLE_HISTORY_DAYS', '366', 'a whole number of days from 0 (none) to 365'],
  ['BINNACLE_UPLOAD_LIMIT_MIB', '0', 'a number from 1 to 16384'],
  ['BINNACLE_HISTORY_DAYS', '1.5', 'a whole number of days from 0 (none) to 365'],
  ['BINNACLE_ENGINE', 'other', '`embedded` or `nautilus`'],
  ['BINNACLE_NAUTILUS_PYTHON', 'python3', 'an absolute file path such as /srv/nautilus/bin/python'],
  ['BINNACLE_NAUTILUS_TOKEN_FILE', 'token', 'an absolute file path'],
  ['BINNACLE_LOG_LEVEL', 'loud', 'one of trace, debug, info, warn, error, fatal'],
  [
    'BINNACLE_ALLOWED_HOSTS',
    'a/b',
    'a comma-separated list of host names such as console.example or console.example:8443',
  ],
  [
    'BINNACLE_ALLOWED_HOSTS',
    '*',
    'a comma-separated list of host names such as console.example or console.example:8443',
  ],
  [
    'BINNACLE_OUTBOUND_HOSTS',
    'https://feed.example',
    'a comma-separated list of hosts such as feed.example or feed.example:8443',
  ],
  ['BINNACLE_CORS_ORIGINS', '*', 'a comma-separated list of origins such as https://console.example'],
  ['BINNACLE_CORS_ORIGINS', 'null', 'a comma-separated list of origins such as https://console.example'],
  [
    'BINNACLE_CORS_ORIGINS',
    'https://me:secret@console.example',
    'a comma-separated list of origins such as https://console.example',
  ],
])('%s does not take %j', (variable, value, allowed) => {
  expect(() => parseConfig({ [variable]: value })).toThrow(
    new StartRefusal(`${variable} is '${value}', but it must be ${allowed}.`),
  )
})

test.each(['0.0.0.0', '::', '192.168.1.5', 'console.example'])(
  'without sign-in %s is no host to bind to',
  (host) => {
    expect(() => parseConfig({ BINNACLE_HOST: host })).toThrow(
      new StartRefusal(
        `BINNACLE_HOST is '${host}', but it must be one of the loopback addresses localhost, 127.0.0.1 and ::1: there is no sign-in yet, so Binnacle must not be reachable from other machines.`,
      ),
    )
  },
)

test('two listeners cannot share a port, unless it is any free one', () => {
  expect(() => parseConfig({ BINNACLE_DATABASE_PORT: '8001' })).toThrow(
    new StartRefusal(
      "BINNACLE_DATABASE_PORT is '8001', but it must differ from BINNACLE_ADMIN_PORT, which is 8001 too.",
    ),
  )
  const free = parseConfig({
    BINNACLE_TRADING_PORT: '0',
    BINNACLE_ADMIN_PORT: '0',
    BINNACLE_DATABASE_PORT: '0',
  })
  expect(free.ports).toEqual({ trading: 0, admin: 0, database: 0 })
})

test('the active settings are printed by their variables, and read back as they are', () => {
  const env = {
    BINNACLE_HOST: '127.0.0.1',
    BINNACLE_ALLOWED_HOSTS: 'console.example,desk.example:8443',
    BINNACLE_CORS_ORIGINS: 'https://console.example',
    BINNACLE_OUTBOUND_HOSTS: 'feed.example:9443',
    BINNACLE_DATABASE_HOSTS: 'db.example:5432',
    BINNACLE_SITE: 'none',
  }
  const config = parseConfig(env)
  expect(describeConfig(config)).toMatchObject({ ...env, BINNACLE_TRADING_PORT: '8000' })
  expect(parseConfig(describeConfig(config))).toEqual(config)
})

test('an address that may contain a password is neither printed nor repeated', () => {
  const secret = 'postgresql://ada:battery@localhost/desk'
  expect(describeConfig(parseConfig({ BINNACLE_POSTGRES_URL: secret })).BINNACLE_POSTGRES_URL).toBe('(set)')
  for (const name of ['BINNACLE_REDIS_URL', 'BINNACLE_WORK_QUEUE'])
    expect(() => parseConfig({ [name]: secret })).toThrow(
      `${name} must be an address such as redis://localhost:6379.`,
    )
  const queue = { BINNACLE_WORK_QUEUE: 'redis://ada:battery@queue.example' }
  expect(describeConfig(parseConfig(queue)).BINNACLE_WORK_QUEUE).toBe('(set)')
})

test('every variable is described with its default', () => {
  const described = describeEnvironment()
  expect(described.map(({ name }) => name).toSorted()).toEqual(
    Object.keys(describeConfig(parseConfig({}))).toSorted(),
  )
  expect(described.filter(({ meaning, standard }) => meaning === '' || standard === '')).toEqual([])
})

test('[NAUT-104] a node by TLS needs its token file, and an address needs the NautilusTrader engine', () => {
  const env = { BINNACLE_ENGINE: 'nautilus', BINNACLE_NAUTILUS_ADDRESS: 'tls://node.example:7001' }
  expect(() => parseConfig(env)).toThrow(
    'BINNACLE_NAUTILUS_TOKEN_FILE must be set too: a node by TLS needs its token.',
  )
  expect(() => parseConfig({ ...env, BINNACLE_ENGINE: 'embedded' })).toThrow(
    'BINNACLE_NAUTILUS_ADDRESS needs BINNACLE_ENGINE=nautilus.',
  )
  const [engine] = parseConfig({ ...env, BINNACLE_NAUTILUS_ADDRESS: '/srv/bridge.sock' }).engines
  expect(engine?.node?.at).toEqual({ kind: 'socket', path: '/srv/bridge.sock' })
})

test('[ENGS-1] a file lists the engines of the console, the default one first; without it there is one', () => {
  const entries = [
    { name: 'desk', kind: 'embedded' },
    {
      name: 'tokyo',
      kind: 'nautilus',
      address: 'tls://node.example:7001',
      trader_id: 'DESK-002',
      token_file: '/srv/token',
      ca_file: '/srv/ca.pem',
    },
    { name: 'paper', kind: 'nautilus', takes_over: 'osaka' },
  ]
  const file = enginesFile(JSON.stringify(entries))
  const config = parseConfig({ BINNACLE_ENGINES: file })
  expect(config.engines).toEqual([
    { name: 'desk', kind: 'embedded', traderId: 'TRADER-001' },
    {
      name: 'tokyo',
      kind: 'nautilus',
      traderId: 'DESK-002',
      node: {
        address: 'tls://node.example:7001',
        at: { kind: 'tls', host: 'node.example', port: 7001 },
        tokenFile: '/srv/token',
        caFile: '/srv/ca.pem',
      },
    },
    { name: 'paper', kind: 'nautilus', traderId: 'TRADER-001', takesOver: 'osaka' },
  ])
  expect(describeConfig(config)).toMatchObject({ BINNACLE_ENGINES: file, BINNACLE_ENGINE: '' })
  expect(parseConfig({}).engines).toEqual([{ name: 'main', kind: 'embedded', traderId: 'TRADER-001' }])
})

test.each([
  ['{"name":', 'is not JSON at line 1, column 9. Correct the file.'],
  ['{}', 'it: must be a list such as [{ "name": "desk", "kind": "embedded" }].'],
  ['[]', 'it: must name at least one engine.'],
  [
    '[{"name":"a b","kind":"embedded"}]',
    'engine 1: name: must be up to 32 letters, digits, dashes and underscores.',
  ],
  ['[{"name":"a","kind":"paper"}]', 'engine 1: kind: must be "embedded" or "nautilus".'],
  [
    '[{"name":"a","kind":"embedded"},{"name":"A","kind":"embedded"}]',
    "engine 2: name: 'a' is used twice. Each engine needs its own.",
  ],
  [
    '[{"name":"a","kind":"nautilus","address":"node:7001"}]',
    'engine 1: address: must be a socket such as /srv/node/bridge.sock, or tls://node.example:7001.',
  ],
  [
    '[{"name":"a","kind":"nautilus","address":"/x"},{"name":"b","kind":"nautilus","address":"/x"}]',
    "engine 2: address: '/x' is used twice. Each engine needs its own.",
  ],
  [
    '[{"name":"a","kind":"nautilus","address":"/a/x"},{"name":"b","kind":"nautilus","address":"/a/./x"}]',
    "engine 2: address: '/a/x' is used twice. Each engine needs its own.",
  ],
  [
    '[{"name":"a","kind":"nautilus","address":"tls://n:1"},{"name":"b","kind":"nautilus","address":"TLS://N:01/"}]',
    "engine 2: address: 'tls://n:1' is used twice. Each engine needs its own.",
  ],
  ['[{"name":"a","kind":"embedded","address":"/x"}]', 'engine \'a\': an address needs the kind "nautilus".'],
  [
    '[{"name":"a","kind":"nautilus","address":"tls://n:1"}]',
    "engine 'a': a node by TLS needs its token_file.",
  ],
  [
    '[{"name":"a","kind":"nautilus","token_file":"/x"}]',
    "engine 'a': token_file and ca_file need an address.",
  ],
  ['[{"name":"a","kind":"embedded","colour":"red"}]', 'engine 1: Unrecognized key: "colour".'],
])(
  '[ENGS-2] [ENGS-42] a file of engines with %s ends the start and says where it is wrong',
  (text, words) => {
    const file = enginesFile(text)
    expect(() => parseConfig({ BINNACLE_ENGINES: file })).toThrow(words)
    expect(() => parseConfig({ BINNACLE_ENGINES: file })).toThrow(`BINNACLE_ENGINES: ${file}`)
  },
)

test.each([
  'tls://:battery@localhost:7001',
  'tls://battery@localhost:7001',
  'tls://@localhost:7001',
  'tls://localhost:7001?token=battery',
  'tls://localhost:7001/#battery',
  'tls://localhost:0',
  'tls://node.example',
  'tcp://node.example:7001',
  '/srv/battery\0.sock',
])('[ENGS-40] the node address %j is refused and not repeated', (address) => {
  const places = 'must be a socket such as /srv/node/bridge.sock, or tls://node.example:7001.'
  const file = enginesFile(
    JSON.stringify([{ name: 'a', kind: 'nautilus', address, token_file: '/srv/token' }]),
  )
  expect(() => parseConfig({ BINNACLE_ENGINES: file })).toThrow(
    new StartRefusal(`BINNACLE_ENGINES: ${file}: engine 1: address: ${places}`),
  )
  expect(() => parseConfig({ BINNACLE_ENGINE: 'nautilus', BINNACLE_NAUTILUS_ADDRESS: address })).toThrow(
    new StartRefusal(`BINNACLE_NAUTILUS_ADDRESS ${places}`),
  )
})

test.each([
  ['battery', 'line 1, column 1'],
  ['[\n  { "name": battery }\n]', 'line 2, column 13'],
  [`[{"name":"${'a'.repeat(80)}","token":battery,"kind":"${'b'.repeat(80)}"}]`, 'line 1, column 101'],
  ['[{"name":"a" "battery"}]', 'line 1, column 14'],
  ['["battery', 'line 1, column 10'],
  ['[{"name":"battery"}', 'line 1, column 20'],
  ['[] battery', 'line 1, column 4'],
  ['', 'line 1, column 1'],
])(
  '[ENGS-41] a file of engines that is not JSON, %j, is refused with the place and without its text',
  (text, place) => {
    const file = enginesFile(text)
    expect(() => parseConfig({ BINNACLE_ENGINES: file })).toThrow(
      new StartRefusal(`BINNACLE_ENGINES: ${file} is not JSON at ${place}. Correct the file.`),
    )
  },
)

test('[ENGS-2] a file of engines and a single engine exclude each other', () => {
  const file = enginesFile('[{"name":"a","kind":"embedded"}]')
  expect(() => parseConfig({ BINNACLE_ENGINES: file, BINNACLE_ENGINE: 'embedded' })).toThrow(
    'BINNACLE_ENGINE must not be set with BINNACLE_ENGINES: the file names every engine.',
  )
})

function enginesFile(text: string): string {
  const file = join(temporaryFolder(), 'engines.json')
  writeFileSync(file, text)
  return file
}
