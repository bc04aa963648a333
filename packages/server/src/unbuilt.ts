import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allCalls } from '@binnacle/contract'
import { pino } from 'pino'
import { createApps } from '#apps.ts'
import { openBackOffice } from '#back-office.ts'
import { openDatabaseService } from '#database/database-service.ts'
import { mountedOn } from '#http/mount.ts'
import { openIdleDesk } from '#runtime/idle-desk.ts'
import { openAdminStore } from '#storage/admin-store.ts'

/** The ids of the contract's calls that still answer 501, in the order of the table. */
export async function listUnbuilt(): Promise<string[]> {
  const store = await openAdminStore(':memory:')
  const desk = await openIdleDesk()
  const dataFolder = mkdtempSync(join(tmpdir(), 'binnacle-unbuilt-'))
  const apps = createApps({
    logger: pino({ enabled: false }),
    ...openBackOffice({ store, urlOf: () => 'http://localhost' }),
    database: openDatabaseService({ store, dataFolder }),
    desk,
    traderId: '',
  })
  const unbuilt = allCalls().filter(({ app, endpoint }) => mountedOn(apps[app]).get(endpoint) === 'unbuilt')
  await store.close()
  rmSync(dataFolder, { recursive: true })
  return unbuilt.map(({ app, id }) => `${app} ${id}`)
}
