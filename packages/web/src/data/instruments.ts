import { type Instrument, instruments } from '@binnacle/contract'
import { call } from './client.ts'
import { type LastingList, useAskedOnce } from './load.ts'

const tradable: LastingList<Instrument> = {
  key: 'instruments',
  load: async (signal) => (await call(instruments.list, {}, { signal })).instruments,
}

/** What can be traded; none in the baseline, whose screens do not ask. */
export function useInstruments(): readonly Instrument[] {
  return useAskedOnce(tradable)
}
