import type { AuditContext } from '#storage/audit/audit-context.ts'
import type { AdminDb, Flag } from './admin-tables.ts'
import { type Audited, done } from './audited.ts'

/** Switched-off calls of this server, cached in memory because every request checks them. */
export interface SwitchesStore {
  isOff(callId: string): boolean
  /** Effective for the next request after it resolves, and after a restart. */
  set(audit: AuditContext, call: CallSwitch, isActive: Flag): Promise<void>
}

export interface CallSwitch {
  id: string
  /** The call's id in the list of routes. */
  routeId: string
  method: string
  path: string
}

export async function openSwitchesStore(db: AdminDb, audited: Audited): Promise<SwitchesStore> {
  const rows = await db.selectFrom('disabled_calls').select('call_id').execute()
  const off = new Set(rows.map(({ call_id }) => call_id))
  // Transactions run one at a time; a sequence number taken inside orders the cache updates after their commits.
  let lastSequence = 0
  const appliedSequence = new Map<string, number>()

  return {
    isOff: (callId) => off.has(callId),
    async set(audit, { id, routeId, method, path }, isActive) {
      const outcome = await audited(audit, async (tx) => {
        lastSequence += 1
        const sequence = lastSequence
        const deleted = await tx.deleteFrom('disabled_calls').where('call_id', '=', id).executeTakeFirst()
        if (isActive === 0) await tx.insertInto('disabled_calls').values({ call_id: id }).execute()
        const wasActive = deleted.numDeletedRows > 0n ? 0 : 1
        const stateOf = (is_active: Flag) => ({ method, path, is_active })
        const change = {
          entity: 'route',
          target: routeId,
          before: stateOf(wasActive),
          after: stateOf(isActive),
        }
        return done(sequence, change)
      })
      if (!outcome.ok || outcome.value < (appliedSequence.get(id) ?? 0)) return
      appliedSequence.set(id, outcome.value)
      if (isActive === 0) off.add(id)
      else off.delete(id)
    },
  }
}
