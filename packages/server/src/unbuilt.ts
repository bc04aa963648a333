import { allCalls } from '@binnacle/contract'
import { pino } from 'pino'
import { createApps } from '#apps.ts'
import { mountedOn } from '#http/mount.ts'
import type { SettingsStore } from '#storage/admin-store.ts'

/** The ids of the contract's calls that still answer 501, in the order of the table. */
export function listUnbuilt(): string[] {
  const apps = createApps({ logger: pino({ enabled: false }), settings: NO_SETTINGS })
  const unbuilt = allCalls().filter(({ app, endpoint }) => mountedOn(apps[app]).get(endpoint) === 'unbuilt')
  return unbuilt.map(({ app, id }) => `${app} ${id}`)
}

/** Composing the apps calls no handler. */
const NO_SETTINGS: SettingsStore = { list: async () => [], update: async () => false }
