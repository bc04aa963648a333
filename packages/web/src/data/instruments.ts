import { type Instrument, instruments } from '@binnacle/contract'
import { useMemo } from 'react'
import type { Backend } from './capabilities.ts'
import { call } from './client.ts'
import { type StaticList, staticListQuery, useStaticList } from './load.ts'

const tradable: StaticList<Instrument> = {
  key: 'instruments',
  load: async (signal) => (await call(instruments.list, {}, { signal })).instruments,
}

export function instrumentsQuery(backend: Backend) {
  return staticListQuery(tradable, backend)
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
