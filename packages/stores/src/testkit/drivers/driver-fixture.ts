import type { Column } from '@binnacle/contract'
import { afterAll, beforeAll } from 'vitest'
import type { Confirmation, ConnectionConfig, Driver, StoreKind } from '#driver.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'

/** A real store with known content for the conformance suite. */
export interface DriverFixture {
  kind: StoreKind
  /** A new driver on the store; the caller closes it. */
  open(config?: Partial<ConnectionConfig>): Driver
  /** Holds TRADES rows, identified by the column `id`. */
  table: string
  id: string
  schema: Column[]
  /** The version that ping returns. */
  version: RegExp
  /** Tables with hostile names, each with one row. */
  hostileTables: readonly string[]
  /** One row of difficult values and its expected encoding. */
  values: { statement: string; row: Record<string, unknown> }
  /** Returns more than 20 rows. */
  many: string
  /** Does not end by itself. */
  endless: { statement: string; arrange?(): Promise<void> }
  /** Statements that the store runs for our drivers now. */
  runningStatements(): Promise<string[]>
  /** Number of our connections or processes. */
  connections(): Promise<number>
  /** A write; undefined where nothing can be written. */
  /** Changed rows are null where the store reports none. */
  write?: { statement: string; changed: number | null }
  /** A destructive statement and the name to confirm it. */
  destructive?: { statement: string; table: string }
  broken: string
  /** A connection string that cannot work, and the expected message. */
  unreachable: { connectionString: string; sentence: RegExp }
  /** A text that changes with any change of the content. */
  fingerprint(): Promise<string>
  /** BULK_ROWS rows of more than a kilobyte: more than a stream may hold at a time. */
  bulk: { arrange?(): Promise<void>; source: { statement: string } | { table: string }; rows: number }
}

export const TRADES = 120
export const BULK_ROWS = 30_000

/** Shares a costly fixture between all tests of a suite. */
export function sharedFixture<Shared>(setUp: (atEnd: AtEnd) => Promise<Shared>): () => Promise<Shared> {
  const cleanUps: (() => void | Promise<void>)[] = []
  let shared: Promise<Shared> | undefined
  beforeAll(async () => {
    shared = setUp((cleanUp) => void cleanUps.unshift(cleanUp))
    await shared
  })
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp()
  })
  return async () => {
    if (shared === undefined) throw new Error('Nothing is set up outside a test.')
    return shared
  }
}

export const CAPS = { rows: 10_000, bytes: 16 * 1024 * 1024 }

/** What a write would have to be confirmed with, without running it; undefined for one that needs no confirmation. */
export async function confirmationOf(driver: Driver, statement: string): Promise<Confirmation | undefined> {
  const notConfirmed = new Error('not confirmed')
  let confirm: Confirmation | undefined
  const run = driver.run(statement, CAPS, new AbortController().signal, async (asked) => {
    confirm = asked
    throw notConfirmed
  })
  const outcome = await run.catch((reason) => reason)
  if (outcome !== notConfirmed) throw outcome
  return confirm
}
