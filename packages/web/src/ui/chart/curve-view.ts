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
import { type ChartColors, chartOptions, withOpacity } from './chart-theme.ts'
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

export interface CurveDrawing {
  curves: readonly Curve[]
  base: number
  format: (value: number) => string
  lower?: (Curve & { format: (value: number) => string }) | undefined
}

type Series = ReturnType<IChartApi['addSeries']>

/** The chart outside React: it is created once, and then only its series and colours change. */
export class CurveView {
  readonly #chart: IChartApi
  #series: Series[] = []
  #drawing: CurveDrawing | undefined

  constructor(frame: HTMLElement, readout: HTMLElement, create: typeof createChart = createChart) {
    this.#chart = create(frame, {
      // Set later, the chart would keep the width that it is created with, and could not become narrower.
      autoSize: true,
      handleScroll: false,
      handleScale: false,
      localization: { timeFormatter: dateTimeOf },
      timeScale: { fixLeftEdge: true, fixRightEdge: true },
    })
    this.#chart.subscribeCrosshairMove((event) => {
      readout.textContent = this.#drawing ? readoutOf(event, this.#drawing) : ''
    })
  }

  draw(drawing: CurveDrawing, colors: ChartColors): void {
    this.#drawing = drawing
    this.#chart.applyOptions(chartOptions(colors))
    this.#chart.applyOptions({
      // The user guide names the library and its address.
      layout: { attributionLogo: false },
      crosshair: { mode: CrosshairMode.Magnet },
      timeScale: { borderVisible: false, timeVisible: true },
    })
    for (const series of this.#series) this.#chart.removeSeries(series)
    this.#series = []
    const { curves, lower } = drawing
    const [only, ...others] = curves
    if (only !== undefined && others.length === 0) this.#addArea(only, drawing, colors)
    else for (const [index, curve] of curves.entries()) this.#addLine(curve, drawing, styleOf(index, colors))
    if (lower !== undefined) this.#addLower(lower, colors)
    this.#chart.timeScale().fitContent()
  }

  remove(): void {
    this.#chart.remove()
  }

  #addArea(curve: Curve, { base, format }: CurveDrawing, colors: ChartColors): void {
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
    this.#addRuns(curve, (isLast) => {
      const series = this.#chart.addSeries(BaselineSeries, { ...look, lastValueVisible: isLast })
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

  #addLine(curve: Curve, { format }: CurveDrawing, { color, lineStyle }: LineLook): void {
    this.#addRuns(curve, (isLast) =>
      this.#chart.addSeries(LineSeries, {
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

  #addLower(lower: NonNullable<CurveDrawing['lower']>, colors: ChartColors): void {
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
    this.#addRuns(lower, () => this.#chart.addSeries(BaselineSeries, look, 1))
    const [upper, pane] = this.#chart.panes()
    upper?.setStretchFactor(4)
    pane?.setStretchFactor(1)
  }

  /** A series per stretch without a gap: the library joins all points of one series. */
  #addRuns({ points, gapS = Number.POSITIVE_INFINITY }: Curve, add: (isLast: boolean) => Series): void {
    const runs = runsOf(points, gapS)
    for (const [index, run] of runs.entries()) {
      const series = add(index === runs.length - 1)
      series.setData(run.map(toData))
      this.#series.push(series)
    }
  }
}

function readoutOf({ time }: MouseEventParams, { curves, format, lower }: CurveDrawing): string {
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

function toData({ at, value }: CurvePoint): { time: UTCTimestamp; value: number } {
  // The library brands the same number.
  return { time: at as UTCTimestamp, value }
}

function dateTimeOf(at: Time | number): string {
  return new Date(Number(at) * 1000).toISOString().slice(0, 16).replace('T', ' ')
}
