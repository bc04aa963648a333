import type { Command, Desk, Outcome } from '@binnacle/engine'
import type { Act } from '#audit/act.ts'
import { Refused } from '#http/problems.ts'
import { refusalToWire } from './refusal.wire.ts'

export type Accepted = Extract<Outcome, { ok: true }>

/**
 * Submits a command for the one who acts. The journal entry it leads to is its audit line. When the engine's thread
 * dies meanwhile nobody knows what became of it, and the answer says so.
 */
export async function askDesk(desk: Desk, command: Command, act: Act): Promise<Accepted | Refused> {
  const asker = { by: act.actor, ...(act.requestId !== null && { requestId: act.requestId }) }
  const outcome = await desk.submit(command, asker).catch(() => undefined)
  if (outcome === undefined) return new Refused('engine.unknown', UNKNOWN)
  return outcome.ok ? outcome : refusalToWire(outcome.reason)
}

const UNKNOWN =
  'The engine stopped before it could answer, so it is unknown whether the command was carried out. Send it again with the same Idempotency-Key, or look at the lists first.'
