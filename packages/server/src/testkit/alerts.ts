import type { AtEnd } from '@binnacle/stores/testkit'
import { type Alerts, openAlerts } from '#services/alerts/alerts.ts'
import { createOutbound } from '#services/outbound/outbound.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { createDeskFigures } from '#trading/alert-figures.ts'
import type { InMemoryDesk } from './in-memory-desk.ts'

/** Alerts over a desk in memory, evaluated only when a test says so, without recorded bars. */
export async function newAlerts(store: AdminStore, desk: InMemoryDesk, atEnd: AtEnd): Promise<Alerts> {
  const alerts = await openAlerts({
    store: store.alerts,
    sources: [createDeskFigures(desk)],
    outbound: createOutbound({ allowedHosts: [] }),
    isManual: true,
    bars: async () => [],
  })
  atEnd(() => alerts.close(10_000))
  return alerts
}
