import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ACCOUNTS, BALANCE, openBank } from '../packages/server/src/testkit/backups/bank.ts'
import type { Source } from '../packages/stores/src/backup/source.ts'
import { conclude, type Limit, median, rounded } from './figures.ts'
import { startServerProcess } from './server-process.ts'
import { startBenchPostgres } from './stores.ts'

/** Backups over HTTP while money is moved without pause: in every one the sum of all balances is what it was. */

const BACKUPS = Number(process.argv[2] ?? 100)
const SUM = ACCOUNTS * BALANCE

interface Ledger {
  name: string
  source: Source
  connection: { type: string; database_name: string; connection_string: string }
  balances(folder: string): number[]
}

const folder = await mkdtemp(join(tmpdir(), 'binnacle-bank-'))
const postgres = await startBenchPostgres()
const file = join(folder, 'bank.sqlite')
const ledgers: Ledger[] = [
  {
    name: 'SQLite',
    source: { type: 'sqlite', file },
    connection: { type: 'sqlite', database_name: '', connection_string: file },
    balances: sqliteBalances,
  },
]
if (postgres !== undefined) {
  ledgers.push({
    name: 'PostgreSQL',
    source: { type: 'postgresql', url: postgres.url },
    connection: { type: 'postgresql', database_name: '', connection_string: postgres.url },
    balances: postgresBalances,
  })
}
const server = await startServerProcess(join(folder, 'data'), {
  BINNACLE_DATABASE_FOLDERS: folder,
  PATH: process.env.PATH ?? '',
})
const table: Record<string, object> = {}
const limits: Limit[] = []
for (const ledger of ledgers) await measure(ledger)
await server.end('SIGTERM')
await postgres?.end()
await rm(folder, { recursive: true })
console.table(table)
conclude(limits)

async function measure({ name, source, connection, balances }: Ledger): Promise<void> {
  const bank = await openBank(source)
  const { id } = await send<{ id: number }>('POST', '/api/db/connections', { name, ...connection })
  const times: number[] = []
  for (let nth = 0; nth < BACKUPS; nth += 1) {
    const startMs = performance.now()
    await send('POST', `/api/db/${id}/backup`)
    times.push(performance.now() - startMs)
  }
  const transfers = await bank.close()
  const { backups } = await send<{ backups: { backup_path: string }[] }>('GET', `/api/db/${id}/backups`)
  const found = backups.map(({ backup_path }) => balances(join(backup_path, 'contents')))
  const consistent = found.filter((each) => each.length === ACCOUNTS && sumOf(each) === SUM).length
  const different = new Set(found.map((each) => each.join())).size
  table[name] = { backups: backups.length, different, transfers, 'ms each, median': rounded(median(times)) }
  limits.push({
    what: `${name}: backups that keep the sum`,
    figure: consistent,
    limit: BACKUPS,
    must: 'reach',
  })
}

function sqliteBalances(contents: string): number[] {
  const database = new DatabaseSync(join(contents, 'database.sqlite'), { readOnly: true })
  const rows = database.prepare('SELECT balance FROM accounts').all()
  database.close()
  return rows.map(({ balance }) => Number(balance))
}

function postgresBalances(contents: string): number[] {
  const dump = join(contents, 'dump.pgc')
  if (!existsSync(dump)) return []
  const text = execFileSync('pg_restore', ['--data-only', '--file=-', dump], { encoding: 'utf8' })
  return [...text.matchAll(/^\d+\t(-?\d+)$/gm)].map(([, balance]) => Number(balance))
}

function sumOf(balances: readonly number[]): number {
  return balances.reduce((sum, balance) => sum + balance, 0)
}

async function send<Reply>(method: string, path: string, body?: object): Promise<Reply> {
  const reply = await fetch(server.url + path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`)
  // Of our own server, whose replies its own tests hold to the contract.
  return (await reply.json()) as Reply
}
