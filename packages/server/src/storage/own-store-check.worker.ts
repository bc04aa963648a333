import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { seqFrom } from '@binnacle/engine'
import { openJournalReader } from '#storage/journal/journal-store.ts'
import { adminMigrations } from './admin-migrations.ts'
import { findForeignEntry } from './foreign-schema.ts'
import type { Migrations } from './migrate.ts'
import type { EmbeddedPaths, EngineStorePaths, OwnStoreCheck, OwnStorePaths } from './own-store-check.ts'
import { secretBoxBeside } from './secret-box.ts'
import { findSettingFault } from './setting-check.ts'

// Set by checkOwnStores.
const { adminFile, engines = [], ...first } = workerData as OwnStorePaths

const checks: OwnStoreCheck[] = [
  { store: 'admin', file: adminFile, fault: await faultIn(checkAdmin) },
  ...(await checkEngine(first)),
]
for (const paths of engines) checks.push(...(await checkEngine(paths)))
parentPort?.postMessage(checks)

async function checkEngine(paths: Omit<EngineStorePaths, 'engine'> & { engine?: string }) {
  const { engine, samplesFile, embedded } = paths
  const found: OwnStoreCheck[] = []
  if (embedded !== undefined) {
    const { journalFile, ordersFile } = embedded
    const journal = await faultIn(() => checkJournal(embedded))
    const orders = await faultIn(() => checkPages(ordersFile))
    found.push({ store: 'journal', engine, file: journalFile, fault: journal })
    found.push({ store: 'orders', engine, file: ordersFile, fault: orders })
  }
  const samples = await faultIn(() => checkPages(samplesFile))
  return [...found, { store: 'samples' as const, engine, file: samplesFile, fault: samples }]
}

async function faultIn(check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check()
    return undefined
  } catch (fault) {
    return fault instanceof Error ? fault.message : String(fault)
  }
}

async function checkPages(file: string, migrations?: Migrations): Promise<void> {
  if (!existsSync(file)) throw new Error(`${file} is missing.`)
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const found = findDamage(database)
    if (found !== undefined) throw new Error(`${file} is damaged (${found}).`)
    const foreign = await findForeignEntry(database, migrations)
    if (foreign !== undefined)
      throw new Error(
        `${file} has ${foreign}, which Binnacle does not create. Remove it, or use another backup.`,
      )
  } finally {
    database.close()
  }
}

/** Damage in the schema is thrown by the check itself. */
function findDamage(database: DatabaseSync): string | undefined {
  try {
    const found = String(database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check)
    return found === 'ok' ? undefined : found
  } catch (fault) {
    return fault instanceof Error ? fault.message : String(fault)
  }
}

async function checkAdmin(): Promise<void> {
  await checkPages(adminFile, adminMigrations(secretBoxBeside(':memory:')))
  const database = new DatabaseSync(adminFile, { readOnly: true })
  try {
    const fault = findSettingFault(database)
    if (fault !== undefined) throw new Error(fault)
  } finally {
    database.close()
  }
}

async function checkJournal({ journalFile, archiveFolder }: EmbeddedPaths): Promise<void> {
  await checkPages(journalFile)
  const reader = openJournalReader({ file: journalFile, archiveFolder })
  try {
    // Each entry is verified as it is read.
    for await (const _ of reader.entriesAfter(seqFrom(0)));
  } finally {
    reader.close()
  }
}
