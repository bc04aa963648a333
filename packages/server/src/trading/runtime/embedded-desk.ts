import type { BarColumns, LinkSettings, VenueId } from '@binnacle/engine'
import { writeStarterFiles } from '@binnacle/sandbox'
import type { FastifyBaseLogger } from 'fastify'
import { StartRefusal } from '#config/start-refusal.ts'
import type { DataFolder } from '#storage/data-folder.ts'
import { type DeskClient, startDeskClient } from './desk-client.ts'
import type { DeskPaths } from './desk-protocol.ts'

export interface EmbeddedDeskOptions {
  paths: DeskPaths
  logger: FastifyBaseLogger
  daily?: readonly BarColumns[]
  linkSettings?: ReadonlyMap<VenueId, LinkSettings>
}

/** Opens the embedded desk on the data folder; a journal that cannot be trusted ends the start. */
export async function openEmbeddedDesk(options: EmbeddedDeskOptions): Promise<DeskClient> {
  const { paths } = options
  writeStarterFiles(paths.strategiesFolder)
  const seed = Date.now() % 2 ** 31
  return startDeskClient({ ...options, seed }).catch((fault) => {
    throw describeStartFailure(fault, paths)
  })
}

/** Says what kept the engine thread from starting. Of an error that crosses threads only name, message and code are left. */
export function describeStartFailure(
  { name, message, code = '' }: Error & { code?: string },
  { journalFile }: DeskPaths,
): StartRefusal {
  if (name === 'StartRefusal') return new StartRefusal(message)
  if (/^(journal|snapshot)\./.test(code) || code === 'ERR_SQLITE_ERROR') {
    return new StartRefusal(
      `The trading journal ${journalFile} cannot be used: ${message}. Restore the data folder from a backup, or set BINNACLE_DATA to another folder.`,
    )
  }
  return new StartRefusal(
    `The engine did not start: ${message}. The whole error is in logs/server.log of the data folder, with the event engine.died.`,
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
