import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, inject } from 'vitest'
import * as z from 'zod'
import type { AtEnd } from '#testkit/temporary-folder.ts'
import { type RedisServer, startRedis } from './redis-server.ts'

/** `describe` where PostgreSQL is installed; else the tests are skipped with a printed reason. */
export const describePostgres = describeWith('PostgreSQL', inject('stores').postgresSupervisor)
export const describeRedis = describeWith('Redis', inject('stores').redisServer)

export interface TestDatabase {
  name: string
  /** As an ordinary user who owns the database. */
  url: string
  /** As superuser. */
  superUrl: string
  /** The folder of pg_dump and its companions. */
  binFolder: string
  /** The server's folder. */
  folder: string
}

/** A new empty PostgreSQL database with its own user, dropped at the end. */
export async function freshDatabase(atEnd: AtEnd): Promise<TestDatabase> {
  const { postgresSupervisor = '', postgresBin = '' } = inject('stores')
  const server = RunningServer.parse(await (await fetch(postgresSupervisor)).json())
  const name = `desk_${randomBytes(6).toString('hex')}`
  const password = 'battery staple'
  await asSuperuser(server.url, [
    `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`,
    `CREATE DATABASE ${name} OWNER ${name} TEMPLATE template0`,
  ])
  atEnd(() =>
    asSuperuser(server.url, [
      `DROP DATABASE ${name} WITH (FORCE)`,
      `DROP OWNED BY ${name}`,
      `DROP ROLE ${name}`,
    ]),
  )
  const url = new URL(server.url)
  url.pathname = `/${name}`
  const superUrl = url.href
  url.username = name
  url.password = encodeURIComponent(password)
  return { name, url: url.href, superUrl, binFolder: postgresBin, folder: server.folder }
}

/** A new Redis server for a file or a test. */
export async function freshRedis(atEnd: AtEnd, ...settings: readonly string[]): Promise<RedisServer> {
  const server = await startRedis(inject('stores').redisServer ?? '', ...settings)
  atEnd(() => server.end())
  return server
}

const RunningServer = z.object({ url: z.string(), folder: z.string() })

async function asSuperuser(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

type DescribeTests = (name: string, tests: () => void) => void

function describeWith(name: string, place: string | undefined): DescribeTests {
  if (place !== undefined) return (title, tests) => void describe(title, tests)
  console.warn(`${name} is not on this machine: its tests are skipped. 'npm test' installs it.`)
  return (title, tests) => void describe.skip(title, tests)
}
