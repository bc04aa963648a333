import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { offers } from '#data/capabilities.ts'
import { useDataSets } from '#data/data-sets.ts'
import { logOnly } from '#data/failure.ts'
import { fillQueries } from '#data/fills.ts'
import type { FirstLoads } from '#data/first-loads.ts'
import { instrumentsQuery, useInstruments } from '#data/instruments.ts'
import { marketQueries } from '#data/market-data.ts'
import { orderQueries } from '#data/orders.ts'
import { positionQueries } from '#data/positions.ts'
import { paths } from '#paths.ts'
import { setPreference, usePreferences } from '#state/preferences.ts'
import { useMarketSubscription } from '#state/stream-subscriptions.ts'
import { useFreshness } from '#state/topic-freshness.ts'
import { Screen } from '#ui/frame/screen.tsx'
import { FreshnessBadge } from '#ui/state/freshness-badge.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { type ChartAddress, printIndicators, readAddress, writeAddress } from './chart-address.ts'
import { copy } from './copy.ts'
import { DataSetTools } from './data-set-tools.tsx'
import { MarketView } from './market-view.tsx'
import { worseFreshness } from './quote-figures.ts'
import { useQuoteFreshness } from './use-quote-freshness.ts'
import { watchedOf } from './watch-order.ts'

/** SHELL-111 */
export const firstLoads: FirstLoads = (load, backend) => {
  if (!offers(backend, 'market-data')) return
  load(instrumentsQuery(backend))
  load(marketQueries.quotes(false))
  load(orderQueries.list({ onFailure: logOnly }))
  load(positionQueries.list({ onFailure: logOnly }))
  load(fillQueries.list({ onFailure: logOnly }))
}

/** The screen of the capability `market-data`. */
export function MarketDataPage() {
  const instruments = useInstruments()
  const { address, setAddress } = useChartAddress(instruments.map(({ id }) => id))
  const sets = useDataSets() ?? []
  const show = (instrument: string, dataSet: string) => setAddress({ instrument, dataSet })
  useMarketSubscription(address.instrument, address.interval)
  return (
    <Screen
      title={copy.title}
      aside={address.instrument !== undefined && <Freshness instrument={address.instrument} />}
      back={{ to: paths.trader, label: copy.back }}
      actions={<DataSetTools sets={sets} instruments={instruments} onShow={show} />}
    >
      {address.instrument === undefined ? (
        <Loading text={copy.loading} lines={8} />
      ) : (
        <MarketView address={{ ...address, instrument: address.instrument }} onAddress={setAddress} />
      )}
    </Screen>
  )
}

/** The worst of the orders and of the instrument's price, read here for STREAM-281. */
function Freshness({ instrument }: { instrument: string }) {
  const ofOrders = useFreshness('orders')
  const ofQuote = useQuoteFreshness(instrument)
  const freshness = ofOrders && ofQuote ? worseFreshness(ofQuote, ofOrders) : ofOrders
  return freshness && <FreshnessBadge {...freshness} />
}

/** MKT-33: the address says what is shown; each choice is also remembered for the next visit. */
function useChartAddress(listed: readonly string[]) {
  const [params, setParams] = useSearchParams()
  const { watchlist, chartInterval, chartIndicators } = usePreferences()
  const known = useMemo(
    () => readAddress(params, { chartInterval, chartIndicators }),
    [params, chartInterval, chartIndicators],
  )
  const instrument =
    listed.find((id) => id === known.instrument) ?? watchedOf(watchlist, listed)[0] ?? listed[0]
  const address = useMemo(() => ({ ...known, instrument }), [known, instrument])
  const setAddress = (change: Partial<ChartAddress>) => {
    const next = { ...address, ...change }
    if (change.interval) setPreference('chartInterval', change.interval)
    if (change.indicators) setPreference('chartIndicators', printIndicators(change.indicators))
    setParams(writeAddress(next), { replace: change.instrument === undefined })
  }
  return { address, setAddress }
}
