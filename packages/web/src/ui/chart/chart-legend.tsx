import { useSyncExternalStore } from 'react'
import { formatNumber } from '#format/number.ts'
import classes from './candle-chart.module.css'
import type { CandleView } from './candle-view.ts'
import type { ChartColors } from './chart-theme.ts'
import { indicatorColor } from './indicator-series.ts'
import { titleOf } from './indicator-title.ts'
import type { ChosenIndicator } from './indicators.ts'

export interface ChartLegendProps {
  view: CandleView
  format: (price: number) => string
  indicators: readonly ChosenIndicator[]
  colors: ChartColors
}

/** The figures of the bar under the pointer, else of the last one, over the candles. */
export function ChartLegend({ view, format, indicators, colors }: ChartLegendProps) {
  const { bar, values } = useSyncExternalStore(view.subscribeLegend, view.legend)
  if (bar === undefined) return null
  const prices = [
    ['O', bar.open],
    ['H', bar.high],
    ['L', bar.low],
    ['C', bar.close],
  ] as const
  return (
    <div className={classes.legend}>
      <p>
        {prices.map(([name, price]) => (
          <span key={name}>
            {name} <b>{format(price)}</b>
          </span>
        ))}
        <span>
          Vol <b>{formatNumber(bar.volume)}</b>
        </span>
      </p>
      <p>
        {indicators.map((indicator, index) => (
          <span key={titleOf(indicator)}>
            <i style={{ background: colors[indicatorColor(index)] }} />
            {titleOf(indicator)} <b>{valueText(values[index]?.[0], indicator, format)}</b>
          </span>
        ))}
      </p>
    </div>
  )
}

function valueText(
  value: number | undefined,
  { name }: ChosenIndicator,
  format: (price: number) => string,
): string {
  if (value === undefined || Number.isNaN(value)) return '—'
  return name === 'rsi' ? value.toFixed(1) : format(value)
}
