import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BUILT_IN_KINDS,
  changeOf,
  createHardState,
  createSimulatedVenue,
  createViews,
  DEFAULT_LIMITS,
  type Desk,
  decodeEntries,
  standardInstruments,
} from '@binnacle/engine'
import { aQuote, createManualClock, START } from '@binnacle/engine/testkit'
import { DESK_CASES } from '@binnacle/nautilus/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJournalReader } from '#storage/journal/journal-store.ts'
import { openOrderHistoryReader } from '#storage/orders/order-history.ts'
import { ChangeListeners } from './change-listeners.ts'
import { pathsIn } from './embedded-desk.ts'
import { readOrderTimeline } from './order-timeline.ts'
import { openPersistentDesk, type PersistentDesk } from './persistent-desk.ts'

let folder: string
let persistent: PersistentDesk
let stop: () => void

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'desk-cases-'))
})

afterEach(async () => {
  stop()
  await persistent.close()
  await rm(folder, { recursive: true })
})

/** The embedded desk on files, with a market that the test moves. */
async function openSubject() {
  const instruments = standardInstruments()
  const clock = createManualClock(START)
  const paths = pathsIn({ at: (...parts) => join(folder, ...parts) })
  const views = createViews(instruments, createHardState())
  const changes = new ChangeListeners((fault) => expect.fail(String(fault)))
  persistent = await openPersistentDesk({
    paths,
    instruments,
    clock,
    venue: createSimulatedVenue({ instruments }),
    onEntries(text) {
      for (const entry of decodeEntries(text)) {
        views.apply(entry)
        changes.publish(() => changeOf(entry, views))
      }
      changes.resolveNext()
    },
  })
  const { desk: running, projection } = persistent
  const reader = openJournalReader({ file: paths.journalFile, archiveFolder: paths.archiveFolder })
  const past = openOrderHistoryReader(paths.ordersFile)
  stop = () => {
    reader.close()
    past.close()
  }
  const desk: Desk = {
    submit: (command, sender) => running.submit(command, sender),
    preview: (order) => running.preview(order),
    views: views,
    orderTimeline: (order) => readOrderTimeline(reader, order, instruments, Number.POSITIVE_INFINITY),
    get orderHistory() {
      projection.flush()
      return past
    },
    kinds: BUILT_IN_KINDS,
    onChange: (listener) => changes.add(listener),
    changed: () => changes.next(),
    onTrades: () => () => {},
  }
  const instrument = 'BTCUSDT-PERP'
  const quote = async (bid: number) => {
    clock.advance(1_000)
    running.accept(aQuote(instruments, { instrument, bid, at: clock.now() }))
    await running.idle()
    views.refresh(running.computeLiveFigures())
  }
  const venues = ['BINANCE', 'BYBIT', 'OKX'] as const
  await desk.submit({ type: 'OpenDesk', cash: 100_000, limits: DEFAULT_LIMITS, venues })
  await running.idle()
  await quote(50_000)
  return { desk, instrument, venue: 'BINANCE', quote, isEmbedded: true }
}

test.each(DESK_CASES)('[NAUT-86] over the embedded engine $title', async ({ run }) => {
  await run(await openSubject())
})
