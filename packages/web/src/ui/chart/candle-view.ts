import {
  CandlestickSeries,
  type CandlestickSeriesPartialOptions,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineStyle,
  type MouseEventParams,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import { type ChartColors, chartOptions, withOpacity } from './chart-theme.ts'
import { type IndexRange, isNearEdge, rangeToDraw } from './drawn-bars.ts'
import { IndicatorSeries } from './indicator-series.ts'
import type { ChartBar, ChosenIndicator } from './indicators.ts'

/** A horizontal line of ours: a position or a working order. */
export interface ChartLine {
  id: string
  price: number
  tone: 'up' | 'down' | 'accent'
  /** Working orders are dashed. */
  isDashed: boolean
}

/** A fill of ours. */
export interface ChartMark {
  id: string
  /** In seconds since 1970. */
  time: number
  side: 'buy' | 'sell'
  /** Its colour, if not that of its side. */
  tone?: 'up' | 'down' | undefined
  /** Beside the mark. */
  text?: string | undefined
}

export interface CandleViewHandlers {
  /** Older bars are wanted: the first one is nearly in sight. */
  onNearStart: () => void
  /** A click at a price. */
  onPick: (price: number) => void
  /** Prices have moved on the screen. */
  onRepaint: () => void
}

export interface PriceStep {
  tick: number
  format: (price: number) => string
}

/** The figures of one bar. */
export interface LegendFigures {
  bar: ChartBar | undefined
  /** The drawn values of each indicator. */
  values: readonly (readonly number[])[]
}

/** The space right of the latest bar, in bars. */
const RIGHT_OFFSET = 6
/** Bars left of the view below which older ones are requested. */
const NEAR_START_BARS = 40
/** From this many changed bars on, setting all of them is quicker. */
const MAX_UPDATES = 200
/** The chart stands still when its view did not change for this long. */
const STILL_MS = 120

/** Candles, volume, indicators and own lines on one chart of the library. */
export class CandleView {
  readonly #chart: IChartApi
  readonly #candles: ISeriesApi<'Candlestick'>
  readonly #volume: ISeriesApi<'Histogram'>
  readonly #marks: ISeriesMarkersPluginApi<Time>
  readonly #handlers: CandleViewHandlers
  readonly #lines = new Map<string, IPriceLine>()
  #indicators: IndicatorSeries[] = []
  #lastPrice: IPriceLine | undefined
  #ownLines: readonly ChartLine[] = []
  #ownMarks: readonly ChartMark[] = []
  #bars: readonly ChartBar[] = []
  /** The part of the bars that the library has; it counts from the first of them. */
  #drawn: IndexRange = { from: 0, to: 0 }
  #isPressed = false
  #stillTimer: ReturnType<typeof setTimeout> | undefined
  readonly #container: HTMLElement
  #colors: ChartColors
  #hovered: number | undefined
  readonly #legendListeners = new Set<() => void>()
  #legend: LegendFigures = { bar: undefined, values: [] }

  constructor(
    container: HTMLElement,
    colors: ChartColors,
    handlers: CandleViewHandlers,
    create: typeof createChart = createChart,
  ) {
    this.#colors = colors
    this.#handlers = handlers
    this.#container = container
    this.#chart = create(container, { ...chartOptions(colors), handleScale: { mouseWheel: true } })
    this.#chart.timeScale().applyOptions({ rightOffset: RIGHT_OFFSET, barSpacing: 6 })
    this.#volume = this.#chart.addSeries(HistogramSeries, {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    })
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: 0.86, bottom: 0 } })
    this.#candles = this.#chart.addSeries(CandlestickSeries, candleColors(colors))
    this.#candles.priceScale().applyOptions({ scaleMargins: { top: 0.14, bottom: 0.16 } })
    this.#marks = createSeriesMarkers(this.#candles, [])
    this.#candles.attachPrimitive({ updateAllViews: handlers.onRepaint })
    this.#chart.subscribeClick((event) => this.#click(event))
    this.#chart.subscribeCrosshairMove(({ logical, point }) => {
      this.#hovered = point && logical !== undefined ? logical + this.#drawn.from : undefined
      this.#updateLegend()
    })
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      const isNearStart = range !== null && range.from + this.#drawn.from < NEAR_START_BARS
      if (isNearStart && this.#bars.length > 0) handlers.onNearStart()
      this.#redrawWhenStill()
    })
    container.addEventListener('pointerdown', this.#press)
    window.addEventListener('pointerup', this.#release)
    window.addEventListener('pointercancel', this.#release)
  }

  remove(): void {
    clearTimeout(this.#stillTimer)
    this.#container.removeEventListener('pointerdown', this.#press)
    window.removeEventListener('pointerup', this.#release)
    window.removeEventListener('pointercancel', this.#release)
    this.#chart.remove()
  }

  readonly #press = () => {
    this.#isPressed = true
  }

  readonly #release = () => {
    this.#isPressed = false
    this.#redrawWhenStill()
  }

  setColors(colors: ChartColors): void {
    if (colors === this.#colors) return
    this.#colors = colors
    this.#chart.applyOptions(chartOptions(colors))
    this.#candles.applyOptions(candleColors(colors))
    this.#volume.setData(this.#drawnBars().map((bar) => this.#volumeOf(bar)))
    for (const series of this.#indicators) series.setColors(colors)
    this.setLines(this.#ownLines)
    this.#drawLastPrice()
    this.#drawMarks()
  }

  setPriceStep({ tick, format }: PriceStep): void {
    this.#candles.applyOptions({ priceFormat: { type: 'custom', minMove: tick, formatter: format } })
  }

  /** Minutes and longer need no seconds on the axis. */
  setSecondsVisible(secondsVisible: boolean): void {
    this.#chart.timeScale().applyOptions({ secondsVisible })
  }

  /** Adds and changes bars at the end in place; anything else replaces them all, without a jump of the view. */
  setBars(bars: readonly ChartBar[]): void {
    const before = this.#bars
    const from = firstChange(before, bars)
    if (from === bars.length && from === before.length) return
    const known = before.length
    this.#bars = bars
    for (const series of this.#indicators) series.setBars(bars, from)
    const isAtEnd =
      from >= known - 1 && bars.length - from <= MAX_UPDATES && continues(before.at(-1), bars[known - 1])
    if (isAtEnd && this.#drawn.to === known) {
      this.#drawn = { ...this.#drawn, to: bars.length }
      for (const bar of bars.slice(from)) {
        this.#candles.update(toCandle(bar))
        this.#volume.update(this.#volumeOf(bar))
      }
      for (const series of this.#indicators) series.drawFrom(from)
    } else if (!isAtEnd) {
      if (this.#hovered !== undefined) this.#hovered += movedBy(before, bars, this.#hovered) ?? 0
      this.#draw(this.#viewAfter(before))
    }
    this.#drawLastPrice()
    this.#updateLegend()
  }

  /** The view over the bars of now: on the same ones, or as far from the last one if that was in sight. */
  #viewAfter(before: readonly ChartBar[]): IndexRange {
    const { length } = this.#bars
    const view = this.#view(this.#drawn)
    if (view === undefined) return { from: length, to: length }
    const edge = Math.floor(view.to)
    const followed = edge < before.length - 1 ? movedBy(before, this.#bars, edge) : undefined
    const moved = followed ?? length - before.length
    return { from: view.from + moved, to: view.to + moved }
  }

  /** The library's own label has the last price in sight, which a trader takes for the current one. */
  #drawLastPrice(): void {
    const last = this.#bars.at(-1)
    if (last === undefined) return
    const { ink, surface } = this.#colors
    this.#lastPrice ??= this.#candles.createPriceLine({ price: last.close })
    this.#lastPrice.applyOptions({
      price: last.close,
      color: ink,
      lineWidth: 1,
      lineStyle: LineStyle.Dotted,
      axisLabelColor: ink,
      axisLabelTextColor: surface,
    })
  }

  /** The bars in sight, by their place among all of them; undefined before anything is drawn. */
  #view({ from }: IndexRange): IndexRange | undefined {
    const range = this.#bars.length === 0 ? null : this.#chart.timeScale().getVisibleLogicalRange()
    return range === null ? undefined : { from: range.from + from, to: range.to + from }
  }

  /** Draws the bars around a view, which stays where it is. */
  #draw(view: IndexRange): void {
    const hadBars = this.#drawn.to > 0
    this.#drawn = rangeToDraw(view, this.#bars.length)
    const bars = this.#drawnBars()
    this.#candles.setData(bars.map(toCandle))
    this.#volume.setData(bars.map((bar) => this.#volumeOf(bar)))
    for (const series of this.#indicators) series.draw(this.#drawn)
    this.#drawMarks()
    if (hadBars && bars.length > 0)
      this.#chart.timeScale().scrollToPosition(view.to - this.#drawn.to + 1, false)
  }

  #drawnBars(): ChartBar[] {
    return this.#bars.slice(this.#drawn.from, this.#drawn.to)
  }

  /** Not while the chart moves: the library measures a drag and a fling from where they began. */
  #redrawWhenStill(): void {
    clearTimeout(this.#stillTimer)
    if (this.#drawn.to - this.#drawn.from === this.#bars.length) return
    this.#stillTimer = setTimeout(() => {
      const view = this.#view(this.#drawn)
      if (!this.#isPressed && view && isNearEdge(view, this.#drawn, this.#bars.length)) this.#draw(view)
    }, STILL_MS)
  }

  setIndicators(chosen: readonly ChosenIndicator[]): void {
    for (const series of this.#indicators) series.remove()
    let ownPanes = 0
    this.#indicators = chosen.map((indicator, index) => {
      const series = new IndicatorSeries(this.#chart, this.#candles, indicator, {
        order: index,
        pane: () => ++ownPanes,
        colors: this.#colors,
      })
      series.setBars(this.#bars, 0)
      series.draw(this.#drawn)
      return series
    })
    for (const [index, pane] of this.#chart.panes().entries()) pane.setStretchFactor(index === 0 ? 5 : 1)
    this.#updateLegend()
  }

  /** The bar under the pointer, else the last one. */
  readonly legend = (): LegendFigures => this.#legend

  readonly subscribeLegend = (listener: () => void): (() => void) => {
    this.#legendListeners.add(listener)
    return () => this.#legendListeners.delete(listener)
  }

  #updateLegend(): void {
    const last = this.#bars.length - 1
    const index = this.#bars[this.#hovered ?? last] === undefined ? last : (this.#hovered ?? last)
    const bar = this.#bars[index]
    const values = this.#indicators.map((series) => series.valuesAt(index))
    // The pointer moves many times per frame, mostly over the same bar.
    if (bar === this.#legend.bar && isSame(values, this.#legend.values)) return
    this.#legend = { bar, values }
    for (const listener of this.#legendListeners) listener()
  }

  setLines(lines: readonly ChartLine[]): void {
    this.#ownLines = lines
    const wanted = new Set(lines.map(({ id }) => id))
    for (const [id, line] of this.#lines) {
      if (wanted.has(id)) continue
      this.#candles.removePriceLine(line)
      this.#lines.delete(id)
    }
    for (const line of lines) {
      const options = this.#lineOptions(line)
      const known = this.#lines.get(line.id)
      if (known) known.applyOptions(options)
      else this.#lines.set(line.id, this.#candles.createPriceLine(options))
    }
    this.#handlers.onRepaint()
  }

  setMarks(marks: readonly ChartMark[]): void {
    this.#ownMarks = marks
    this.#drawMarks()
  }

  /** Marks lie on drawn bars; the library would move others to the nearest one. */
  #drawMarks(): void {
    const first = this.#bars[this.#drawn.from]
    const next = this.#bars[this.#drawn.to]
    const shown = this.#ownMarks.filter(
      ({ time }) => first !== undefined && time >= first.time && (next === undefined || time < next.time),
    )
    this.#marks.setMarkers(
      shown
        .toSorted((a, b) => a.time - b.time)
        .map(({ id, time, side, text, tone = side === 'buy' ? 'up' : 'down' }) => ({
          id,
          ...(text !== undefined && { text }),
          time: toTime(time),
          position: side === 'buy' ? 'belowBar' : 'aboveBar',
          shape: side === 'buy' ? 'arrowUp' : 'arrowDown',
          color: this.#colors[tone],
          size: 0.8,
        })),
    )
  }

  /** The distance from the top of the candles; undefined outside of them. */
  yOf(price: number): number | undefined {
    const y = this.#candles.priceToCoordinate(price)
    return y === null || y < 0 || y > this.#paneHeight() ? undefined : y
  }

  priceAt(y: number): number | undefined {
    const inside = Math.min(Math.max(y, 0), this.#paneHeight() - 1)
    return this.#candles.coordinateToPrice(inside) ?? undefined
  }

  /** Moves the view by a share of its width; negative into the past. */
  scroll(share: number): void {
    const scale = this.#chart.timeScale()
    const range = scale.getVisibleLogicalRange()
    if (range !== null)
      scale.scrollToPosition(scale.scrollPosition() + (range.to - range.from) * share, false)
  }

  zoom(factor: number): void {
    const scale = this.#chart.timeScale()
    scale.applyOptions({ barSpacing: scale.options().barSpacing * factor })
  }

  scrollToLatest(): void {
    const { length } = this.#bars
    if (this.#drawn.to < length) this.#draw({ from: length, to: length })
    // An animation ends early when a live bar arrives.
    this.#chart.timeScale().scrollToPosition(RIGHT_OFFSET, false)
  }

  #paneHeight(): number {
    return this.#chart.paneSize(0).height
  }

  #click({ point, paneIndex }: MouseEventParams): void {
    const price = point && paneIndex === 0 ? this.priceAt(point.y) : undefined
    if (price !== undefined) this.#handlers.onPick(price)
  }

  #volumeOf({ time, open, close, volume }: ChartBar) {
    const { upFill, downFill } = this.#colors
    return { time: toTime(time), value: volume, color: withOpacity(close < open ? downFill : upFill, 0.35) }
  }

  #lineOptions({ id, price, tone, isDashed }: ChartLine) {
    const color = this.#colors[tone]
    return {
      id,
      price,
      color,
      lineWidth: 1 as const,
      lineStyle: isDashed ? LineStyle.Dashed : LineStyle.Solid,
      axisLabelColor: color,
      axisLabelTextColor: this.#colors.surface,
      title: '',
    }
  }
}

/** Up candles are hollow and down candles solid, so that the direction is readable without colour. */
function candleColors({ upFill, downFill }: ChartColors): CandlestickSeriesPartialOptions {
  return {
    upColor: 'transparent',
    borderUpColor: upFill,
    wickUpColor: upFill,
    downColor: downFill,
    borderDownColor: downFill,
    wickDownColor: downFill,
    priceLineVisible: false,
    lastValueVisible: false,
  }
}

/** The first index whose bar differs; 0 unless the new bars continue the old ones. */
function firstChange(before: readonly ChartBar[], after: readonly ChartBar[]): number {
  if (before.length === 0 || after.length < before.length || before[0] !== after[0]) return 0
  let index = before.length
  while (index > 0 && before[index - 1] !== after[index - 1]) index--
  return index
}

/** Whether the last bar has its place yet. A bar filled in before it moves it, and the library adds only at the end. */
function continues(last: ChartBar | undefined, now: ChartBar | undefined): boolean {
  return last !== undefined && last.time === now?.time
}

function isSame(values: LegendFigures['values'], others: LegendFigures['values']): boolean {
  return (
    values.length === others.length &&
    values.every((row, index) => row.every((value, column) => Object.is(value, others[index]?.[column])))
  )
}

/** How many places a bar has moved; undefined if it is not there before or after. */
function movedBy(before: readonly ChartBar[], after: readonly ChartBar[], index: number): number | undefined {
  const time = before[index]?.time
  const place = time === undefined ? -1 : after.findLastIndex((bar) => bar.time === time)
  return place < 0 ? undefined : place - index
}

function toCandle({ time, open, high, low, close }: ChartBar) {
  return { time: toTime(time), open, high, low, close }
}

function toTime(seconds: number): UTCTimestamp {
  // The library brands seconds since 1970.
  return seconds as UTCTimestamp
}
