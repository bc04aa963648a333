import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { Source } from '@binnacle/stores'
import pg from 'pg'
import { ACCOUNTS, BALANCE } from './bank.ts'

/** Creates the accounts, prints 'open', transfers money until its input ends and prints the number of transfers. */
// Written by JSON.stringify of a Source in the parent process.
const source = JSON.parse(process.argv[2] ?? '') as Source

const TABLE = 'CREATE TABLE accounts (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL)'
const ROWS = Array.from({ length: ACCOUNTS }, (_, id) => `(${id}, ${BALANCE})`).join(', ')

let isOver = false
process.stdin.resume().on('end', () => (isOver = true))

const transfer = source.type === 'sqlite' ? openSqlite(source.file) : await openPostgres(addressOf(source))
process.stdout.write('open\n')
let count = 0
while (!isOver) {
  const from = count % ACCOUNTS
  await transfer(from, (from * 7 + 3) % ACCOUNTS, 1 + (count % 13))
  count += 1
}
process.stdout.write(`${count}\n`)
process.exit(0)

type Transfer = (from: number, to: number, amount: number) => Promise<unknown>

function addressOf(asked: Source): string {
  return asked.type === 'postgresql' ? asked.url : ''
}

function openSqlite(file: string): Transfer {
  const database = new DatabaseSync(file, { timeout: 20_000 })
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${TABLE}; INSERT INTO accounts VALUES ${ROWS}`,
  )
  const move = database.prepare('UPDATE accounts SET balance = balance + ? WHERE id = ?')
  return async (from, to, amount) => {
    database.exec('BEGIN IMMEDIATE')
    move.run(-amount, from)
    move.run(amount, to)
    database.exec('COMMIT')
    await setImmediate()
  }
}

async function openPostgres(url: string): Promise<Transfer> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`${TABLE}; INSERT INTO accounts VALUES ${ROWS}`)
  return async (from, to, amount) => {
    await client.query('BEGIN')
    await client.query('UPDATE accounts SET balance = balance - $1 WHERE id = $2', [amount, from])
    await client.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [amount, to])
    await client.query('COMMIT')
  }
}
