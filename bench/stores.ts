import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '../packages/stores/src/testkit/stores/postgres-server.ts'
import { type RedisServer, startRedis } from '../packages/stores/src/testkit/stores/redis-server.ts'

export interface BenchPostgres extends PostgresServer {
  /** Runs SQL by psql. */
  fill(sql: string): void
}

/** A real PostgreSQL for a measurement, or undefined with a printed reason. */
export async function startBenchPostgres(): Promise<BenchPostgres | undefined> {
  const bin = process.env.BINNACLE_POSTGRES_BIN ?? newestPostgres()
  if (bin === undefined) {
    console.warn('PostgreSQL is not on this machine and is left out. BINNACLE_POSTGRES_BIN says where it is.')
    return undefined
  }
  const server = await startPostgres(bin)
  const fill = (sql: string) => {
    execFileSync(join(bin, 'psql'), ['-q', '-v', 'ON_ERROR_STOP=1', '-d', server.url, '-c', sql])
  }
  return { ...server, fill }
}

function newestPostgres(): string | undefined {
  const versions = '/usr/lib/postgresql'
  if (!existsSync(versions)) return undefined
  const [newest] = readdirSync(versions).toSorted((one, other) => Number(other) - Number(one))
  return newest === undefined ? undefined : join(versions, newest, 'bin')
}

/** A real Redis for a measurement, or undefined with a printed reason. */
export async function startBenchRedis(...settings: readonly string[]): Promise<RedisServer | undefined> {
  const program = process.env.BINNACLE_REDIS_SERVER ?? '/usr/bin/redis-server'
  if (existsSync(program)) return startRedis(program, ...settings)
  console.warn('Redis is not on this machine and is left out. BINNACLE_REDIS_SERVER says where it is.')
  return undefined
}
