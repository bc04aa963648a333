import { instantFromMs, priceFromTicks, priceToNumber, standardInstruments } from '@binnacle/engine'
import type { MarketRecord } from './market-history.ts'

export interface RecordedMinute {
  readonly atMs: number
  readonly low: number
  readonly high: number
  readonly last: number
}

/** Reads the recorded minutes of a period, in decimals; none for an instrument that there is not. */
export async function readRecordedMinutes(
  record: Pick<MarketRecord, 'readLonger'>,
  name: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<RecordedMinute[]> {
  const found = standardInstruments().all.find(({ id }) => id === name)
  if (found === undefined) return []
  const period = { instrument: found.id, from: instantFromMs(fromMs), to: instantFromMs(toMs) }
  const { bars } = await record.readLonger(period, '1m')
  const decimal = (ticks = 0) => priceToNumber(priceFromTicks(ticks), found.tick)
  return Array.from(bars.start, (atMs, row) => ({
    atMs,
    low: decimal(bars.low[row]),
    high: decimal(bars.high[row]),
    last: decimal(bars.close[row]),
  }))
}
