import { type Instrument, instruments } from '@binnacle/contract'
import { useMemo } from 'react'
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

/** Tick sizes by instrument, as far as known. */
export function useTickSizes(): ReadonlyMap<string, number> {
  const listed = useInstruments()
  return useMemo(
    () => new Map(listed.flatMap(({ id, tick_size: tick }) => (tick === undefined ? [] : [[id, tick]]))),
    [listed],
  )
}
