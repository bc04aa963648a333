import {
  createHardState,
  type Event,
  encodeSnapshot,
  fold,
  type JournalEntry,
  NO_SEQ,
  recover,
} from '@binnacle/engine'
import { openJournalStore } from '@binnacle/server'
import { placeIn } from '../busy-desk.ts'
import { checkAuditLog } from './audit-check.ts'
import type { Model } from './model.ts'

export interface JournalFigures {
  entries: number
  archived: number
  fills: number
  /** Changes that the audit log records. */
  audited: number
}

/** Reads the journal of a stopped server from its first entry and holds it against itself. */
export async function checkJournal(dataFolder: string, model: Model): Promise<JournalFigures> {
  const { journalFile: file, archiveFolder } = placeIn(dataFolder)
  const journal = openJournalStore({ file, archiveFolder })
  const entries: JournalEntry[] = []
  for await (const entry of journal.entriesAfter(NO_SEQ)) entries.push(entry)
  const events = entries.flatMap((entry) => entry.events)
  const whole = fold(createHardState(), entries)
  const short = await recover(journal)
  if (encodeSnapshot(whole).text !== encodeSnapshot(short).text) {
    model.wrong.push('the last snapshot and what follows do not make what all entries make')
  }
  const fills = events.filter((event) => event.type === 'OrderFilled')
  const names = new Set(fills.map(({ orderId, fill }) => `${orderId}/${fill}`))
  if (names.size !== fills.length) model.wrong.push(`${fills.length - names.size} fills are there twice`)
  if (cashOf(events) !== BigInt(whole.account.cash))
    model.wrong.push('cash is not what the fills leave of the deposit')
  const archived = journal.base().seq
  journal.close()
  const audited = checkAuditLog(dataFolder, entries, model)
  return { entries: entries.length, archived, fills: fills.length, audited }
}

/** The deposit, less what was bought, plus what was sold, less fees, plus funding: to the last unit. */
function cashOf(events: readonly Event[]): bigint {
  const bought = new Set<string>()
  let cash = 0n
  for (const event of events) {
    if (event.type === 'OrderSubmitted' && event.terms.side === 'BUY') bought.add(event.orderId)
    cash += cashFlow(event, bought)
  }
  return cash
}

function cashFlow(event: Event, bought: ReadonlySet<string>): bigint {
  switch (event.type) {
    case 'DeskOpened':
      return BigInt(event.cash)
    case 'OrderFilled':
      return BigInt(event.notional) * (bought.has(event.orderId) ? -1n : 1n) - BigInt(event.fee)
    case 'FundingPaid':
      return BigInt(event.amount)
    default:
      return 0n
  }
}
