import type { Driver, Target } from '../driver.ts'
import { StoreRefusal } from '../store-refusal.ts'
import { admitStatement } from './admission.ts'
import { connectionOptions } from './connection-options.ts'
import { explainStatement } from './explain.ts'
import { openExport } from './exports.ts'
import { greet } from './greeting.ts'
import { readPage } from './pages.ts'
import { collectResult } from './results.ts'
import { openSession, transact, type Work } from './session.ts'
import { findTable, listTables, schemaColumns } from './tables.ts'
import { rememberTypes } from './value-types.ts'

/** How much longer than the service the server waits before it ends a statement by itself. */
const SERVER_SLACK_MS = 1_000

export function createPostgresDriver(target: Target): Driver {
  const options = connectionOptions(target)
  const session = openSession(options)
  const ours: Work = {
    access: 'READ ONLY',
    isForeign: false,
    timeLimitMs: target.timeLimitMs + SERVER_SLACK_MS,
  }
  const theirs: Work = { ...ours, isForeign: true }
  const typesOf = rememberTypes()
  const admit = (statement: string, signal: AbortSignal) =>
    admitStatement(statement, { target, session, work: ours }, signal)
  return {
    kind: 'postgresql',
    can: abilitiesOf(target),
    ping: (signal) => transact(session, ours, signal, (client) => greet(client, options)),
    tables: (signal) => transact(session, ours, signal, listTables),
    schema: (table, signal) =>
      transact(session, ours, signal, async (client) => ({
        columns: schemaColumns(await findTable(client, table)),
      })),
    page: (request, signal) =>
      transact(session, ours, signal, async (client) => readPage(client, request, await typesOf(client))),
    async check(statement, signal) {
      const { kind, confirm } = await admit(statement, signal)
      return { kind, confirm }
    },
    async run(statement, caps, signal) {
      const isWrite = (await admit(statement, signal)).kind === 'write'
      const work: Work = isWrite ? { ...theirs, access: 'READ WRITE' } : theirs
      return transact(session, work, signal, async (client) =>
        collectResult(client, statement, { caps, types: await typesOf(client), isWrite }),
      )
    },
    async stream(source, signal) {
      if ('statement' in source && (await admit(source.statement, signal)).kind === 'write') {
        throw new StoreRefusal('store.refused', 'Only what a reading statement finds can be exported.')
      }
      // As long as somebody takes the rows; the signal ends it.
      const visit = await session.enter({ ...theirs, timeLimitMs: 0 }, signal)
      return openExport(visit, source, typesOf)
    },
    explain: (statement, signal) =>
      transact(session, theirs, signal, (client) => explainStatement(client, statement)),
    close: () => session.close(),
  }
}

function abilitiesOf({ writable }: Target): Driver['can'] {
  return {
    language: 'sql',
    write: writable,
    explain: true,
    sort: true,
    filter: true,
    backup: true,
    restore: writable,
  }
}
