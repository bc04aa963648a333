import type { AdminDb, ServiceProbeRow } from './admin-tables.ts'

/** The latest probes of each service. They are soft: nothing depends on them, so they are not audited. */
export interface ProbesStore {
  /** Adds probes and deletes those beyond the last of each service. */
  record(probes: readonly ServiceProbeRow[]): Promise<void>
  /** By service, oldest first. */
  recent(): Promise<ReadonlyMap<number, readonly ServiceProbeRow[]>>
}

/** API-37 */
const MAX_PROBES_PER_SERVICE = 50

export function createProbesStore(db: AdminDb): ProbesStore {
  return {
    async record(probes) {
      if (probes.length === 0) return
      await db.transaction().execute(async (tx) => {
        // A service may have been deleted while it was probed.
        const known = await tx.selectFrom('services').select('id').execute()
        const ids = new Set(known.map(({ id }) => id))
        const rows = probes.filter(({ service_id }) => ids.has(service_id))
        if (rows.length > 0)
          await tx
            .insertInto('service_probes')
            .values([...rows])
            .execute()
        for (const { service_id } of rows) {
          const latest = tx
            .selectFrom('service_probes')
            .select('id')
            .where('service_id', '=', service_id)
            .orderBy('id', 'desc')
            .limit(MAX_PROBES_PER_SERVICE)
          await tx
            .deleteFrom('service_probes')
            .where('service_id', '=', service_id)
            .where('id', 'not in', latest)
            .execute()
        }
      })
    },
    async recent() {
      const rows = await db.selectFrom('service_probes').selectAll().orderBy('id').execute()
      return Map.groupBy(rows, ({ service_id }) => service_id)
    },
  }
}
