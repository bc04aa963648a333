import type { Journal } from '#journal/journal.ts'
import type { Event } from '#model/event.ts'
import { ENTRY_VERSION, type JournalEntry } from '#model/journal-entry.ts'
import type { Limits } from '#model/risk.ts'
import { assert } from '#values/bug.ts'
import { idFrom, NO_SEQ, type OrderId, type PositionId, seqFrom } from '#values/ids.ts'
import { instantFromMs } from '#values/instant.ts'
import { moneyFromUnits } from '#values/money.ts'

/** One guarantee of the Journal port; the tests of every implementation run all of them. */
export interface JournalCase {
  readonly title: string
  run(create: () => Promise<Journal>): Promise<void>
}

/** The conformance suite of the Journal port. */
export const JOURNAL_CASES: readonly JournalCase[] = [
  {
    title: 'a new journal is empty and has no snapshot',
    async run(create) {
      const journal = await create()
      assert((await read(journal)).length === 0, 'it holds entries')
      assert((await journal.latestSnapshot()) === null, 'it holds a snapshot')
    },
  },
  {
    title: 'what was appended is read back in order and equal, money included',
    async run(create) {
      const journal = await create()
      await journal.append([anEntry(1), anEntry(2)])
      await journal.append([anEntry(3)])
      assert(print(await read(journal)) === print([anEntry(1), anEntry(2), anEntry(3)]), 'it reads otherwise')
    },
  },
  {
    title: 'reading begins after the entry that is named',
    async run(create) {
      const journal = await create()
      await journal.append([anEntry(1), anEntry(2), anEntry(3)])
      assert(print(await read(journal, 2)) === print([anEntry(3)]), 'it begins elsewhere')
      assert((await read(journal, 3)).length === 0, 'it goes on after the end')
    },
  },
  {
    title: 'an entry out of turn is refused and nothing of its group is kept',
    async run(create) {
      const journal = await create()
      await journal.append([anEntry(1)])
      const refused = await journal.append([anEntry(2), anEntry(4)]).then(
        () => false,
        () => true,
      )
      assert(refused, 'a gap was accepted')
      assert((await read(journal)).length === 1, 'half a group was kept')
      await journal.append([anEntry(2)])
    },
  },
  {
    title: 'the latest snapshot is the one that comes back',
    async run(create) {
      const journal = await create()
      await journal.append([anEntry(1), anEntry(2)])
      await journal.saveSnapshot({ seq: seqFrom(1), text: 'one' })
      await journal.saveSnapshot({ seq: seqFrom(2), text: 'two' })
      assert((await journal.latestSnapshot())?.text === 'two', 'another came back')
    },
  },
]

/** Returns an entry with events of several shapes. */
export function anEntry(number: number): JournalEntry {
  const orderId = idFrom<OrderId>(`O-${number}`)
  const events: Event[] = [
    { type: 'OrderCancelled', orderId, cause: { code: 'cancel.asked' } },
    { type: 'HighWaterRaised', equity: moneyFromUnits(BigInt(number) * 10n ** 20n) },
    { type: 'ComponentConfigured', component: 'Cache', config: `{"cash":"${number}"}` },
    { type: 'StrategyReconfigured', strategy: idFrom('S-1'), config: '{"$money":"1"}', before: '{}' },
    { type: 'LimitsChanged', limits: limitsOf(BigInt(number) + 1n), before: limitsOf(BigInt(number)) },
  ]
  const position = idFrom<PositionId>(`P-${number}`)
  const origin = { action: 'positions.close', role: 'trader', address: '::1', position }
  const at = instantFromMs(1_767_614_400_000 + number)
  const asked = { by: 'someone', requestId: `r-${number}`, origin }
  return { seq: seqFrom(number), at, version: ENTRY_VERSION, ...asked, events }
}

function limitsOf(units: bigint): Limits {
  return {
    maxOrderSize: moneyFromUnits(units),
    maxPositionSize: moneyFromUnits(units),
    maxDailyLoss: moneyFromUnits(0n),
    maxPositions: 3,
  }
}

async function read(journal: Journal, after: number = NO_SEQ): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = []
  for await (const entry of journal.entriesAfter(seqFrom(after))) entries.push(entry)
  return entries
}

function print(entries: readonly JournalEntry[]): string {
  return JSON.stringify(entries.map(inFixedOrder), (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
}

/** Stores may return an entry's fields in another order. */
function inFixedOrder({ seq: number, at, version, by, requestId, origin, events }: JournalEntry): unknown {
  return [number, at, version, by, requestId, origin, events]
}
