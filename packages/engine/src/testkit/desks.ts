import type { DeskPorts, RunningDesk } from '#desk.ts'
import { startDeskLoop } from '#desk-loop.ts'
import { createEngine } from '#engine.ts'
import type { Journal } from '#journal/journal.ts'
import { createMemoryJournal } from '#journal/memory-journal.ts'
import { standardInstruments } from '#market/instruments.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import { idFrom, type OrderId } from '#values/ids.ts'
import { createSimulatedVenue } from '#venue/simulated-venue.ts'
import type { Venue } from '#venue/venue.ts'
import { anOpenDesk, aQuote } from './builders.ts'
import { createManualClock, type ManualClock } from './clock.ts'

const instruments = standardInstruments()

/** Overrides for the desk of a test. */
export interface DeskSetting {
  journal?: Journal
  venue?: Venue
  onEntries?: (entries: readonly JournalEntry[]) => void
  createEngine?: DeskPorts['createEngine']
}

/** A desk that is not open yet, on a journal in memory. */
export async function aDesk({
  journal = createMemoryJournal(),
  venue,
  onEntries,
  createEngine: given,
}: DeskSetting = {}) {
  const clock = createManualClock()
  const desk = await startDeskLoop({
    instruments,
    createEngine: given ?? ((state) => createEngine({ instruments, state })),
    clock,
    venue: venue ?? createSimulatedVenue({ instruments }),
    journal,
    ...(onEntries && { onEntries }),
  })
  return { desk, clock, journal }
}

/** An open desk with a quote. */
export async function anOpenedDesk(setting: DeskSetting = {}) {
  const opened = await aDesk(setting)
  await opened.desk.submit(anOpenDesk())
  opened.desk.accept(aQuote(instruments))
  return opened
}

/** A desk whose venues are a tenth of a second away. */
export async function aFarDesk(setting: DeskSetting = {}) {
  const latency = { outboundMs: () => 100, inboundMs: () => 100 }
  const far = await aDesk({ ...setting, venue: createSimulatedVenue({ instruments, latency }) })
  await far.desk.submit(anOpenDesk())
  await pass(far.desk, far.clock)
  far.desk.accept(aQuote(instruments, { at: far.clock.now() }))
  return far
}

/** Advances time until requests in transit are answered. */
export async function pass(desk: RunningDesk, clock: ManualClock): Promise<void> {
  for (const _ of ['there', 'back']) {
    clock.advance(100)
    desk.accept({ kind: 'timer', at: clock.now() })
  }
  await desk.idle()
}

/** The order as the desk shows it. */
export function theOrder(desk: RunningDesk, id = 'O-1') {
  return desk.readViews().order(idFrom<OrderId>(id))
}
