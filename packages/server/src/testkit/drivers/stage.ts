import type { Column } from '@binnacle/contract'
import { afterAll, beforeAll } from 'vitest'
import type { Driver, StoreKind, Target } from '#database/drivers/driver.ts'
import type { AtEnd } from '../temporary-folder.ts'

/** A real store with known content, for the rules that every driver keeps. */
export interface Stage {
  kind: StoreKind
  /** A new driver on the store; the caller closes it. */
  open(target?: Partial<Target>): Driver
  /** Holds TRADES rows, in which the column `id` tells them apart. */
  table: string
  id: string
  schema: Column[]
  /** What answers to a ping. */
  version: RegExp
  /** Tables with names made to break out of a statement, each with one row. */
  hostileTables: readonly string[]
  /** One row of the trickiest values, and how it must be told. */
  values: { statement: string; row: Record<string, unknown> }
  /** Gives more than 20 rows of at least a few bytes. */
  many: string
  /** Never ends by itself, or not soon. */
  endless: { statement: string; arrange?(): Promise<void> }
  /** What the store is doing for our drivers now. */
  atWork(): Promise<string[]>
  /** Whether the store serves any connection or process of ours. */
  connections(): Promise<number>
  /** Changes a row or key by itself; undefined where nothing can be written. */
  write?: { statement: string; changed: number }
  /** Destroys without saying of which rows, and the name to type again. */
  harm?: { statement: string; table: string }
  broken: string
  /** A connection string that leads nowhere, and how that is told. */
  astray: { connectionString: string; sentence: RegExp }
  /** The content as a text that changes when anything in it does. */
  fingerprint(): Promise<string>
  /** Gives at least 50 MB in rows. */
  bulk: { arrange?(): Promise<void>; source: { statement: string } | { table: string }; rows: number }
}

export const TRADES = 120

/** One of what is costly to set up, for all tests of a suite; set up before them and taken down after them. */
export function sharedBy<Shared>(setUp: (atEnd: AtEnd) => Promise<Shared>): () => Promise<Shared> {
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
