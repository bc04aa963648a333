import { join } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import type { DeskPaths } from '#trading/runtime/desk-protocol.ts'

/** Where a desk of a test keeps what it keeps. */
export function deskPaths(folder = temporaryFolder()): DeskPaths {
  return {
    journalFile: join(folder, 'journal.sqlite'),
    archiveFolder: join(folder, 'journal-archive'),
    ordersFile: join(folder, 'orders.sqlite'),
    marketFile: join(folder, 'market.json'),
    barsFile: join(folder, 'recent-bars.json'),
    strategiesFolder: join(folder, 'strategies'),
  }
}
