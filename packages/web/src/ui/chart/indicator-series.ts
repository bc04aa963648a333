import {
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type ISeriesPrimitive,
  LineSeries,
  LineStyle,
  type Logical,
  type UTCTimestamp,
} from 'lightweight-charts'
import { type ChartColors, withOpacity } from './chart-theme.ts'
import type { IndexRange } from './drawn-bars.ts'
import {
  type ChartBar,
  type ChosenIndicator,
  type Column,
  INDICATORS,
  IndicatorColumns,
} from './indicators.ts'

export interface IndicatorSeriesOptions {
  /** Its place among the chosen ones, which decides its colour. */
  order: number
  /** Takes the next pane below the candles. */
  pane: () => number
  colors: ChartColors
}

interface Drawn {
  series: ISeriesApi<'Line'> | ISeriesApi<'Histogram'>
  column: number
  colorOf: (colors: ChartColors) => string
}

/** The lines of one indicator. */
export class IndicatorSeries {
  readonly #chart: IChartApi
  readonly #name: ChosenIndicator['name']
  readonly #columns: IndicatorColumns
  readonly #drawn: readonly Drawn[]
  readonly #band: Band | undefined
  readonly #candles: ISeriesApi<'Candlestick'>
  #bars: readonly ChartBar[] = []

  constructor(
    chart: IChartApi,
    candles: ISeriesApi<'Candlestick'>,
    chosen: ChosenIndicator,
    { order, pane, colors }: IndicatorSeriesOptions,
  ) {
    this.#chart = chart
    this.#candles = candles
    this.#name = chosen.name
    this.#columns = new IndicatorColumns(chosen)
    const index = INDICATORS[chosen.name].pane === 'own' ? pane() : 0
    const shared = {
      lineWidth: 1 as const,
      priceLineVisible: false,
      lastValueVisible: index > 0,
      crosshairMarkerVisible: false,
      // The candles decide the scale; a line far from them is out of sight.
      ...(index === 0 && { autoscaleInfoProvider: () => null }),
    }
    this.#drawn = linesOf(chosen, order).map(({ kind, column, colorOf, style }) => ({
      column,
      colorOf,
      series:
        kind === 'bars'
          ? chart.addSeries(HistogramSeries, { ...shared, color: colorOf(colors) }, index)
          : chart.addSeries(
              LineSeries,
              { ...shared, color: colorOf(colors), lineStyle: style ?? LineStyle.Solid },
              index,
            ),
    }))
    if (chosen.name === 'rsi') {
      for (const price of [30, 70]) {
        this.#drawn[0]?.series.createPriceLine({
          price,
          color: colors.axis,
          lineWidth: 1,
          lineStyle: LineStyle.Dotted,
          axisLabelVisible: false,
        })
      }
    }
    if (chosen.name === 'bollinger') {
      const [, upper = [], lower = []] = this.#columns.columns
      this.#band = new Band(chart, candles, { upper, lower, color: withOpacity(colors.calmFill, 0.12) })
      candles.attachPrimitive(this.#band)
    }
  }

  /** Takes bars that changed from an index on. */
  setBars(bars: readonly ChartBar[], from: number): void {
    this.#columns.update(bars, from)
    this.#bars = bars
  }

  draw({ from, to }: IndexRange): void {
    this.#band?.setFirst(from)
    for (const { series, column } of this.#drawn) {
      const values = this.#drawnValues(column)
      series.setData(this.#bars.slice(from, to).map((bar, offset) => pointOf(bar, values(from + offset))))
    }
  }

  /** Adds or changes the points from one at the end on. */
  drawFrom(from: number): void {
    const changed = this.#bars.slice(from)
    for (const { series, column } of this.#drawn) {
      const values = this.#drawnValues(column)
      for (const [offset, bar] of changed.entries()) series.update(pointOf(bar, values(from + offset)))
    }
  }

  /** The line of one session does not reach to the next. */
  #drawnValues(column: number): (index: number) => number | undefined {
    const values = this.#columns.columns[column] ?? []
    if (this.#name !== 'vwap') return (index) => values[index]
    const [, , volumes = []] = this.#columns.columns
    const isStart = (index: number) => index > 0 && volumes[index] === this.#bars[index]?.volume
    return (index) => (isStart(index) && index < this.#bars.length - 1 ? undefined : values[index])
  }

  setColors(colors: ChartColors): void {
    for (const { series, colorOf } of this.#drawn) series.applyOptions({ color: colorOf(colors) })
    this.#band?.setColor(withOpacity(colors.calmFill, 0.12))
  }

  valuesAt(index: number): readonly number[] {
    return this.#drawn.map(({ column }) => this.#columns.columns[column]?.[index] ?? Number.NaN)
  }

  remove(): void {
    if (this.#band) this.#candles.detachPrimitive(this.#band)
    for (const { series } of this.#drawn) this.#chart.removeSeries(series)
  }
}

interface LineLook {
  kind: 'line' | 'bars'
  column: number
  colorOf: (colors: ChartColors) => string
  style?: LineStyle
}

const SERIES_COLORS = ['s2', 's3', 's4', 's5', 's6', 's1'] as const

/** The colour of the indicator at this place, for its lines and its legend. */
export function indicatorColor(order: number): (typeof SERIES_COLORS)[number] {
  return SERIES_COLORS[order % SERIES_COLORS.length] ?? 's2'
}

function linesOf({ name }: ChosenIndicator, order: number): readonly LineLook[] {
  const own = (colors: ChartColors) => colors[indicatorColor(order)]
  const calm = ({ calmFill }: ChartColors) => calmFill
  const line = { kind: 'line', column: 0, colorOf: own } as const
  if (name === 'bollinger')
    return [
      { ...line, style: LineStyle.Dotted },
      { kind: 'line', column: 1, colorOf: calm },
      { kind: 'line', column: 2, colorOf: calm },
    ]
  if (name === 'macd')
    return [
      line,
      { kind: 'line', column: 1, colorOf: ({ dim }) => dim, style: LineStyle.Dashed },
      { kind: 'bars', column: 2, colorOf: ({ calmFill }) => withOpacity(calmFill, 0.5) },
    ]
  return [name === 'vwap' ? { ...line, style: LineStyle.Dashed } : line]
}

/** No value is a gap in the line. */
function pointOf({ time }: ChartBar, value: number | undefined) {
  // The library brands seconds since 1970.
  const at = time as UTCTimestamp
  return value === undefined || Number.isNaN(value) ? { time: at } : { time: at, value }
}

interface BandOptions {
  upper: Column
  lower: Column
  color: string
}

/** The ground between two columns, below the candles. */
class Band implements ISeriesPrimitive {
  readonly #chart: IChartApi
  readonly #candles: ISeriesApi<'Candlestick'>
  readonly #upper: Column
  readonly #lower: Column
  #color: string
  #first = 0

  constructor(chart: IChartApi, candles: ISeriesApi<'Candlestick'>, { upper, lower, color }: BandOptions) {
    this.#chart = chart
    this.#candles = candles
    this.#upper = upper
    this.#lower = lower
    this.#color = color
  }

  setColor(color: string): void {
    this.#color = color
  }

  /** The index of the bar from which the library counts. */
  setFirst(first: number): void {
    this.#first = first
  }

  readonly #view = {
    zOrder: () => 'bottom' as const,
    renderer: () => ({
      draw: (target: DrawingTarget) =>
        target.useMediaCoordinateSpace(({ context }) => {
          context.fillStyle = this.#color
          context.fill(this.#outline())
        }),
    }),
  }
  readonly #views = [this.#view]

  paneViews() {
    return this.#views
  }

  #outline(): Path2D {
    const path = new Path2D()
    const scale = this.#chart.timeScale()
    const range = scale.getVisibleLogicalRange()
    if (range === null) return path
    const first = this.#first + Math.max(0, Math.floor(range.from))
    const last = Math.min(this.#upper.length - 1, this.#first + Math.ceil(range.to))
    // At small spacings several bars share a pixel.
    const step = Math.max(1, Math.floor((last - first) / scale.width()))
    const points: [number, number, number][] = []
    for (let index = first; index <= last; index += step) {
      // The library brands the index of a bar.
      const x = scale.logicalToCoordinate((index - this.#first) as Logical)
      const top = this.#candles.priceToCoordinate(this.#upper[index] ?? Number.NaN)
      const bottom = this.#candles.priceToCoordinate(this.#lower[index] ?? Number.NaN)
      if (x !== null && top !== null && bottom !== null && !Number.isNaN(top)) points.push([x, top, bottom])
    }
    for (const [x, top] of points) path.lineTo(x, top)
    for (const [x, , bottom] of points.reverse()) path.lineTo(x, bottom)
    path.closePath()
    return path
  }
}

/** The part of the library's drawing target that is used here. */
interface DrawingTarget {
  useMediaCoordinateSpace: (draw: (scope: { context: CanvasRenderingContext2D }) => void) => void
}
