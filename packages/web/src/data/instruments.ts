import { type Instrument, instruments } from '@binnacle/contract'
import { call } from './client.ts'
import { type StaticList, useStaticList } from './load.ts'

const tradable: StaticList<Instrument> = {
  key: 'instruments',
  load: async (signal) => (await call(instruments.list, {}, { signal })).instruments,
}

/** The tradable instruments of a live backend; empty in the baseline, where nothing is requested. */
export function useInstruments(): readonly Instrument[] {
  return useStaticList(tradable)
}
