import {
  BaselineSeries,
  CrosshairMode,
  createChart,
  type IChartApi,
  LineSeries,
  LineStyle,
  type MouseEventParams,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import { useEffect, useRef } from 'react'
import { type ChartColors, chartOptions, useChartColors, withOpacity } from './chart-theme.ts'
import classes from './curve-chart.module.css'
import { type CurveStyle, curveStyles } from './curve-styles.ts'
import { runsOf } from './runs.ts'

export interface CurvePoint {
  /** In seconds since 1970. */
  at: number
  value: number
}

export interface Curve {
  name: string
  /** Oldest first. */
  points: readonly CurvePoint[]
  /** Points further apart than this have a gap between them; without it there are none. */
  gapS?: number
}

export interface CurveChartProps {
  /** What the chart shows, in a sentence. */
  label: string
  /** At most six. One alone is an area that changes colour at the base. */
  curves: readonly Curve[]
  base: number
  format: (value: number) => string
  /** Below zero, on a scale of its own under the first one. */
  lower?: (Curve & { format: (value: number) => string }) | undefined
  size?: 'large' | 'small'
}

/** Curves over weeks or years, each with its own colour, dash and name at its end. */
export function CurveChart(props: CurveChartProps) {
  const colors = useChartColors()
  const frame = useRef<HTMLDivElement>(null)
  const readout = useRef<HTMLParagraphElement>(null)
  const { label, curves, base, format, lower, size = 'large' } = props
  useEffect(() => {
    if (frame.current === null || readout.current === null || !canPaint()) return
    const chart = createChart(frame.current, {
      ...chartOptions(colors),
      handleScroll: false,
      handleScale: false,
      crosshair: { mode: CrosshairMode.Magnet },
      localization: { timeFormatter: dateTimeOf },
      timeScale: { borderVisible: false, timeVisible: true, fixLeftEdge: true, fixRightEdge: true },
    })
    // The user guide names the library and its address.
    chart.applyOptions({ layout: { attributionLogo: false } })
    draw(chart, { curves, base, format, lower }, colors)
    const shown = readout.current
    chart.subscribeCrosshairMove((event) => {
      shown.textContent = readoutOf(event, { curves, format, lower })
    })
    return () => chart.remove()
  }, [colors, curves, base, format, lower])
  return (
    <figure className={classes.figure} aria-label={label}>
      <div ref={frame} className={classes.frame} data-size={size} aria-hidden />
      <p ref={readout} className={classes.readout} aria-hidden />
    </figure>
  )
}

type Drawn = Pick<CurveChartProps, 'curves' | 'base' | 'format' | 'lower'>

function draw(chart: IChartApi, { curves, base, format, lower }: Drawn, colors: ChartColors): void {
  const [only, ...others] = curves
  if (only !== undefined && others.length === 0) addArea(chart, only, { base, format }, colors)
  else for (const [index, curve] of curves.entries()) addLine(chart, curve, format, styleOf(index, colors))
  if (lower !== undefined) addLower(chart, lower, colors)
  chart.timeScale().fitContent()
}

function addArea(
  chart: IChartApi,
  curve: Curve,
  { base, format }: Pick<Drawn, 'base' | 'format'>,
  colors: ChartColors,
): void {
  const fill = withOpacity(colors.accent, 0.11)
  const look = {
    ...QUIET,
    lineWidth: 2,
    baseValue: { type: 'price', price: base },
    topLineColor: colors.accent,
    bottomLineColor: colors.accent,
    topFillColor1: fill,
    topFillColor2: fill,
    bottomFillColor1: fill,
    bottomFillColor2: fill,
    priceFormat: formatted(format),
  } as const
  addRuns(curve, (isLast) => {
    const series = chart.addSeries(BaselineSeries, { ...look, lastValueVisible: isLast })
    if (isLast)
      series.createPriceLine({
        price: base,
        color: colors.axis,
        lineWidth: 1,
        lineStyle: LineStyle.Solid,
        axisLabelVisible: false,
      })
    return series
  })
}

/** A series per stretch without a gap: the library joins all points of one series. */
function addRuns(
  { points, gapS = Number.POSITIVE_INFINITY }: Curve,
  add: (isLast: boolean) => Pick<ReturnType<IChartApi['addSeries']>, 'setData'>,
): void {
  const runs = runsOf(points, gapS)
  for (const [index, run] of runs.entries()) add(index === runs.length - 1).setData(run.map(toData))
}

function addLine(
  chart: IChartApi,
  curve: Curve,
  format: Drawn['format'],
  { color, lineStyle }: LineLook,
): void {
  addRuns(curve, (isLast) =>
    chart.addSeries(LineSeries, {
      ...QUIET,
      color,
      lineStyle,
      lineWidth: 2,
      lastValueVisible: isLast,
      title: isLast ? curve.name : '',
      priceFormat: formatted(format),
    }),
  )
}

function addLower(chart: IChartApi, lower: NonNullable<Drawn['lower']>, colors: ChartColors): void {
  const fill = withOpacity(colors.downFill, 0.15)
  const look = {
    ...QUIET,
    lineWidth: 1,
    baseValue: { type: 'price', price: 0 },
    topLineColor: colors.downFill,
    bottomLineColor: colors.downFill,
    bottomFillColor1: fill,
    bottomFillColor2: fill,
    priceFormat: formatted(lower.format),
  } as const
  addRuns(lower, () => chart.addSeries(BaselineSeries, look, 1))
  const [upper, pane] = chart.panes()
  upper?.setStretchFactor(4)
  pane?.setStretchFactor(1)
}

function readoutOf(
  { time }: MouseEventParams,
  { curves, format, lower }: Pick<Drawn, 'curves' | 'format' | 'lower'>,
): string {
  if (typeof time !== 'number') return ''
  const valueAt = (points: readonly CurvePoint[]) => points.find(({ at }) => at === time)?.value
  const parts = curves.map(({ name, points }) => partOf(name, valueAt(points), format))
  const below = lower && partOf(lower.name, valueAt(lower.points), lower.format)
  return [dateTimeOf(time), ...parts, below].filter((part) => part !== undefined).join(' · ')
}

function partOf(
  name: string,
  value: number | undefined,
  format: (value: number) => string,
): string | undefined {
  return value === undefined ? undefined : `${name} ${format(value)}`
}

interface LineLook {
  color: string
  lineStyle: LineStyle
}

const LINE_STYLES = {
  solid: LineStyle.Solid,
  dashed: LineStyle.Dashed,
  dotted: LineStyle.Dotted,
  longDashed: LineStyle.LargeDashed,
  sparseDotted: LineStyle.SparseDotted,
} as const satisfies Record<CurveStyle['dash'], LineStyle>

function styleOf(index: number, colors: ChartColors): LineLook {
  const { color, dash } = curveStyles[index % curveStyles.length] ?? curveStyles[0]
  return { color: colors[color], lineStyle: LINE_STYLES[dash] }
}

const QUIET = { priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false } as const

function formatted(format: (value: number) => string) {
  return { type: 'custom', formatter: format, minMove: 0.0001 } as const
}

/** False where the browser forbids canvases; the figures beside the chart are there all the same. */
function canPaint(): boolean {
  return document.createElement('canvas').getContext('2d') !== null
}

function toData({ at, value }: CurvePoint): { time: UTCTimestamp; value: number } {
  // The library brands the same number.
  return { time: at as UTCTimestamp, value }
}

function dateTimeOf(at: Time | number): string {
  return new Date(Number(at) * 1000).toISOString().slice(0, 16).replace('T', ' ')
}
