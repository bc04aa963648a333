import { expect, test } from 'vitest'
import type { AllowedHost, ConnectionConfig, StoreKind } from './driver.ts'
import { openDriver } from './open-driver.ts'
import { StoreRefusal } from './store-refusal.ts'

const HOSTS: AllowedHost[] = [
  { name: 'db.example', port: 5432 },
  { name: '10.0.0.7', port: undefined },
  { name: '[2001:db8::7]', port: undefined },
]

test.each([
  'postgresql://ada@localhost/desk',
  'postgresql://ada@127.0.0.1:9999/desk',
  'postgresql://ada@127.9.9.9/desk',
  'postgresql://ada@[::1]/desk',
  'postgresql://ada@[::ffff:127.0.0.1]/desk',
  'postgresql://ada@ignored/desk?host=/var/run/postgresql',
  'postgresql://ada@db.example/desk',
  'postgresql://ada@DB.Example:5432/desk',
  'postgresql://ada@10.0.0.7:1/desk',
  'postgresql://ada@[2001:db8::7]/desk',
  'redis://localhost:6379',
  'rediss://10.0.0.7:6379',
])('[STORE-36] loopback and the configured hosts are allowed: %s', async (connectionString) => {
  const driver = openDriver(configOf(connectionString), access(HOSTS))
  await driver.close()
})

test.each([
  ['postgresql://ada:sesame@db.example:5433/desk', 'db.example:5433'],
  ['postgresql://ada:sesame@evil.db.example/desk', 'evil.db.example:5432'],
  ['postgresql://ada:sesame@10.0.0.8/desk', '10.0.0.8:5432'],
  ['postgresql://ada:sesame@0.0.0.0/desk', '0.0.0.0:5432'],
  ['postgresql://ada:sesame@169.254.169.254:80/desk', '169.254.169.254:80'],
  ['postgresql://ada:sesame@localhost.evil.example/desk', 'localhost.evil.example:5432'],
  ['postgresql://ada:sesame@localhost/desk?host=10.0.0.8', '10.0.0.8:5432'],
  ['postgresql://ada:sesame@2130706434/desk', '2130706434:5432'],
  ['postgresql://ada:sesame@[fe80::1]/desk', '[fe80::1]:5432'],
  ['redis://:sesame@10.0.0.8:6379', '10.0.0.8:6379'],
  ['redis://:sesame@db.example:6379', 'db.example:6379'],
])('[STORE-36] another host is refused before anything is dialled: %s', (connectionString, address) => {
  const failure = thrownBy(() => openDriver(configOf(connectionString), access(HOSTS)))
  expect(failure).toBeInstanceOf(StoreRefusal)
  const sentence = `${address} is not an allowed database host. Add ${address.replace(/:\d+$/, '')} to BINNACLE_DATABASE_HOSTS to connect to it.`
  expect(failure).toMatchObject({
    code: 'request.invalid',
    message: sentence,
    errors: [{ field: 'body.connection_string' }],
  })
})

function configOf(connectionString: string): ConnectionConfig {
  const kind: StoreKind = connectionString.startsWith('redis') ? 'redis' : 'postgresql'
  return {
    id: '1',
    name: 'Desk',
    kind,
    databaseName: '',
    connectionString,
    writable: false,
    timeLimitMs: 1000,
  }
}

function access(databaseHosts: AllowedHost[]) {
  return { databaseFolders: [], dataFolder: '/nowhere', databaseHosts }
}

function thrownBy(work: () => unknown): unknown {
  try {
    return work()
  } catch (thrown) {
    return thrown
  }
}
