import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type pg from 'pg'
import type { BackupDriver } from '#backup/backup-driver.ts'
import { runChild } from '#backup/run-child.ts'
import type { Counts, PostgresSource } from '#backup/source.ts'
import { type JobControl, JobFailure } from '#job-control.ts'
import { withClient } from '#postgres/dump/client.ts'
import { countTables, createCopyCounter } from '#postgres/dump/counts.ts'
import { replaceContents } from '#postgres/dump/restore.ts'
import { checkToolVersion, environmentOf, findTool, type PostgresTools } from '#postgres/dump/tools.ts'

const DUMP = 'dump.pgc'
const LOCK_WAIT_MS = 10_000

/** PostgreSQL: a pg_dump of one exported snapshot; rows are counted in the same snapshot. */
export function createPostgresBackup(tools: PostgresTools): BackupDriver<PostgresSource> {
  async function verify(folder: string, { signal }: JobControl): Promise<Counts> {
    const counter = createCopyCounter()
    // Reads the complete dump as text; the list of contents alone would survive a truncated file.
    const args = ['--file=-', join(folder, DUMP)]
    const program = await findTool(tools, 'pg_restore')
    await runChild(program, { args, signal, onLine: counter.take, env: { LC_ALL: 'C' } })
    return counter.counts
  }

  return {
    exists: async () => true,
    async write({ url }, folder, { signal }) {
      const program = await findTool(tools, 'pg_dump')
      return withClient(url, async (client) => {
        await checkToolVersion(program, await majorOf(client), signal)
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        const { rows } = await client.query<{ id: string }>('SELECT pg_catalog.pg_export_snapshot() AS id')
        const args = [
          '--format=custom',
          '--no-password',
          `--snapshot=${rows[0]?.id}`,
          `--lock-wait-timeout=${LOCK_WAIT_MS}`,
          `--file=${join(folder, DUMP)}`,
        ]
        await runChild(program, { args, env: environmentOf(url), signal })
        return countTables(client)
      })
    },
    verify,
    async drill({ url }, { from }, { signal }) {
      const program = await findTool(tools, 'pg_restore')
      return withScratchDatabase(url, async (database) => {
        const args = [
          '--no-owner',
          '--no-privileges',
          '--exit-on-error',
          '--single-transaction',
          '--no-password',
        ]
        const env = environmentOf(url, database)
        await runChild(program, { args: [...args, `--dbname=${database}`, join(from, DUMP)], env, signal })
        const scratch = new URL(url)
        scratch.pathname = `/${database}`
        return withClient(scratch.href, countTables)
      })
    },
    async restore({ url }, putting, control) {
      const programs = {
        read: await findTool(tools, 'pg_restore'),
        write: await findTool(tools, 'psql'),
      }
      await putting.release()
      await replaceContents({ programs, dump: join(putting.from, DUMP), url, ...putting }, control.signal)
    },
  }
}

async function majorOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num')
  return Math.floor(Number(rows[0]?.server_version_num) / 10_000)
}

/** Creates a scratch database and drops it afterwards. */
async function withScratchDatabase<Result>(
  url: string,
  work: (database: string) => Promise<Result>,
): Promise<Result> {
  const database = `binnacle_drill_${randomBytes(6).toString('hex')}`
  return withClient(url, async (client) => {
    await dropAbandonedDrills(client)
    await client.query(`CREATE DATABASE ${database} TEMPLATE template0`).catch((fault) => {
      if (Object(fault).code !== INSUFFICIENT_PRIVILEGE) throw fault
      throw new JobFailure(
        'A restore drill needs to create a database, and this role may not. Run ALTER ROLE … CREATEDB.',
      )
    })
    try {
      return await work(database)
    } finally {
      await client.query(`DROP DATABASE ${database} WITH (FORCE)`)
    }
  })
}

/** Drops scratch databases of killed servers. One in use belongs to a running drill. */
async function dropAbandonedDrills(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT datname AS name FROM pg_catalog.pg_database d
     WHERE datname ~ '^binnacle_drill_[0-9a-f]{12}$' AND pg_catalog.pg_get_userbyid(datdba) = current_user
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_stat_activity a WHERE a.datid = d.oid)`,
  )
  for (const { name } of rows) await client.query(`DROP DATABASE IF EXISTS ${name}`).catch(() => {})
}

const INSUFFICIENT_PRIVILEGE = '42501'
