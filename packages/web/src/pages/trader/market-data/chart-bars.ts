import type { ChartInterval } from '@binnacle/contract'
import type { LoadedBar } from '#data/live-market.ts'
import type { ChartBar } from '#ui/chart/indicators.ts'

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

export function secondsOf(interval: ChartInterval): number {
  return Number.parseInt(interval, 10) * (UNIT_SECONDS[interval.slice(-1)] ?? 1)
}

/** Converted once per bar, so that the chart finds unchanged ones by identity. */
const converted = new WeakMap<LoadedBar, ChartBar>()

function toChartBar(bar: LoadedBar): ChartBar {
  const known = converted.get(bar)
  if (known !== undefined) return known
  const { at, open, high, low, close, volume } = bar
  const made = { time: Math.round(Date.parse(at) / 1000), open, high, low, close, volume }
  converted.set(bar, made)
  return made
}

/** Converted once per list: a long history does not change with each live bar. */
const convertedLists = new WeakMap<readonly LoadedBar[], readonly ChartBar[]>()

function toChartBars(bars: readonly LoadedBar[]): readonly ChartBar[] {
  const known = convertedLists.get(bars)
  if (known !== undefined) return known
  const made = bars.map(toChartBar)
  convertedLists.set(bars, made)
  return made
}

/** MKT-31: loaded bars, continued by live ones. A live bar replaces the loaded one of the same start. */
export function joinBars(loaded: readonly LoadedBar[], live: readonly LoadedBar[]): readonly ChartBar[] {
  const bars = toChartBars(loaded)
  const added = live.map(toChartBar)
  const [first] = added
  if (first === undefined) return bars
  let end = bars.length
  while (end > 0 && (bars[end - 1]?.time ?? 0) >= first.time) end--
  const byStart = new Map([...bars.slice(end), ...added].map((bar) => [bar.time, bar]))
  const joined = [...byStart.values()].sort((a, b) => a.time - b.time)
  // One copy: a long history is copied at every change of the last bar.
  return bars.toSpliced(end, bars.length - end, ...joined)
}
