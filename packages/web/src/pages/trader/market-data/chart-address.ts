import { CHART_INTERVALS, type ChartInterval } from '@binnacle/contract'
import { type ChosenIndicator, INDICATORS, type IndicatorName } from '#ui/chart/indicators.ts'

/** What the address of the screen says. */
export interface ChartAddress {
  /** Undefined: the first one of the watchlist. */
  instrument: string | undefined
  interval: ChartInterval
  indicators: readonly ChosenIndicator[]
  /** Imported bars in place of the market. */
  dataSet: string | undefined
  /** A past time that the chart shows; undefined: the latest bars. */
  at: string | undefined
}

const MAX_INDICATORS = 8
const DEFAULT_INTERVAL: ChartInterval = '15m'

/** MKT-33: what the address leaves out is as it was chosen last. */
export function readAddress(
  params: URLSearchParams,
  remembered: { chartInterval: string; chartIndicators: string },
): ChartAddress {
  const interval = params.get('interval') ?? remembered.chartInterval
  return {
    instrument: params.get('instrument') || undefined,
    interval: CHART_INTERVALS.find((known) => known === interval) ?? DEFAULT_INTERVAL,
    indicators: parseIndicators(params.get('indicators') ?? remembered.chartIndicators),
    dataSet: params.get('data_set') || undefined,
    at: parseTime(params.get('at')),
  }
}

export function writeAddress({
  instrument,
  interval,
  indicators,
  dataSet,
  at,
}: ChartAddress): URLSearchParams {
  return new URLSearchParams({
    ...(instrument !== undefined && { instrument }),
    interval,
    indicators: printIndicators(indicators),
    ...(dataSet !== undefined && { data_set: dataSet }),
    ...(at !== undefined && { at }),
  })
}

/** PERF-27: what is no time is left out. */
function parseTime(text: string | null): string | undefined {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** Bars after the time that the address names. */
const BARS_AFTER = 60

/** The end of the bars that show a past time in their middle; undefined where the latest ones do. */
export function barsUntil(at: string | undefined, intervalSeconds: number, now: number): string | undefined {
  if (at === undefined) return undefined
  const until = Date.parse(at) + BARS_AFTER * intervalSeconds * 1000
  return until < now ? new Date(until).toISOString() : undefined
}

/** Each as its name and its settings: ema:20,bollinger:20:2. */
export function printIndicators(indicators: readonly ChosenIndicator[]): string {
  return indicators.map(({ name, settings }) => [name, ...settings].join(':')).join(',')
}

/** Unknown ones are left out, and so are repeated ones; settings outside their bounds become the usual ones. */
export function parseIndicators(text: string): readonly ChosenIndicator[] {
  const parsed = text.split(',').flatMap((part) => {
    const [name = '', ...values] = part.split(':')
    if (!isIndicator(name)) return []
    const settings = INDICATORS[name].settings.map(({ initial, min, max }, index) => {
      const value = Number(values[index] ?? Number.NaN)
      return value >= min && value <= max ? value : initial
    })
    return [{ name, settings }]
  })
  const byText = new Map(parsed.map((indicator) => [printIndicators([indicator]), indicator]))
  return [...byText.values()].slice(0, MAX_INDICATORS)
}

function isIndicator(name: string): name is IndicatorName {
  return Object.hasOwn(INDICATORS, name)
}
