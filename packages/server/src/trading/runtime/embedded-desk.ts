import type { BarColumns, LinkSettings, VenueId } from '@binnacle/engine'
import { writeStarterFiles } from '@binnacle/sandbox'
import type { FastifyBaseLogger } from 'fastify'
import type { DataFolder } from '#storage/data-folder.ts'
import { StartRefusal } from '#storage/start-refusal.ts'
import { type DeskClient, startDeskClient } from './desk-client.ts'
import type { DeskPaths } from './desk-protocol.ts'

/** Opens the embedded desk on the data folder; a journal that cannot be trusted ends the start. */
export async function openEmbeddedDesk(
  paths: DeskPaths,
  logger: FastifyBaseLogger,
  daily: readonly BarColumns[] = [],
  linkSettings: ReadonlyMap<VenueId, LinkSettings> = new Map(),
): Promise<DeskClient> {
  writeStarterFiles(paths.strategiesFolder)
  return startDeskClient({ paths, seed: Date.now() % 2 ** 31, logger, daily, linkSettings }).catch(
    (fault: Error) => {
      throw new StartRefusal(
        `The trading journal ${paths.journalFile} cannot be used: ${fault.message}. Restore the data folder from a backup, or set BINNACLE_DATA to another folder.`,
      )
    },
  )
}

/** Where the desk has its files. */
export function pathsIn(folder: Pick<DataFolder, 'at'>): DeskPaths {
  return {
    journalFile: folder.at('journal.sqlite'),
    archiveFolder: folder.at('journal-archive'),
    ordersFile: folder.at('orders.sqlite'),
    marketFile: folder.at('market.json'),
    barsFile: folder.at('recent-bars.json'),
    strategiesFolder: folder.at('strategies'),
  }
}
