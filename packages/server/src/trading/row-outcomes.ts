import type { RowOutcomes, RowScope } from '@binnacle/contract'
import { Refused } from '#http/problems.ts'
import { Unconfirmed } from '#http/unconfirmed.ts'

type RowOutcome = RowOutcomes['rows'][number]

interface Row {
  readonly id: string
  readonly instrument: string
  readonly strategy: string
}

export function isInScope({ instrument, strategy }: Row, scope: RowScope): boolean {
  const { instrument: onlyInstrument = instrument, strategy: onlyStrategy = strategy } = scope
  return instrument === onlyInstrument && strategy === onlyStrategy
}

/** The outcome of one row, from what the call for that row alone would have answered. */
export function rowOutcome(
  { id, instrument }: Row,
  reply: { message: string } | Refused | Unconfirmed,
): RowOutcome {
  if (reply instanceof Refused) return { id, instrument, outcome: 'refused', message: reply.detail }
  const outcome = reply instanceof Unconfirmed ? 'requested' : 'done'
  return { id, instrument, outcome, message: reply.message }
}

interface OutcomeWords {
  readonly none: string
  readonly one: string
  readonly many: string
  /** The past participle of what was done. */
  readonly done: string
}

/** CALL-49: what was requested is never counted as done. */
export function rowOutcomesToWire(rows: RowOutcome[], words: OutcomeWords): RowOutcomes {
  const count = (outcome: RowOutcome['outcome']) => rows.filter((row) => row.outcome === outcome).length
  const [done, requested, refused] = [count('done'), count('requested'), count('refused')]
  const parts = [
    `${done} of ${rows.length} ${rows.length === 1 ? words.one : words.many} ${words.done}.`,
    requested > 0 ? `${requested} requested and not confirmed yet.` : '',
    refused > 0 ? `${refused} not ${words.done}.` : '',
  ]
  return { message: rows.length === 0 ? words.none : parts.filter(Boolean).join(' '), rows }
}
