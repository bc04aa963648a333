import {
  BaselineSeries,
  CrosshairMode,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  LineSeries,
  LineStyle,
  type MouseEventParams,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import { useEffect, useRef } from 'react'
import { type ChartColors, chartOptions, useChartColors, withOpacity } from './chart-theme.ts'
import classes from './line-chart.module.css'
import { runsOf } from './runs.ts'

export interface ChartPoint {
  /** In seconds since 1970, a multiple of the chart's step. */
  at: number
  value: number
}

export interface ChartMark {
  at: number
  tone: 'calm' | 'warn' | 'bad' | 'accent'
  text: string
}

export interface LineChartProps {
  /** A sentence that says what the chart shows. */
  label: string
  points: readonly ChartPoint[]
  /** A thin grey line for comparison, at the times of the first. */
  compared?: { name: string; points: readonly ChartPoint[] }
  /** The area between line and base is coloured by its side; without it there is no area. */
  base?: number
  marks: readonly ChartMark[]
  range: ChartRange
  format: (value: number) => string
  /** For the axis, where there is less room. */
  formatAxis: (value: number) => string
}

export interface ChartRange {
  from: number
  to: number
  stepS: number
}

/** A time series with its marks. A step without a point is a gap in the line. */
export function LineChart(props: LineChartProps) {
  const colors = useChartColors()
  const frame = useRef<HTMLDivElement>(null)
  const readout = useRef<HTMLParagraphElement>(null)
  const chart = useRef<DrawnChart>(undefined)

  useEffect(() => {
    if (frame.current === null || readout.current === null || !canPaint()) return
    const drawn = new DrawnChart(frame.current, readout.current)
    chart.current = drawn
    return () => drawn.remove()
  }, [])
  useEffect(() => chart.current?.draw(props, colors))

  return (
    <figure className={classes.figure} aria-label={props.label}>
      <div ref={frame} className={classes.frame} aria-hidden />
      <p ref={readout} className={classes.readout} aria-hidden />
      {props.marks.length > 0 && (
        <ul className={classes.marks} aria-label="Marks">
          {props.marks.map(({ at, text }) => (
            <li key={`${at} ${text}`}>{`${timeOf(at)} ${text}`}</li>
          ))}
        </ul>
      )}
    </figure>
  )
}

/** The chart outside React: it is drawn once, and then only its data and colours change. */
class DrawnChart {
  readonly #chart: IChartApi
  readonly #readout: HTMLElement
  #series: ReturnType<IChartApi['addSeries']>[] = []
  #drawn = ''
  #props: LineChartProps | undefined

  constructor(frame: HTMLElement, readout: HTMLElement) {
    this.#readout = readout
    this.#chart = createChart(frame, {
      handleScroll: false,
      handleScale: false,
      rightPriceScale: { scaleMargins: { top: 0.12, bottom: 0.08 } },
      timeScale: { secondsVisible: false, fixLeftEdge: true, fixRightEdge: true },
    })
    this.#chart.subscribeCrosshairMove((event) => this.#showReadout(event))
  }

  draw(props: LineChartProps, colors: ChartColors): void {
    this.#props = props
    const state = JSON.stringify([props.points, props.compared, props.marks, props.range, props.base, colors])
    if (state === this.#drawn) return
    this.#drawn = state
    this.#chart.applyOptions(chartOptions(colors))
    this.#chart.applyOptions({
      // The user guide names the library and its address.
      layout: { attributionLogo: false },
      crosshair: { mode: CrosshairMode.Magnet },
      localization: { priceFormatter: props.formatAxis, timeFormatter: timeOf },
      timeScale: { borderVisible: false, tickMarkFormatter: timeOf },
    })
    for (const series of this.#series) this.#chart.removeSeries(series)
    this.#series = []
    this.#addRange(colors)
    if (props.compared !== undefined)
      for (const run of runsOf(props.compared.points, props.range.stepS)) this.#addCompared(run, colors)
    const runs = runsOf(props.points, props.range.stepS)
    for (const [index, run] of runs.entries()) this.#addMain(run, colors, index === runs.length - 1)
    this.#chart.timeScale().fitContent()
  }

  remove(): void {
    this.#chart.remove()
  }

  /** An invisible line over the whole range: without it the axis would leave gaps out. It carries the marks. */
  #addRange(colors: ChartColors): void {
    const { range, marks, base, points } = this.#props ?? NOTHING
    const series = this.#chart.addSeries(LineSeries, {
      ...QUIET,
      lineVisible: false,
      autoscaleInfoProvider: () => null,
    })
    const count = Math.max(1, Math.ceil((range.to - range.from) / range.stepS))
    const value = base ?? points[0]?.value ?? 0
    series.setData(
      Array.from({ length: count }, (_, index) => toData({ at: range.from + index * range.stepS, value })),
    )
    const markers = marks.map(
      (mark): SeriesMarker<Time> => ({
        time: toTime(Math.floor(mark.at / range.stepS) * range.stepS),
        position: 'inBar',
        shape: mark.tone === 'bad' || mark.tone === 'warn' ? 'square' : 'circle',
        color: colors[MARK_COLORS[mark.tone]],
        size: 0.8,
      }),
    )
    createSeriesMarkers(series, markers)
    this.#series.push(series)
  }

  #addCompared(points: readonly ChartPoint[], colors: ChartColors): void {
    const series = this.#chart.addSeries(LineSeries, { ...QUIET, color: colors.calmFill, lineWidth: 1 })
    series.setData(points.map(toData))
    this.#series.push(series)
  }

  #addMain(points: readonly ChartPoint[], colors: ChartColors, isLast: boolean): void {
    const base = this.#props?.base
    const fill = (colour: string) => withOpacity(colour, base === undefined ? 0 : 0.13)
    const series = this.#chart.addSeries(BaselineSeries, {
      ...QUIET,
      lastValueVisible: isLast,
      lineWidth: 2,
      baseValue: { type: 'price', price: base ?? 0 },
      topLineColor: colors.ink,
      bottomLineColor: colors.ink,
      topFillColor1: fill(colors.upFill),
      topFillColor2: fill(colors.upFill),
      bottomFillColor1: fill(colors.downFill),
      bottomFillColor2: fill(colors.downFill),
      // A single point has no line.
      pointMarkersVisible: points.length === 1,
    })
    series.setData(points.map(toData))
    if (isLast && base !== undefined)
      series.createPriceLine({
        price: base,
        color: colors.axis,
        lineWidth: 1,
        lineStyle: LineStyle.Solid,
        axisLabelVisible: false,
      })
    this.#series.push(series)
  }

  /** Says what is under the pointer. */
  #showReadout({ time }: MouseEventParams): void {
    const props = this.#props
    if (props === undefined || typeof time !== 'number') {
      this.#readout.textContent = ''
      return
    }
    const valueAt = (points: readonly ChartPoint[]) => points.find(({ at }) => at === time)?.value
    const main = valueAt(props.points)
    const compared = props.compared && valueAt(props.compared.points)
    const marks = props.marks.filter(({ at }) => at >= time && at < time + props.range.stepS)
    this.#readout.textContent = [
      timeOf(time),
      main === undefined ? 'not recorded' : props.format(main),
      compared !== undefined && `${props.compared?.name} ${props.format(compared)}`,
      ...marks.map(({ at, text }) => `${timeOf(at)} ${text}`),
    ]
      .filter(Boolean)
      .join(' · ')
  }
}

/** False where the browser forbids canvases; the figures beside the chart are there all the same. */
function canPaint(): boolean {
  return document.createElement('canvas').getContext('2d') !== null
}

const NOTHING: Pick<LineChartProps, 'marks' | 'range' | 'base' | 'points'> = {
  marks: [],
  range: { from: 0, to: 1, stepS: 1 },
  points: [],
}

const MARK_COLORS = {
  calm: 'calmFill',
  warn: 'warnFill',
  bad: 'badFill',
  accent: 'accent',
} as const satisfies Record<ChartMark['tone'], keyof ChartColors>

const QUIET = { priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false } as const

function toData({ at, value }: ChartPoint): { time: UTCTimestamp; value: number } {
  return { time: toTime(at), value }
}

function toTime(at: number): UTCTimestamp {
  // The library brands the same number.
  return at as UTCTimestamp
}

function timeOf(at: Time | number): string {
  return new Date(Number(at) * 1000).toISOString().slice(11, 16)
}
