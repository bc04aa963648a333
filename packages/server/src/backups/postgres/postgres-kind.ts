import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type pg from 'pg'
import { type JobControl, JobFailure } from '#jobs/job.ts'
import type { BackupKind } from '../kind.ts'
import { runChild } from '../run-child.ts'
import type { Counts, PostgresSource } from '../source.ts'
import { withClient } from './postgres-client.ts'
import { countTables, createCopyCounter } from './postgres-counts.ts'
import { replaceContents } from './postgres-restore.ts'
import { environmentOf, findTool, type PostgresTools, refuseOlderTool } from './postgres-tools.ts'

const DUMP = 'dump.pgc'
const LOCK_WAIT_MS = 10_000

/** PostgreSQL: pg_dump's own format as of one snapshot, in which the rows are counted too. */
export function createPostgresKind(tools: PostgresTools): BackupKind<PostgresSource> {
  async function verify(folder: string, { signal }: JobControl): Promise<Counts> {
    const counter = createCopyCounter()
    // All of it as text: a list of contents is there even when the rest was cut off.
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
        await refuseOlderTool(program, await majorOf(client), signal)
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
      return inScratch(url, async (database) => {
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

/** A database of its own for a trial, gone afterwards. */
async function inScratch<Result>(url: string, work: (database: string) => Promise<Result>): Promise<Result> {
  const database = `binnacle_drill_${randomBytes(6).toString('hex')}`
  return withClient(url, async (client) => {
    await dropLeft(client)
    await client.query(`CREATE DATABASE ${database} TEMPLATE template0`).catch((fault) => {
      if (Object(fault).code !== INSUFFICIENT_PRIVILEGE) throw fault
      throw new JobFailure(
        'A drill restores into a database of its own, and this role may not create one: ALTER ROLE … CREATEDB lets it.',
      )
    })
    try {
      return await work(database)
    } finally {
      await client.query(`DROP DATABASE ${database} WITH (FORCE)`)
    }
  })
}

/** What drills of killed servers left. One that is in use is of a drill that is under way. */
async function dropLeft(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT datname AS name FROM pg_catalog.pg_database d
     WHERE datname ~ '^binnacle_drill_[0-9a-f]{12}$' AND pg_catalog.pg_get_userbyid(datdba) = current_user
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_stat_activity a WHERE a.datid = d.oid)`,
  )
  for (const { name } of rows) await client.query(`DROP DATABASE IF EXISTS ${name}`).catch(() => {})
}

const INSUFFICIENT_PRIVILEGE = '42501'
