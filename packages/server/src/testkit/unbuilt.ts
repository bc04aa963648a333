import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allCalls } from '@binnacle/contract'
import { pino } from 'pino'
import { openAdminServices } from '#admin/admin-services.ts'
import { openDatabaseService } from '#databases/database-service.ts'
import { openMaintenanceServices } from '#databases/maintenance-services.ts'
import { mountedOn } from '#http/mount.ts'
import { createApps } from '#server.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { createSamples } from '#storage/samples/samples.ts'
import { openSamplesStore } from '#storage/samples/samples-store.ts'
import { openBacktests } from '#trading/backtests/backtests.ts'
import { openInMemoryDesk } from './in-memory-desk.ts'

const NO_BARS = { count: nothing, spanOf: nothing }

/** The ids of the contract's calls that still answer 501, in the order of the table. */
export async function listUnbuilt(): Promise<string[]> {
  const store = await openAdminStore(':memory:')
  const desk = await openInMemoryDesk()
  const dataFolder = mkdtempSync(join(tmpdir(), 'binnacle-unbuilt-'))
  const database = openDatabaseService({ store, dataFolder })
  const apps = createApps({
    logger: pino({ enabled: false }),
    ...openAdminServices({ store, urlOf: () => 'http://localhost' }),
    database,
    maintenanceServices: await openMaintenanceServices({
      folder: join(dataFolder, 'backups'),
      store,
      database,
    }),
    backtests: openBacktests({
      store: store.backtests,
      sweepsStore: store.sweeps,
      modulesStore: store.modules,
      recorded: { ...NO_BARS, folder: dataFolder },
      strategiesFolder: dataFolder,
    }),
    desk,
    samples: createSamples(openSamplesStore(':memory:')),
    traderId: '',
  })
  const unbuilt = allCalls().filter(({ app, endpoint }) => mountedOn(apps[app]).get(endpoint) === 'unbuilt')
  await store.close()
  rmSync(dataFolder, { recursive: true })
  return unbuilt.map(({ app, id }) => `${app} ${id}`)
}

/** Never called: only what is mounted counts here. */
function nothing(): Promise<never> {
  return Promise.reject(new Error('There is no catalog'))
}
