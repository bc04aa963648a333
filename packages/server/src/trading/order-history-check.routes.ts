import { setTimeout as wait } from 'node:timers/promises'
import { type OrderHistoryCheck, orderHistory } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import type { HistoryCheck } from '#trading/runtime/history-check.ts'

/** Clients wait 30 s; a longer check goes on, and its result is read later. */
const MAX_WAIT_MS = 20_000

export function addOrderHistoryCheckRoutes(app: FastifyInstance, check: HistoryCheck): void {
  mount(app, orderHistory.check, () => checkToWire(check))
  mount(app, orderHistory.verify, async () => {
    await Promise.race([check.run(), wait(MAX_WAIT_MS, undefined, { ref: false })])
    return checkToWire(check)
  })
}

const NOTHING = {
  checked_at: null,
  journal_seq: null,
  orders: null,
  fills: null,
  closed_positions: null,
  keys: null,
  differences: null,
  duration_ms: null,
}

function checkToWire({ last, isRunning }: HistoryCheck): OrderHistoryCheck {
  if (last === null) return { ...NOTHING, state: 'unchecked', is_running: isRunning }
  const checked_at = last.at.toISOString()
  if (!last.ok) return { ...NOTHING, state: 'failed', is_running: isRunning, checked_at, detail: last.why }
  return {
    state: last.differences === 0 ? 'intact' : 'repaired',
    is_running: isRunning,
    checked_at,
    journal_seq: last.seq,
    orders: last.orders,
    fills: last.fills,
    closed_positions: last.closedPositions,
    keys: last.keys,
    differences: last.differences,
    duration_ms: last.durationMs,
  }
}
