import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allCalls } from '@binnacle/contract'
import { pino } from 'pino'
import { createApps } from '#apps.ts'
import { openBackOffice } from '#back-office.ts'
import { openBacktests } from '#backtests/backtests.ts'
import { openDatabaseService } from '#database/database-service.ts'
import { mountedOn } from '#http/mount.ts'
import { openIdleDesk } from '#runtime/idle-desk.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { openUpkeep } from '#upkeep.ts'

const NO_BARS = { count: nothing, spanOf: nothing }

/** The ids of the contract's calls that still answer 501, in the order of the table. */
export async function listUnbuilt(): Promise<string[]> {
  const store = await openAdminStore(':memory:')
  const desk = await openIdleDesk()
  const dataFolder = mkdtempSync(join(tmpdir(), 'binnacle-unbuilt-'))
  const database = openDatabaseService({ store, dataFolder })
  const apps = createApps({
    logger: pino({ enabled: false }),
    ...openBackOffice({ store, urlOf: () => 'http://localhost' }),
    database,
    upkeep: await openUpkeep({ folder: join(dataFolder, 'backups'), store, database }),
    backtests: openBacktests({
      store: store.backtests,
      recorded: { ...NO_BARS, folder: dataFolder },
      strategiesFolder: dataFolder,
    }),
    desk,
    traderId: '',
  })
  const unbuilt = allCalls().filter(({ app, endpoint }) => mountedOn(apps[app]).get(endpoint) === 'unbuilt')
  await store.close()
  rmSync(dataFolder, { recursive: true })
  return unbuilt.map(({ app, id }) => `${app} ${id}`)
}

/** Nothing is asked of it: only what is mounted counts here. */
function nothing(): Promise<never> {
  return Promise.reject(new Error('There is no catalog'))
}
