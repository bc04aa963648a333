import type { DeskPorts, RunningDesk } from '#desk.ts'
import { createEngine } from '#engine.ts'
import type { JournalEntry } from '#journal/entry.ts'
import type { Journal } from '#journal/journal.ts'
import { createMemoryJournal } from '#journal/memory-journal.ts'
import { standardInstruments } from '#market/instruments.ts'
import { openDesk } from '#native-desk.ts'
import { idFrom, type OrderId } from '#values/ids.ts'
import { createSimulatedVenue } from '#venue/simulated-venue.ts'
import type { Venue } from '#venue/venue.ts'
import { anOpenDesk, aQuote } from './builders.ts'
import { createManualClock, type ManualClock } from './clock.ts'

const instruments = standardInstruments()

/** What a desk of a test is made of, where it is not the usual. */
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
  const desk = await openDesk({
    instruments,
    createEngine: given ?? ((state) => createEngine({ instruments, state })),
    clock,
    venue: venue ?? createSimulatedVenue({ instruments }),
    journal,
    ...(onEntries && { onEntries }),
  })
  return { desk, clock, journal }
}

/** A desk that is open and has a market. */
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

/** Lets time pass until what is under way to venues is answered. */
export async function pass(desk: RunningDesk, clock: ManualClock): Promise<void> {
  for (const _ of ['there', 'back']) {
    clock.advance(100)
    desk.accept({ kind: 'timer', at: clock.now() })
  }
  await desk.idle()
}

/** The order as the desk shows it. */
export function theOrder(desk: RunningDesk, id = 'O-1') {
  return desk.views.order(idFrom<OrderId>(id))
}
