import {
  createEngine,
  createMemoryJournal,
  createSimulatedVenue,
  DEFAULT_LIMITS,
  openDesk,
  type RunningDesk,
  standardInstruments,
} from '@binnacle/engine'
import type { DeskHost } from './desk-host.ts'
import { wallClock } from './wall-clock.ts'

/** A desk in this thread that forgets: for checks and tests that bring their own market, or need none. */
export interface IdleDesk extends DeskHost {
  readonly accept: RunningDesk['accept']
}

export async function openIdleDesk(): Promise<IdleDesk> {
  const instruments = standardInstruments()
  const desk = await openDesk({
    instruments,
    createEngine: (state) => createEngine({ instruments, state }),
    clock: wallClock,
    venue: createSimulatedVenue({ instruments }),
    journal: createMemoryJournal(),
  })
  const venues = ['BINANCE', 'BYBIT', 'OKX'] as const
  await desk.submit({ type: 'OpenDesk', cash: 100_000, limits: DEFAULT_LIMITS, venues })
  return {
    submit: (command, asker) => desk.submit(command, asker),
    entriesAfter: (seq) => desk.entriesAfter(seq),
    accept: (input) => desk.accept(input),
    get views() {
      return desk.views
    },
    get haltedBecause() {
      return desk.haltedBecause
    },
    close: async () => desk.close(),
  }
}
