import { useMarketQuote, useTrades } from '#data/live-market.ts'
import { marketQueries } from '#data/market-data.ts'
import { useNow } from '#state/now.ts'
import { type TopicFreshness, useMarketFreshness } from '#state/topic-freshness.ts'
import { quoteFreshness } from './quote-figures.ts'

/** The freshness of an instrument's price. MKT-540: an engine that started stopped has no quote, but may have trades. */
export function useQuoteFreshness(instrument: string): TopicFreshness | undefined {
  const list = useMarketFreshness(marketQueries.quotes(true).queryKey)
  const quote = useMarketQuote(instrument)
  const { figures: trades } = useTrades(instrument)
  const now = useNow()
  if (quote) return quoteFreshness(quote, list, now)
  if (list?.freshness !== 'stopped') return undefined
  const trade = trades?.[0]
  return { freshness: 'stopped', asOf: trade && Date.parse(trade.at) }
}
