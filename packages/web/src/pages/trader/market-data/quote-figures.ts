import type { Instrument, MarketQuote } from '@binnacle/contract'
import { formatTickPrice } from '#format/money.ts'
import type { Freshness, TopicFreshness } from '#state/topic-freshness.ts'

/** A quote that is older than this is late, and then old, even while the stream is live. */
const DELAYED_MS = 5_000
const STALE_MS = 30_000

/** MKT-36: the freshness of one quote or book: that of its list, or worse by its own age. MKT-540: of a stopped engine, with its own time. */
export function quoteFreshness(
  { at }: Pick<MarketQuote, 'at'>,
  list: TopicFreshness | undefined,
  now: number,
): TopicFreshness {
  const asOf = Date.parse(at)
  if (list?.freshness === 'stopped') return { freshness: 'stopped', asOf }
  const age = now - asOf
  const own: TopicFreshness =
    age > STALE_MS
      ? { freshness: 'stale', asOf }
      : age > DELAYED_MS
        ? { freshness: 'delayed', asOf }
        : { freshness: 'live', asOf: undefined }
  return list === undefined ? own : worseFreshness(list, own)
}

/** Figures that may be far from the market of now, which are dim. */
export function isOutdated(freshness: Freshness | undefined): boolean {
  return freshness === 'stale' || freshness === 'stopped' || freshness === 'disconnected'
}

const FROM_BEST = ['live', 'delayed', 'stale', 'stopped', 'disconnected']

export function worseFreshness(one: TopicFreshness, other: TopicFreshness): TopicFreshness {
  return FROM_BEST.indexOf(other.freshness) > FROM_BEST.indexOf(one.freshness) ? other : one
}

/** Prices of an instrument that is not listed have two decimals. */
export function tickOf(instrument: Instrument | undefined): number {
  return instrument?.tick_size ?? 0.01
}

/** The price of the latest trade, or the middle before the first. */
export function lastPrice({ last, bid, ask }: MarketQuote): number {
  return last ?? (bid + ask) / 2
}

export function spreadText({ bid, ask }: Pick<MarketQuote, 'bid' | 'ask'>, tick: number): string {
  return formatTickPrice(ask - bid, tick)
}

/** FMT-4: with its sign and an arrow, since it stands alone. */
export function changeText(percent: number | null): string {
  if (percent === null) return '—'
  const tone = toneOfChange(percent)
  if (tone === 'calm') return '0.00%'
  return `${ARROWS[tone]} ${tone === 'up' ? '+' : '-'}${Math.abs(percent).toFixed(2)}%`
}

/** Empty for a price that has not moved. */
export function changeArrow(percent: number | null): string {
  return ARROWS[toneOfChange(percent)]
}

const ARROWS = { up: '▲', down: '▼', calm: '' } as const

export function toneOfChange(percent: number | null): 'up' | 'down' | 'calm' {
  if (percent === null || Math.abs(percent) < 0.005) return 'calm'
  return percent < 0 ? 'down' : 'up'
}
