import { CHART_INTERVALS, type ChartInterval, type DataSet, type Instrument } from '@binnacle/contract'
import { IconChartLine } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useDataSets } from '#data/data-sets.ts'
import { useBars, useMarketQuote, useTrades } from '#data/live-market.ts'
import { marketQueries } from '#data/market-data.ts'
import { formatQuantity, formatTickPrice } from '#format/money.ts'
import { formatInstant } from '#format/time.ts'
import { formatVenue } from '#format/venue.ts'
import type { CandleChartProps } from '#ui/chart/candle-chart.tsx'
import { roundToTick } from '#ui/chart/round-to-tick.ts'
import { Button } from '#ui/control/button.tsx'
import { SelectField } from '#ui/control/field.tsx'
import { Segments } from '#ui/control/segments.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { FreshnessBadge } from '#ui/state/freshness-badge.tsx'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { barsUntil, type ChartAddress } from './chart-address.ts'
import { joinBars, secondsOf } from './chart-bars.ts'
import classes from './chart-panel.module.css'
import { copy } from './copy.ts'
import { changeText, isOutdated, lastPrice, tickOf, toneOfChange } from './quote-figures.ts'
import { useQuoteFreshness } from './use-quote-freshness.ts'

/** The chart library is a part of its own, loaded after the screen. */
const CandleChart = lazyPart(async () => (await import('#ui/chart/candle-chart.tsx')).CandleChart)

export interface ChartPanelProps {
  address: ChartAddress & { instrument: string }
  onAddress: (change: Partial<ChartAddress>) => void
  instrument: Instrument | undefined
  own: CandleChartProps['own']
  on: { pick: (price: number) => void; drop: (order: string, price: number) => void; indicators: () => void }
}

/** MKT-31 */
export function ChartPanel({ address, onAddress, instrument, own, on }: ChartPanelProps) {
  const { instrument: id, interval, indicators, dataSet, at } = address
  const openedAt = useOpenedAt()
  const until = barsUntil(at, secondsOf(interval), openedAt)
  const bars = useBars({ instrument: id, interval, dataSet, until })
  const dataSets =
    useDataSets()
      ?.filter(holds(id))
      .map(({ name }) => name) ?? []
  const { data: progress } = useQuery(marketQueries.historyProgress())
  const tick = tickOf(instrument)
  const joined = useMemo(() => bars.loaded && joinBars(bars.loaded, bars.live), [bars.loaded, bars.live])
  const step = useMemo(
    () => ({
      tick,
      format: (price: number) => formatTickPrice(price, tick),
      isSeconds: secondsOf(interval) < 60,
    }),
    [tick, interval],
  )
  return (
    <section className={classes.panel} aria-label={copy.chart.title}>
      <Head id={id} instrument={instrument} tick={tick} />
      <div className={classes.bar}>
        <Segments
          label={copy.chart.interval}
          labelHidden
          value={interval}
          options={CHART_INTERVALS.map((value) => ({ value, label: value }))}
          onChange={(chosen: ChartInterval) => onAddress({ interval: chosen })}
        />
        <Button onClick={on.indicators}>
          <IconChartLine size={16} aria-hidden /> {copy.chart.indicators}
        </Button>
        {until !== undefined && (
          <Button onClick={() => onAddress({ at: undefined })}>
            {copy.chart.toLatest(formatInstant(until))}
          </Button>
        )}
        {dataSets.length > 0 && (
          <SelectField
            label={copy.chart.dataSet}
            labelHidden
            value={dataSet ?? ''}
            options={[
              { value: '', label: copy.chart.market },
              ...dataSets.map((name) => ({ value: name, label: name })),
            ]}
            onChange={(name) => onAddress({ dataSet: name || undefined })}
          />
        )}
        {progress?.done === false && (
          <p className={classes.progress} role="status">
            {copy.chart.progress(progress.days, progress.of)}
          </p>
        )}
      </div>
      <div className={classes.chart}>
        {joined === undefined && bars.error === null && <Loading text={copy.chart.loading} lines={8} />}
        {joined === undefined && bars.error !== null && <Notice tone="bad" title={copy.chart.failed} />}
        {joined?.length === 0 && <EmptyState title={copy.chart.empty}>{copy.chart.emptyHint}</EmptyState>}
        {joined !== undefined && joined.length > 0 && (
          <LazyBoundary fallback={<Loading text={copy.chart.loading} lines={8} />}>
            <CandleChart
              key={`${id} ${interval} ${dataSet} ${until}`}
              label={copy.chart.sentence(id, interval)}
              bars={joined}
              step={step}
              indicators={indicators}
              own={own}
              on={{
                nearStart: bars.loadOlder,
                pick: (price) => on.pick(roundToTick(price, tick)),
                drop: on.drop,
              }}
            />
          </LazyBoundary>
        )}
      </div>
    </section>
  )
}

/** The bars of a past time must not move on with the clock. */
function useOpenedAt(): number {
  return useState(() => Date.now())[0]
}

function holds(id: string) {
  return ({ instruments }: DataSet) => instruments.some(({ instrument }) => instrument === id)
}

interface HeadProps {
  id: string
  instrument: Instrument | undefined
  tick: number
}

function Head({ id, instrument, tick }: HeadProps) {
  const quote = useMarketQuote(id)
  const { figures: trades } = useTrades(id)
  const freshness = useQuoteFreshness(id)
  const isOld = isOutdated(freshness?.freshness)
  const last = quote ? lastPrice(quote) : isOld ? trades?.[0]?.price : undefined
  const priceOf = (price: number | null) => (price === null ? copy.none : formatTickPrice(price, tick))
  return (
    <header className={classes.head}>
      <div>
        <h2>{id}</h2>
        <p>{instrument && formatVenue(instrument)}</p>
      </div>
      {last !== undefined && (
        <div className={classes.last} data-outdated={isOld || undefined}>
          <data value={last}>{formatTickPrice(last, tick)}</data>
          {quote && (
            <p data-tone={isOld ? 'calm' : toneOfChange(quote.change_percent)}>
              {changeText(quote.change_percent)}
            </p>
          )}
        </div>
      )}
      {quote && (
        <dl>
          <Figure label={copy.chart.high}>{priceOf(quote.high_24h)}</Figure>
          <Figure label={copy.chart.low}>{priceOf(quote.low_24h)}</Figure>
          <Figure label={copy.chart.volume}>
            {quote.volume_24h === null ? copy.none : formatQuantity(Math.round(quote.volume_24h))}
          </Figure>
        </dl>
      )}
      {freshness && <FreshnessBadge {...freshness} size="short" />}
    </header>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
