import type { Act } from '#audit/act.ts'
import type { AdminDb, Flag } from './admin-tables.ts'
import { type Audited, done } from './audited.ts'

/** Which of our own calls are switched off. Asked on every request, so it is answered from memory. */
export interface SwitchesStore {
  isOff(callId: string): boolean
  /** In force for the next request when it returns, and after a restart. */
  set(act: Act, call: SwitchedCall, isActive: Flag): Promise<void>
}

export interface SwitchedCall {
  id: string
  /** Under which id the call is listed as a route. */
  routeId: string
  method: string
  path: string
}

export async function openSwitchesStore(db: AdminDb, audited: Audited): Promise<SwitchesStore> {
  const rows = await db.selectFrom('disabled_calls').select('call_id').execute()
  const off = new Set(rows.map(({ call_id }) => call_id))
  // Transactions run one by one, so the turn taken inside one orders what is done after their commits.
  let turns = 0
  const lastTurn = new Map<string, number>()

  return {
    isOff: (callId) => off.has(callId),
    async set(act, { id, routeId, method, path }, isActive) {
      const outcome = await audited(act, async (tx) => {
        turns += 1
        const turn = turns
        const deleted = await tx.deleteFrom('disabled_calls').where('call_id', '=', id).executeTakeFirst()
        if (isActive === 0) await tx.insertInto('disabled_calls').values({ call_id: id }).execute()
        const wasActive = deleted.numDeletedRows > 0n ? 0 : 1
        const stateOf = (is_active: Flag) => ({ method, path, is_active })
        const deed = {
          entity: 'route',
          target: routeId,
          before: stateOf(wasActive),
          after: stateOf(isActive),
        }
        return done(turn, deed)
      })
      if (!outcome.ok || outcome.value < (lastTurn.get(id) ?? 0)) return
      lastTurn.set(id, outcome.value)
      if (isActive === 0) off.add(id)
      else off.delete(id)
    },
  }
}
