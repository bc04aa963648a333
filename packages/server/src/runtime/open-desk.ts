import type { FastifyBaseLogger } from 'fastify'
import { StartRefusal } from '#start-refusal.ts'
import type { DataFolder } from '#storage/data-folder.ts'
import { openJournalReader } from '#storage/journal/journal-store.ts'
import { type DeskHost, startDeskHost } from './desk-host.ts'

/** Opens the embedded desk on the data folder; a journal that cannot be trusted ends the start. */
export async function openDesk(folder: DataFolder, logger: FastifyBaseLogger): Promise<DeskHost> {
  const journalFile = folder.at('journal.sqlite')
  const options = { journalFile, marketFile: folder.at('market.json'), seed: Date.now() % 2 ** 31, logger }
  return startDeskHost({ ...options, openReader: () => openJournalReader(journalFile) }).catch(
    (fault: Error) => {
      throw new StartRefusal(
        `The trading journal ${journalFile} cannot be used: ${fault.message}. Restore the data folder from a backup, or set BINNACLE_DATA to another folder.`,
      )
    },
  )
}
