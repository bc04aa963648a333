import { type AcceptedOutcome, type Command, type CommandSender, type Desk, Fault } from '@binnacle/engine'
import { Refused } from '#http/problems.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import { refusalToWire } from './refusal.wire.ts'

/**
 * Submits a command with its sender. Its journal entry is copied to the audit log later (0010). If the engine thread
 * fails meanwhile, the outcome is unknown and the reply says so.
 */
export async function submitCommand(
  desk: Desk,
  command: Command,
  audit: AuditContext,
): Promise<AcceptedOutcome | Refused> {
  try {
    const outcome = await desk.submit(command, senderOf(command, audit))
    return outcome.ok ? outcome : refusalToWire(outcome.reason)
  } catch (error) {
    if (error instanceof Fault) return new Refused('engine.unknown', OUTCOME_UNKNOWN)
    throw error
  }
}

function senderOf(
  command: Command,
  { actor, requestId, action, role, address }: AuditContext,
): CommandSender {
  const closes = command.type === 'ClosePosition' ? { position: command.positionId } : {}
  return {
    by: actor,
    ...(requestId !== null && { requestId }),
    origin: { action, role, address, ...closes },
  }
}

const OUTCOME_UNKNOWN =
  'The engine stopped before it answered: the command may or may not have been carried out. Check the lists, or send it again with the same Idempotency-Key.'
