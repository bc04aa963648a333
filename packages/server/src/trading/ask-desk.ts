import type { Asker, Command, Desk, Outcome } from '@binnacle/engine'
import type { Act } from '#audit/act.ts'
import { Refused } from '#http/problems.ts'
import { refusalToWire } from './refusal.wire.ts'

export type Accepted = Extract<Outcome, { ok: true }>

/**
 * Submits a command for the one who acts. The journal entry it leads to is its audit line,
 * which the audit log tells a moment later. When the engine's thread
 * dies meanwhile nobody knows what became of it, and the answer says so.
 */
export async function askDesk(desk: Desk, command: Command, act: Act): Promise<Accepted | Refused> {
  const outcome = await desk.submit(command, askerOf(command, act)).catch(() => undefined)
  if (outcome === undefined) return new Refused('engine.unknown', UNKNOWN)
  return outcome.ok ? outcome : refusalToWire(outcome.reason)
}

function askerOf(command: Command, { actor, requestId, action, role, address }: Act): Asker {
  const closes = command.type === 'ClosePosition' ? { position: command.positionId } : {}
  return {
    by: actor,
    ...(requestId !== null && { requestId }),
    origin: { action, role, address, ...closes },
  }
}

const UNKNOWN =
  'The engine stopped before it could answer, so it is unknown whether the command was carried out. Send it again with the same Idempotency-Key, or look at the lists first.'
