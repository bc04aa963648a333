import type { BarColumns } from '@binnacle/engine'
import type { FastifyBaseLogger } from 'fastify'
import { StartRefusal } from '#start-refusal.ts'
import type { DataFolder } from '#storage/data-folder.ts'
import { layOutStrategies } from './custom/starter-files.ts'
import { type EmbeddedDesk, startDeskHost } from './desk-host.ts'
import type { DeskPlace } from './desk-protocol.ts'

/** Opens the embedded desk on the data folder; a journal that cannot be trusted ends the start. */
export async function openDesk(
  folder: DataFolder,
  logger: FastifyBaseLogger,
  daily: readonly BarColumns[] = [],
): Promise<EmbeddedDesk> {
  const place = placeIn(folder)
  layOutStrategies(place.strategiesFolder)
  return startDeskHost({ place, seed: Date.now() % 2 ** 31, logger, daily }).catch((fault: Error) => {
    throw new StartRefusal(
      `The trading journal ${place.journalFile} cannot be used: ${fault.message}. Restore the data folder from a backup, or set BINNACLE_DATA to another folder.`,
    )
  })
}

function placeIn(folder: DataFolder): DeskPlace {
  return {
    journalFile: folder.at('journal.sqlite'),
    archiveFolder: folder.at('journal-archive'),
    ordersFile: folder.at('orders.sqlite'),
    marketFile: folder.at('market.json'),
    barsFile: folder.at('recent-bars.json'),
    strategiesFolder: folder.at('strategies'),
  }
}
