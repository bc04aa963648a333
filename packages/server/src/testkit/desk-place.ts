import { join } from 'node:path'
import type { DeskPlace } from '#runtime/desk-protocol.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Where a desk of a test keeps what it keeps. */
export function deskPlace(folder = temporaryFolder()): DeskPlace {
  return {
    journalFile: join(folder, 'journal.sqlite'),
    archiveFolder: join(folder, 'journal-archive'),
    ordersFile: join(folder, 'orders.sqlite'),
    marketFile: join(folder, 'market.json'),
    barsFile: join(folder, 'recent-bars.json'),
    strategiesFolder: join(folder, 'strategies'),
  }
}
